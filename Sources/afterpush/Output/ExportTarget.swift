import ArgumentParser
import Files
import Foundation
import Reports

/// The destination of an export, and the rows that it still needs: a new file, an existing one to continue, or standard
/// output.
struct ExportTarget: Sendable {
    let request: ExportRequest
    private let path: String?
    /// The number of bytes of the file to keep, or nil to truncate it.
    private let keeping: Int?

    /// Whether to write a header. A file that is continued has one already.
    var needsHeader: Bool { keeping ?? 0 == 0 }

    /// Reads the end of an existing file to find out where to continue it.
    ///
    /// - Parameter given: The options by name. `after` may also be `last`, for the last complete row of the file.
    init(_ kind: ExportKind, _ given: [String: String], out: String?) throws {
        path = out
        var given = given
        let isResumed = given["after"] == "last"
        if isResumed { given["after"] = nil }
        let request = try ExportRequest(kind, given)
        guard let out, given["after"] != nil || isResumed, FileManager.default.fileExists(atPath: out) else {
            self.request = request
            keeping = nil
            return
        }
        let tail = try Self.tail(of: out, request)
        keeping = tail.wholeBytes
        if isResumed, tail.wholeBytes > request.header.count {
            guard let cursor = tail.cursor(of: kind) else {
                throw ValidationError("\(out) is not an export of \(kind.rawValue) in this format")
            }
            given["after"] = cursor.description
        }
        self.request = try ExportRequest(kind, given)
    }

    func open() throws -> OutputFile {
        guard let path else { return .standardOutput }
        return try OutputFile(path: path, keeping: keeping)
    }

    private static func tail(of path: String, _ request: ExportRequest) throws -> ExportTail {
        let descriptor: Int32
        do throws(RegularFile.Refused) {
            // Opening a pipe would wait for somebody to write to it.
            descriptor = try RegularFile.open(path, O_RDONLY)
        } catch {
            throw ValidationError("\(path) can't be continued: \(error)")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var tail = ExportTail(request.format)
        let beginning = request.beginning
        var isFirst = true
        while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty {
            if isFirst, !bytes.starts(with: beginning), !beginning.starts(with: bytes) {
                throw ValidationError("\(path) is not an export with these columns")
            }
            isFirst = false
            tail.take(Array(bytes))
        }
        return tail
    }
}
