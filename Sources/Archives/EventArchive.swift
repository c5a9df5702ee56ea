import Files
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

    private let path: String
    private let retention: Retention
    private let exports: ExportService

    /// Creates an archive.
    ///
    /// - Parameters:
    ///   - path: Its directory, which is created if it doesn't exist.
    ///   - retention: Decides which months are old enough.
    ///   - exports: Reads the events. It must not read from a replica, which may lag.
    package init(_ path: String, retention: Retention, exports: ExportService) {
        self.path = path
        self.retention = retention
        self.exports = exports
    }

    /// Moves the events of expired months to files, and deletes a month once all of its files are complete.
    ///
    /// If it is interrupted, the next run continues with the month that was not deleted yet, and keeps its complete files.
    ///
    /// - Parameters:
    ///   - text: Whether the files include typed text.
    ///   - onFile: Called with each complete file.
    package func run(text: Bool, onFile: (StoredFile) -> Void) async throws {
        let directory = try ArchiveFolder(path, followsLink: true)
        // Whoever could exchange it would have the only copy of the events.
        try TrustedPath.require(path, owners: [geteuid()], above: [0, geteuid()])
        // Two runs could choose the same name.
        try directory.lock()
        defer { withExtendedLifetime(directory) {} }
        // Those of the month that is not deleted yet.
        var files: [StoredFile] = []
        do {
            try await retention.deleteMonths { month in
                // If there are any, a device was erased since they were found to have the events of the month.
                for file in files { unlink(file.path) }
                files = []
                for contents in try await retention.contents(of: month) {
                    files.append(try await store(month, contents, text: text))
                }
            } onDeleted: {
                for file in files { onFile(file) }
                files = []
            }
        } catch Retention.Failure.erasing {
            for file in files { unlink(file.path) }
            throw Retention.Failure.erasing
        }
    }

    private func store(
        _ month: ExpiredMonth, _ contents: ExpiredMonth.Contents, text: Bool
    ) async throws -> StoredFile {
        let folder = try ArchiveFolder(path + "/" + Self.folder(ofApp: contents.appName))
        folder.removeUnfinishedFiles()
        let (file, exists) = try MonthFile.place(in: folder.path, month: month.name, text: text, for: contents.events)
        var events = contents.events
        if !exists {
            let request = ExportRequest(eventsOf: (month.start, month.end), before: month.sealedBefore, text: text)
            events = try await file.write(request, app: contents.app, exports) { written in
                if written == contents.events { return true }
                // An erasure may have deleted events since.
                return try await retention.contents(of: month).first { $0.app == contents.app }?.events == written
            }
        }
        try folder.sync(file)
        return StoredFile(app: contents.appName, path: file.path, events: events.events)
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
}
