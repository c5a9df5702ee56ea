import Foundation
import Ingest
import Reports

/// Keeps what was not taken of a file in another one beside it, a line of JSON each: where it stands, why, and the event
/// with typed text replaced by its length.
///
/// A file is begun anew by the first rejection; without one there is none.
package actor RejectionFile {
    package struct Failed: Error, CustomStringConvertible {
        let path: String
        package var description: String { "\(path) can't be written" }
    }

    private let name: @Sendable (_ path: String) -> String
    private var handles: [String: FileHandle] = [:]

    /// - Parameter path: one for all files; nil is a file's own name and `.rejected.ndjson`.
    package init(path: String? = nil) {
        name = { file in path ?? (file == "-" ? "import.rejected.ndjson" : "\(file).rejected.ndjson") }
    }

    /// The files that were written.
    package var paths: [String] { self.handles.keys.sorted() }

    func write(_ lines: [String], of file: String) throws {
        guard !lines.isEmpty else { return }
        let path = self.name(file)
        let handle = try self.handles[path] ?? Self.open(path)
        self.handles[path] = handle
        try handle.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    }

    static func line(_ file: String, _ line: Int, _ rejection: Rejection) -> String {
        self.line(
            file, line, rejection.code, rejection.detail,
            [("event_id", rejection.eventID), ("event", rejection.submittedEvent)])
    }

    static func line(_ file: String, _ refusal: ImportRefusal) -> String {
        self.line(file, refusal.line, refusal.code, refusal.detail, [])
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

    private static func open(_ path: String) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw Failed(path: path) }
        return handle
    }
}
