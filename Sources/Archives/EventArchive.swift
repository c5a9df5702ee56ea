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
    ///   - onNote: Called with what people should know of sealed hours, and of erasures that came late.
    package func run(text: Bool, onFile: (StoredFile) -> Void, onNote: (String) -> Void) async throws {
        let directory = try ArchiveFolder(path, followsLink: true)
        // Whoever could exchange it would have the only copy of the events.
        try TrustedPath.require(path, owners: [geteuid()], above: [0, geteuid()])
        // Two runs could choose the same name.
        try directory.lock()
        defer { withExtendedLifetime(directory) {} }
        // Those of the month that is being archived. Those of a month that is gone are its only copy, so they are never
        // touched: whatever happened to that month, the next one begins without them.
        var month: String?
        var files: [ArchivedFile] = []
        try await retention.deleteMonths { snapshot in
            if month != snapshot.month.partition {
                month = snapshot.month.partition
                files = []
            }
            files = try await archive(snapshot, replacing: files, text: text, onNote: onNote)
        } onDeleted: { missesErasures in
            for file in files { onFile(file.stored) }
            guard missesErasures, let first = files.first else { return }
            onNote(
                "devices were erased again and again while \(first.month) was archived; its files may have events of those "
                    + "whose erasure was requested last")
        } onSealed: { before in
            onNote("events from before \(before) are rejected from now on")
        }
    }

    /// A file with the events of an app in the month that is being archived.
    private struct ArchivedFile {
        let month: String
        let app: Int32
        let stored: StoredFile
        let events: EventCount
        /// Whether this run wrote the file.
        let isOwn: Bool
    }

    /// Stores the events of a snapshot, and returns their files.
    ///
    /// - Parameter files: The files of an earlier snapshot of the month. Those with the same events are kept.
    private func archive(
        _ snapshot: MonthSnapshot, replacing files: [ArchivedFile], text: Bool, onNote: (String) -> Void
    ) async throws -> [ArchivedFile] {
        var kept: [Int32: ArchivedFile] = [:]
        for file in files {
            if snapshot.contents.contains(where: { $0.app == file.app && $0.events == file.events }) {
                kept[file.app] = file
            } else if file.isOwn {
                unlink(file.stored.path)
            } else {
                onNote("\(file.stored.path) of an earlier run has events of devices that were erased since; remove it")
            }
        }
        var archived: [ArchivedFile] = []
        for contents in snapshot.contents {
            if let file = kept[contents.app] {
                archived.append(file)
            } else {
                archived.append(try await store(contents, of: snapshot, text: text))
            }
        }
        return archived
    }

    private func store(
        _ contents: ExpiredMonth.Contents, of snapshot: MonthSnapshot, text: Bool
    ) async throws -> ArchivedFile {
        let month = snapshot.month
        let folder = try ArchiveFolder(path + "/" + Self.folder(ofApp: contents.appName))
        folder.removeUnfinishedFiles()
        let (file, exists) = try MonthFile.place(in: folder.path, month: month.name, text: text, for: contents.events)
        if !exists {
            let request = ExportRequest(
                eventsOf: (month.start, month.end), before: month.sealedBefore, in: snapshot.name, text: text)
            try await file.write(request, app: contents.app, exports, expecting: contents.events)
        }
        try folder.sync(file)
        return ArchivedFile(
            month: month.name, app: contents.app,
            stored: StoredFile(app: contents.appName, path: file.path, events: contents.events.events),
            events: contents.events, isOwn: !exists)
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
