import Foundation

/// A file, or standard output, to which a command writes data of any length.
struct OutputFile: Sendable {
    struct Failed: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "\(path) can't be written: \(reason)" }

        /// Creates the error with the reason in `errno`.
        init(path: String) {
            self.path = path
            reason = String(cString: strerror(errno))
        }
    }

    private let descriptor: Int32
    private let path: String

    static let standardOutput = OutputFile(descriptor: 1, path: "standard output")

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a file for writing, and creates it if necessary.
    ///
    /// - Parameter keeping: The number of bytes to keep at the start of the file, or nil to truncate it.
    init(path: String, keeping: Int? = nil) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (keeping == nil ? O_TRUNC : 0), 0o644)
        self.init(descriptor: descriptor, path: path)
        guard descriptor >= 0 else { throw failure }
        guard let keeping else { return }
        guard ftruncate(descriptor, keeping) == 0, lseek(descriptor, keeping, SEEK_SET) >= 0 else { throw failure }
    }

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                if count < 0, errno != EINTR { throw failure }
                written += max(0, count)
            }
        }
    }

    func close() throws {
        guard Glibc.close(descriptor) == 0 else { throw failure }
    }

    private var failure: Failed { Failed(path: path) }
}

/// The format that the extension of a file's name stands for, such as `csv` for `actions.csv`.
enum FileFormat {
    static func name(of path: String?) -> String? {
        switch path.map({ URL(filePath: $0).pathExtension }) {
        case "csv": "csv"
        case "json": "json"
        case "ndjson", "jsonl": "ndjson"
        default: nil
        }
    }
}
