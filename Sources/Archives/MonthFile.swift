import Files
import Foundation
import Glibc
import Reports
import Storage
import Zlib

/// A compressed file with the events of one app in one month.
struct MonthFile: Sendable {
    /// An error that prevents that a month is archived.
    enum Failure: Error, Equatable, CustomStringConvertible {
        case memory
        case incomplete(path: String, written: Int64)

        var description: String {
            switch self {
            case .memory: "there is not enough memory to compress a file"
            case .incomplete(let path, let written):
                "\(path) was removed, because its \(written) events are not those of the database; nothing was deleted"
            }
        }
    }

    let path: String

    /// Returns the first file for a month in a folder whose name is free, or that has these events already.
    ///
    /// The names are `events-2026-08.ndjson.gz`, `events-2026-08-2.ndjson.gz` and so on; with typed text,
    /// `events-2026-08-text.ndjson.gz`. A file with other events, such as one of another database, is never touched.
    ///
    /// - Returns: The file, and whether it exists.
    static func place(
        in folder: String, month: String, text: Bool, for events: EventCount
    ) throws -> (file: MonthFile, exists: Bool) {
        let name = "\(folder)/events-\(month)\(text ? "-text" : "")"
        var number = 1
        while true {
            let file = MonthFile(path: name + (number == 1 ? "" : "-\(number)") + ".ndjson.gz")
            var status = stat()
            if lstat(file.path, &status) != 0 {
                guard errno == ENOENT else { throw OutputFile.Failed(path: file.path) }
                return (file, false)
            }
            if (try? file.count()) == events { return (file, true) }
            number += 1
        }
    }

    /// Writes the file, reads it back, and gives it its name once it has the right events.
    ///
    /// - Parameter expected: The events of the database.
    func write(
        _ request: ExportRequest, app: Int32, _ exports: ExportService, expecting expected: EventCount
    ) async throws {
        guard let gzip = GzipWriter() else { throw Failure.memory }
        let file = try OutputFile(publishing: path)
        do {
            // A compressor belongs to one task: `run` awaits each piece before it passes on the next.
            try await exports.run(request, app: app, into: { piece in try file.write(gzip.write(piece)) })
            try file.write(gzip.finish())
            let written = try MonthFile(path: file.part).count()
            guard written == expected else {
                throw Failure.incomplete(path: file.part, written: written.events)
            }
            try file.publish()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Reads the file from its beginning to its end, and counts its events.
    ///
    /// - Throws: An error if it can't be read, is damaged, or is not an archive of events.
    func count() throws -> EventCount {
        let descriptor = try RegularFile.open(path, O_RDONLY)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let gzip = try GzipReader()
        var events = ArchivedEvents()
        while let bytes = try file.read(upToCount: 256 * 1024), !bytes.isEmpty {
            gzip.supply(Array(bytes))
            while !gzip.needsInput { events.read(try gzip.read()) }
        }
        try gzip.finish()
        guard events.isComplete else { throw InflateError.corrupt }
        return events.count
    }
}
