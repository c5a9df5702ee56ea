import AfterpushWire
import Foundation
import GRDB

/// A transaction on the spool file, with its operations on entries.
struct SpoolTransaction {
    struct Row: Sendable {
        let id: Int64
        /// The entry in the record, or `nil` when the record is incomplete.
        let entry: ArraySlice<UInt8>?
        /// The number of events; for an incomplete record, the number that it claims.
        let events: Int
    }

    /// An entry that retention waits for, until a day after it arrived.
    struct AwaitedEntry: Sendable {
        let receivedAt: AfterpushWire.Timestamp
        let events: Int
    }

    /// The maximum number of events accepted as the claim of a damaged entry, more than any entry has.
    private static let maximumEvents = 5_000

    let db: GRDB.Database

    /// Returns the size of the used pages in bytes.
    func bytesInUse() throws -> Int {
        let pages = try Int.fetchOne(db, sql: "pragma page_count") ?? 0
        let free = try Int.fetchOne(db, sql: "pragma freelist_count") ?? 0
        return (pages - free) * SpoolFile.pageSize
    }

    func bytesOfFile() throws -> Int {
        (try Int.fetchOne(db, sql: "pragma page_count") ?? 0) * SpoolFile.pageSize
    }

    func add(_ record: Data, events: Int) throws {
        try db.cachedStatement(sql: "insert into entries (events, record) values (?, ?)")
            .execute(arguments: [events, record])
    }

    /// Visits the entries in the order of their arrival until `body` returns false.
    func visit(_ body: (Row) throws -> Bool) throws {
        // A column of the wrong type is damage too, and read as empty.
        let rows = try GRDB.Row.fetchCursor(
            db,
            sql: """
                select id, min(max(cast(events as integer), 0), \(Self.maximumEvents)), case typeof(record) when 'blob' then record else x'' end
                from entries
                order by id
                """)
        while let row = try rows.next() {
            let data: Data = row[2]
            let entry = SpoolRecord.entry(in: Array(data)[...])
            let events: Int = entry?.events ?? row[1]
            guard try body(Row(id: row[0], entry: entry?.bytes, events: events)) else { return }
        }
    }

    func remove(_ ids: [Int64]) throws {
        let statement = try db.cachedStatement(sql: "delete from entries where id = ?")
        for id in ids { try statement.execute(arguments: [id]) }
    }

    /// Stores the remains of a corrupt entry.
    func setAside(_ record: Data, reason: String) throws {
        try db.execute(
            sql: "insert into set_aside (reason, is_retried, events, record) values (?, false, 0, ?)",
            arguments: [reason, record])
    }

    /// Moves an entry to `set_aside`.
    ///
    /// - Parameter isRetried: Whether a retry might succeed.
    func setAside(_ id: Int64, reason: String, isRetried: Bool) throws {
        try db.execute(
            sql: """
                insert into set_aside (reason, is_retried, events, record)
                select ?, ?, events, record
                from entries
                where id = ?
                """, arguments: [reason, isRetried, id])
        try remove([id])
    }

    /// Appends the retryable entries of `set_aside` to the waiting entries, and returns their counts.
    func retrySetAside() throws -> (entries: Int, events: Int) {
        let count = try setAsideCount(isRetried: true)
        try db.execute(
            sql: """
                insert into entries (events, record)
                select events, record
                from set_aside
                where is_retried
                order by id;
                delete from set_aside
                where is_retried
                """)
        return count
    }

    func setAsideCount(isRetried: Bool? = nil) throws -> (entries: Int, events: Int) {
        let row = try GRDB.Row.fetchOne(
            db,
            sql: """
                select count(*), coalesce(sum(min(max(cast(events as integer), 0), \(Self.maximumEvents))), 0)
                from set_aside
                where is_retried = coalesce(?, is_retried)
                """, arguments: [isRetried])
        return (row?[0] ?? 0, row?[1] ?? 0)
    }

    /// Returns the last entries that were set aside and can be tried again. Retention waits for them until a day after they
    /// arrived.
    func awaitedEntries() throws -> [AwaitedEntry] {
        let rows = try GRDB.Row.fetchCursor(
            db, sql: "select record from set_aside where is_retried order by id desc limit 20")
        var entries: [AwaitedEntry] = []
        while let row = try rows.next() {
            let record: Data = row[0]
            guard let entry = SpoolRecord.entry(in: Array(record)[...]), let received = Spool.receivedAt(entry.bytes)
            else { continue }
            entries.append(AwaitedEntry(receivedAt: received, events: entry.events))
        }
        return entries
    }

    /// Replaces entries of `set_aside` by the ones that `body` returns; `nil` leaves an entry as it is.
    func replaceSetAside(_ body: (ArraySlice<UInt8>) -> [PackedEntry]?) throws {
        for id in try Int64.fetchAll(db, sql: "select id from set_aside order by id") {
            let record = try Data.fetchOne(db, sql: "select record from set_aside where id = ?", arguments: [id])
            guard let record, let entry = SpoolRecord.entry(in: Array(record)[...]), let packed = body(entry.bytes)
            else { continue }
            for entry in packed {
                try db.execute(
                    sql: """
                        insert into set_aside (set_aside_at, reason, is_retried, events, record)
                        select set_aside_at, reason, is_retried, ?, ?
                        from set_aside
                        where id = ?
                        """, arguments: [entry.events, SpoolRecord.bytes(of: entry), id])
            }
            try db.execute(sql: "delete from set_aside where id = ?", arguments: [id])
        }
    }

    /// Deletes the entries of `set_aside` that can't be retried and are older than this many seconds.
    func removeRemains(olderThan seconds: Int64) throws {
        try db.execute(
            sql: "delete from set_aside where not is_retried and set_aside_at <= datetime('now', ?)",
            arguments: ["-\(seconds) seconds"])
    }
}

extension [SpoolTransaction.AwaitedEntry] {
    /// Returns the number of events of the entries that retention waits for at some time.
    func events(at now: AfterpushWire.Timestamp) -> Int {
        reduce(0) { sum, entry in
            now.microseconds - entry.receivedAt.microseconds < 86_400 * 1_000_000 ? sum + entry.events : sum
        }
    }
}
