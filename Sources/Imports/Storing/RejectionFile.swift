import Events
package import Files
import Foundation
import JSON
import Reports

/// Writes the rejected records of a file to another file next to it, one line of JSON each: the place, the reason, and
/// the event with typed text replaced by its length. A record of another system is added as it is.
///
/// The first rejection creates the file; without rejections there is no file.
package actor RejectionFile {
    private let name: @Sendable (_ path: String) -> String
    /// Whether the user named the file. Such a file is written in place.
    private let isNamed: Bool
    private var files: [String: OutputFile] = [:]

    /// Determines the path for each file without creating anything.
    ///
    /// - Parameters:
    ///   - path: The path for all files, or `nil` for each file's own name with `.rejected.ndjson` appended.
    ///   - files: The imported files; `-` is standard input.
    /// - Throws: `OutputFile.Failed` if a path is one of the imported files or a directory.
    package init(path: String?, for files: [String]) throws(OutputFile.Failed) {
        isNamed = path != nil
        name = { file in path ?? (file == "-" ? "import.rejected.ndjson" : "\(file).rejected.ndjson") }
        let imported = Set(files.compactMap { $0 == "-" ? FileIdentity(descriptor: 0) : FileIdentity(path: $0) })
        for path in files.map(name) {
            if let there = FileIdentity(path: path), imported.contains(there) {
                throw OutputFile.Failed(
                    path: path, reason: "it is one of the files to import; name another file with --rejected")
            }
            var isDirectory: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
                throw OutputFile.Failed(path: path, reason: String(cString: strerror(EISDIR)))
            }
        }
    }

    /// The paths of the files written so far.
    package var paths: [String] { self.files.keys.sorted() }

    func write(_ lines: [String], of file: String) throws {
        guard !lines.isEmpty else { return }
        let path = self.name(file)
        let output = try self.files[path] ?? self.open(path)
        self.files[path] = output
        try output.write(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// Closes the files, which reports writes that failed late.
    package func close() throws(OutputFile.Failed) {
        for file in self.files.values { try file.close() }
    }

    private func open(_ path: String) throws(OutputFile.Failed) -> OutputFile {
        self.isNamed ? try OutputFile(path: path) : try OutputFile(replacing: path)
    }

    static func line(_ file: String, _ line: Int, _ rejection: Rejection, record: String? = nil) -> String {
        self.line(
            file, line, rejection.code, rejection.detail,
            [("event_id", rejection.eventID), ("event", rejection.submittedEvent), ("record", record)])
    }

    static func line(_ file: String, _ refusal: ImportRejection) -> String {
        self.line(file, refusal.line, refusal.code, refusal.detail, [("record", refusal.record)])
    }

    private static func line(
        _ file: String, _ line: Int, _ code: RejectionCode, _ detail: String, _ others: [(String, String?)]
    ) -> String {
        let known: [(key: String, json: String)] = [
            ("file", JSONText.string(file)), ("line", String(line)), ("code", JSONText.string(code.rawValue)),
            ("detail", JSONText.string(detail)),
        ]
        return JSONText.object(
            known + others.compactMap { name, text in text.map { (key: name, json: JSONText.string($0)) } })
    }
}

/// The identity of a file on disk, independent of its name.
private struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    /// Identifies a regular file; `nil` if there is no such file or it is, for example, a pipe or terminal.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
