package import AfterpushWire
import Foundation
import GRDB

/// What waits in the spools of a directory, whichever collectors they are of, running or not; nothing is changed.
package enum SpoolChecks {
    private struct Contents {
        var bytes = 0
        var entries = 0
        var events = 0
        var setAside = 0
        var oldest: AfterpushWire.Timestamp?
    }

    /// - Returns: nil if there are no spools.
    package static func finding(_ directory: String, at now: AfterpushWire.Timestamp) async -> CheckResult? {
        let files = SpoolFileLock.files(in: directory)
        guard !files.isEmpty else { return nil }
        var all = Contents()
        for file in files {
            do {
                let contents = try contents(of: file)
                all.bytes += contents.bytes
                all.entries += contents.entries
                all.events += contents.events
                all.setAside += contents.setAside
                all.oldest = [all.oldest, contents.oldest].compactMap(\.self).min()
            } catch {
                return CheckResult(
                    "spool", .fail, "\(file) can't be read: \(SpoolFailure(error))",
                    advice: "a collector that starts keeps what it can read of it; see to the disk and its permissions")
            }
        }
        return finding(all, directory, at: now)
    }

    private static func finding(
        _ contents: Contents, _ directory: String, at now: AfterpushWire.Timestamp
    ) -> CheckResult {
        let seconds = contents.oldest.map { max(0, (now.microseconds - $0.microseconds) / 1_000_000) } ?? 0
        let age = contents.entries > 0 ? ", the oldest for \(seconds) s" : ""
        let text = """
            \(contents.events) events wait in \(directory)\(age) \
            (\(contents.bytes >> 20) MiB, \(contents.setAside) entries set aside)
            """
        if contents.setAside > 0 {
            return CheckResult(
                "spool", .warn, text,
                advice: "PostgreSQL refuses those entries or they are damaged: see the table set_aside in the files")
        }
        // A collector that runs replays within seconds of PostgreSQL's return.
        if seconds > 60 {
            return CheckResult("spool", .warn, text, advice: "PostgreSQL is away, or no collector runs to replay it")
        }
        return CheckResult("spool", .ok, text)
    }

    private static func contents(of path: String) throws -> Contents {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in
            let transaction = SpoolTransaction(db: db)
            var contents = Contents(bytes: try transaction.bytesInUse())
            let row = try Row.fetchOne(db, sql: "select count(*), coalesce(sum(events), 0) from entries")
            contents.entries = row?[0] ?? 0
            contents.events = row?[1] ?? 0
            contents.setAside = try transaction.setAsideCount().entries
            try transaction.visit { row in
                contents.oldest = row.entry.flatMap { Spool.receivedAt($0) }
                return contents.oldest == nil
            }
            return contents
        }
    }
}
