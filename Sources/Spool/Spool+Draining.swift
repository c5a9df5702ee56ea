import Events
package import Ingest
import Logging

extension Spool {
    /// Returns the oldest entries in order and sets aside those that can't be read.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of entries.
    ///   - eventLimit: The maximum number of events, unless the first entry alone has more.
    package func oldest(_ limit: Int, events eventLimit: Int) throws(SpoolError) -> [SpooledEntry] {
        while self.state.entries > 0 {
            let rows = try self.rows(limit, events: eventLimit)
            var entries: [SpooledEntry] = []
            var unreadable: [(row: SpoolTransaction.Row, reason: String)] = []
            for row in rows {
                do throws(BinaryFormatError) {
                    guard let bytes = row.entry else { throw .malformed }
                    let entry = try SpoolEntry(bytes)
                    entries.append(SpooledEntry(id: row.id, entry: entry, pending: try PendingSubmission(entry)))
                } catch {
                    unreadable.append((row, "it can't be read: \(error)"))
                }
            }
            for (row, reason) in unreadable {
                try self.setAside(row.id, events: row.events, reason: reason, isRetried: false)
            }
            if !entries.isEmpty || rows.isEmpty { return entries }
        }
        return []
    }

    func rows(_ limit: Int, events eventLimit: Int) throws(SpoolError) -> [SpoolTransaction.Row] {
        try self.withFile { file in
            var rows: [SpoolTransaction.Row] = []
            var events = 0
            try file.read { transaction in
                try transaction.visit { row in
                    guard rows.count < limit, rows.isEmpty || events + row.events <= eventLimit else { return false }
                    rows.append(row)
                    events += row.events
                    return true
                }
            }
            return rows
        }
    }

    /// Removes entries that PostgreSQL has committed.
    package func remove(_ entries: [SpooledEntry], outcomes: [SubmissionOutcome]) throws(SpoolError) {
        let events = entries.reduce(0) { $0 + $1.entry.events.count }
        try self.remove(entries.map(\.id), events: events)
        for (entry, outcome) in zip(entries, outcomes) {
            self.state.counts.stored += outcome.accepted
            self.state.counts.duplicates += outcome.duplicates
            // Rejections that were spooled with the entry have been counted already.
            self.state.counts.rejected += outcome.rejections.count - entry.entry.rejections.count
        }
    }

    func remove(_ ids: [Int64], events: Int) throws(SpoolError) {
        try self.change(entries: -ids.count, events: -events) { try $0.remove(ids) }
    }

    /// Sets an entry aside, so that it doesn't block others.
    ///
    /// - Parameter isRetried: Whether it is retried later.
    func setAside(_ id: Int64, events: Int, reason: String, isRetried: Bool) throws(SpoolError) {
        self.logger.error(
            "a spool entry was set aside", metadata: ["reason": "\(reason)", "events": "\(events)"])
        try self.change(entries: -1, events: -events) {
            try $0.setAside(id, reason: reason, isRetried: isRetried)
        }
        self.state.counts.setAside += events
    }

    /// Puts entries back that were set aside because PostgreSQL did not store them.
    func retrySetAside() throws(SpoolError) {
        self.awaitedEntries = nil
        let (entries, events) = try self.withFile { file in try file.write { try $0.retrySetAside() } }
        guard entries > 0 else { return }
        self.state.counts.setAside -= events
        try self.change(entries: entries, events: events) { _ in }
    }

    /// Changes the file, and with it the counts of waiting entries.
    func change(
        entries: Int, events: Int, _ body: (SpoolTransaction) throws -> Void
    ) throws(SpoolError) {
        self.awaitedEntries = nil
        let counts = try self.withFile { file in
            try file.write { transaction in
                try body(transaction)
                return try (
                    inUse: transaction.bytesInUse(), ofFile: transaction.bytesOfFile(),
                    aside: transaction.setAsideCount()
                )
            }
        }
        self.reopening.recordUse()
        self.state.entries += entries
        self.state.events += events
        self.state.bytes = counts.inUse
        self.state.setAsideEntries = counts.aside.entries
        self.state.setAsideEvents = counts.aside.events
        self.state.oldest = try self.rows(1, events: 0).first?.entry.flatMap(Self.receivedAt)
        // A drained file would otherwise keep the size of the longest outage.
        if self.state.entries == 0, counts.ofFile - counts.inUse > 64 * SpoolFile.pageSize {
            try self.withFile { try $0.shrink() }
        }
    }
}
