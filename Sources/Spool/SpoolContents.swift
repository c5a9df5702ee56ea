package import AfterpushWire
import Files
import Foundation
import GRDB
import Glibc

/// The contents of all spools in a directory, whether or not their collectors run. Reading them changes nothing.
package struct SpoolContents: Sendable {
    /// An error that says which spool file can't be read, and why.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    package private(set) var bytes = 0
    package private(set) var entries = 0
    package private(set) var events = 0
    package private(set) var setAside = 0
    /// The number of events that were set aside and that retention waits for.
    package private(set) var awaitedSetAsideEvents = 0
    package private(set) var oldest: AfterpushWire.Timestamp?

    /// Reads the spools of a directory; the result is `nil` if there are none.
    ///
    /// - Parameter owner: Identifies the database whose spools are read; nil for all.
    package init?(directory: String, owner: String? = nil) throws(Unreadable) {
        let files = SpoolFileLock.files(in: directory, owner: owner)
        guard !files.isEmpty else { return nil }
        for file in files {
            do {
                try add(file)
            } catch {
                throw Unreadable(description: "\(file) can't be read: \(SpoolFailure(error))")
            }
        }
    }

    private mutating func add(_ path: String) throws {
        // SQLite would wait for a pipe.
        do throws(RegularFile.Refused) {
            Glibc.close(try RegularFile.open(path, O_RDONLY))
        } catch {
            throw SpoolError.unusable(reason: error.reason)
        }
        try SpoolFile.requireRegularFiles(besides: path)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        var sum = self
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        try queue.read { db in
            let transaction = SpoolTransaction(db: db)
            sum.bytes += try transaction.bytesInUse()
            let row = try Row.fetchOne(db, sql: "select count(*), coalesce(sum(events), 0) from entries")
            sum.entries += row?[0] ?? 0
            sum.events += row?[1] ?? 0
            sum.setAside += try transaction.setAsideCount().entries
            sum.awaitedSetAsideEvents += try transaction.awaitedEntries().events(at: now)
            var oldest: AfterpushWire.Timestamp?
            try transaction.visit { row in
                oldest = row.entry.flatMap { Spool.receivedAt($0) }
                return oldest == nil
            }
            sum.oldest = [sum.oldest, oldest].compactMap(\.self).min()
        }
        self = sum
    }
}
