import Foundation
import GRDB

/// What can be done with the entries of a spool's file, within one transaction.
struct SpoolTransaction {
    struct Row: Sendable {
        let id: Int64
        /// What the record holds; nil if it is not whole.
        let entry: ArraySlice<UInt8>?
        /// Number of events; for an incomplete record, the number it claims.
        let events: Int
    }

    /// More events than any entry has: what is said of a damaged one is not believed beyond it.
    private static let mostEvents = 5_000

    let db: GRDB.Database

    /// Bytes of the file that hold something.
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

    /// Visits the entries in the order in which they came, until `body` returns false.
    func visit(_ body: (Row) throws -> Bool) throws {
        // A column of another type than it should have is damage too: read as nothing.
        let rows = try GRDB.Row.fetchCursor(
            db,
            sql: """
                select id, min(max(cast(events as integer), 0), \(Self.mostEvents)), case typeof(record) when 'blob' then record else x'' end
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

    /// Keeps the remains of a corrupt entry.
    func setAside(_ record: Data, reason: String) throws {
        try db.execute(
            sql: "insert into set_aside (reason, is_retried, events, record) values (?, false, 0, ?)",
            arguments: [reason, record])
    }

    /// - Parameter isRetried: whether another try may succeed.
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

    /// Puts those that were set aside for a reason that may have passed behind the entries that wait.
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
                select count(*), coalesce(sum(min(max(cast(events as integer), 0), \(Self.mostEvents))), 0)
                from set_aside
                where is_retried = coalesce(?, is_retried)
                """, arguments: [isRetried])
        return (row?[0] ?? 0, row?[1] ?? 0)
    }
}
