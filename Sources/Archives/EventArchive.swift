import Foundation
import Glibc
package import Reports
package import Storage

/// A directory to which whole months of events are moved, as compressed files.
package struct EventArchive: Sendable {
    /// A file of the archive, and how many events it has.
    package struct StoredFile: Sendable {
        package let app: String
        package let path: String
        package let events: Int64
    }

    /// An error that says why the directory can't be used.
    package struct Unusable: Error, CustomStringConvertible {
        package let directory: String
        package let reason: String
        package var description: String { "\(directory) can't be used: \(reason)" }
    }

    private let directory: String
    private let retention: Retention
    private let exports: ExportService

    /// Creates an archive.
    ///
    /// - Parameters:
    ///   - directory: Its directory, which is created if it doesn't exist.
    ///   - retention: Decides which months are old enough.
    ///   - exports: Reads the events. It must not read from a replica, which may lag.
    package init(_ directory: String, retention: Retention, exports: ExportService) {
        self.directory = directory
        self.retention = retention
        self.exports = exports
    }

    /// Moves the events of expired months to files, and deletes a month once all of its files were read back completely.
    ///
    /// If it is interrupted, the next run continues with the month that was not deleted yet, and keeps its complete files.
    ///
    /// - Parameters:
    ///   - text: Whether the files include typed text.
    ///   - onFile: Called with each complete file.
    package func run(text: Bool, onFile: (StoredFile) -> Void) async throws {
        let lock = try lockDirectory()
        defer { _ = Glibc.close(lock) }
        try await retention.deleteMonths { month in
            for contents in try await retention.contents(of: month) {
                onFile(try await store(month, contents, text: text))
            }
        }
    }

    private func store(
        _ month: ExpiredMonth, _ contents: ExpiredMonth.Contents, text: Bool
    ) async throws -> StoredFile {
        let folder = directory + "/" + Self.folder(ofApp: contents.appName)
        try Self.create(folder)
        let (file, exists) = MonthFile.place(in: folder, month: month.name, for: contents.events)
        if !exists {
            let request = ExportRequest(
                eventsOf: (month.start, month.end), before: month.sealedBefore, text: text)
            try await file.write(request, app: contents.app, exports)
            let written = try file.count()
            // An erasure may have deleted events since.
            let stored = try await retention.contents(of: month).first { $0.app == contents.app }?.events
            guard written == contents.events || written == stored else {
                throw MonthFile.Failure.incomplete(
                    path: file.path, written: written.events, stored: stored?.events ?? 0)
            }
        }
        return StoredFile(app: contents.appName, path: file.path, events: contents.events.events)
    }

    /// Returns the name of an app's folder: its own, with everything but ASCII letters, digits, `-`, `_` and dots that are
    /// not in front percent-encoded, because names of apps can contain any character.
    ///
    /// A longer name than a file system takes is cut off. Apps may then share a folder, but never a file.
    static func folder(ofApp name: String) -> String {
        let plain = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let encoded = name.utf8.enumerated().map { place, byte in
            plain.contains(byte) || byte == UInt8(ascii: ".") && place > 0
                ? String(UnicodeScalar(byte)) : String(format: "%%%02X", Int(byte))
        }
        return String(encoded.joined().prefix(200))
    }

    /// Locks the directory, so that two runs don't choose the same name.
    ///
    /// - Returns: The descriptor that holds the lock until it is closed.
    private func lockDirectory() throws -> Int32 {
        try Self.create(directory)
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(directory) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            Glibc.close(descriptor)
            throw Unusable(directory: directory, reason: "another command is writing to it")
        }
        return descriptor
    }

    /// Creates a directory that only its owner can read, unless it exists.
    private static func create(_ path: String) throws(Unusable) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path) }
    }

    private static func failure(_ path: String) -> Unusable {
        Unusable(directory: path, reason: String(cString: strerror(errno)))
    }
}
