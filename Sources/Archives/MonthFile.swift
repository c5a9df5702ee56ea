package import Files
import Foundation
import Glibc
package import Reports
package import Storage
import Zlib

/// A compressed file with the events of one app in one month.
package struct MonthFile: Sendable {
    /// An error that prevents that a month is archived.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case memory
        case incomplete(path: String, written: Int64, stored: Int64)

        package var description: String {
            switch self {
            case .memory: "there is not enough memory to compress a file"
            case .incomplete(let path, let written, let stored):
                "\(path) was written with \(written) events, but the database has \(stored); nothing was deleted"
            }
        }
    }

    package let path: String

    /// Returns the first file for a month in a directory whose name is free, or that has these events already.
    ///
    /// The names are `events-2026-08.ndjson.gz`, `events-2026-08-2.ndjson.gz` and so on. A file with other events, such as
    /// one of another database, is never touched.
    ///
    /// - Returns: The file, and whether it exists.
    static func place(in directory: String, month: String, for events: EventCount) -> (file: MonthFile, exists: Bool) {
        var number = 1
        while true {
            let suffix = number == 1 ? "" : "-\(number)"
            let file = MonthFile(path: "\(directory)/events-\(month)\(suffix).ndjson.gz")
            var status = stat()
            guard lstat(file.path, &status) == 0 else { return (file, false) }
            if (try? file.count()) == events { return (file, true) }
            number += 1
        }
    }

    /// Writes the file, which gets its name when the disk has all of it.
    func write(_ request: ExportRequest, app: Int32, _ exports: ExportService) async throws {
        guard let gzip = GzipWriter() else { throw Failure.memory }
        let file = try OutputFile(publishing: path)
        do {
            // A compressor belongs to one task: `run` awaits each piece before it passes on the next.
            try await exports.run(request, app: app, into: { piece in try file.write(gzip.write(piece)) })
            try file.write(gzip.finish())
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
