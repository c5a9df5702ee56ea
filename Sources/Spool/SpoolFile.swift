import Foundation
import GRDB
import Glibc

/// One SQLite file of entries, in the order in which they came.
///
/// A rollback journal with full synchronisation rather than a write-ahead log: when a transaction has ended, all of it
/// is in the one file, synced, and the journal is empty, synced as well. A damaged byte then costs the entry that it is
/// in. In a log it would silently cost all entries behind it. The price, some more syncs for a group, is paid only while
/// PostgreSQL is away.
///
/// Pages are as large as SQLite makes them, and no entry is larger than a page, so that `SpoolSalvage` finds entries
/// whole in a file that SQLite can't read any more.
struct SpoolFile {
    static let pageSize = 65_536
    /// A record that fits a page besides SQLite's own bytes.
    static let entryLimit = 65_000 - SpoolRecord.headLength
    private static let applicationID = 0x4170_7370
    private static let version = 1
    private static let schema = [
        """
        create table entries (
            id integer primary key,
            events integer not null,
            record blob not null
        )
        """,
        """
        create table set_aside (
            id integer primary key,
            set_aside_at text not null default current_timestamp,
            reason text not null,
            is_retried integer not null,
            events integer not null,
            record blob not null
        )
        """,
    ]

    private let queue: DatabaseQueue

    /// Opens the file, or makes it; with entries in it or none, but sound.
    ///
    /// - Throws: what SQLite throws, or `SpoolDamage`.
    init(path: String) throws {
        // SQLite would let the group and others read it, umask permitting.
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SpoolError.unusable(reason: "cannot open the file: \(String(cString: strerror(errno)))")
        }
        let isNew = lseek(descriptor, 0, SEEK_END) == 0
        Glibc.close(descriptor)
        var configuration = Configuration()
        // An operator, or `afterpush doctor`, may be looking at it.
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            // The page size counts only before the first page is written.
            try db.execute(
                sql: """
                    pragma page_size = \(Self.pageSize);
                    pragma synchronous = full;
                    pragma secure_delete = on;
                    pragma cell_size_check = on;
                    pragma temp_store = memory;
                    """)
            _ = try String.fetchOne(db, sql: "pragma journal_mode = truncate")
        }
        if !isNew { try Self.checkHead(path) }
        queue = try DatabaseQueue(path: path, configuration: configuration)
        if isNew { try queue.write(Self.create) } else { try check() }
    }

    func close() {
        try? queue.close()
    }

    /// One transaction, synced when it returns.
    func write<Value>(_ body: (SpoolTransaction) throws -> Value) throws -> Value {
        try queue.write { try body(SpoolTransaction(db: $0)) }
    }

    func read<Value>(_ body: (SpoolTransaction) throws -> Value) throws -> Value {
        try queue.read { try body(SpoolTransaction(db: $0)) }
    }

    /// Gives the room of drained entries back to the disk.
    func shrink() throws {
        try queue.vacuum()
    }

    private static func create(_ db: GRDB.Database) throws {
        for table in schema { try db.execute(sql: table) }
        try db.execute(sql: "pragma application_id = \(applicationID); pragma user_version = \(version)")
    }

    /// What SQLite would take for a wish of ours: another page size, read only, a write-ahead log.
    private static func checkHead(_ path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        let head = Array("SQLite format 3\0".utf8) + [0, 1, 1, 1]
        guard try file.read(upToCount: head.count) == Data(head) else { throw SpoolDamage() }
    }

    /// Whether it is a spool's file and SQLite can find its way about it; the entries themselves have checksums.
    private func check() throws {
        try queue.read { db in
            let stated = try String.fetchAll(db, sql: "select sql from sqlite_schema order by rowid")
            // SQLite keeps the text as written, except for the first words.
            guard stated == Self.schema.map({ $0.replacing("create table", with: "CREATE TABLE", maxReplacements: 1) }),
                try Int.fetchOne(db, sql: "pragma application_id") == Self.applicationID,
                try Int.fetchOne(db, sql: "pragma user_version") == Self.version,
                try Int.fetchOne(db, sql: "pragma page_size") == Self.pageSize,
                try String.fetchAll(db, sql: "pragma quick_check(1)") == ["ok"]
            else { throw SpoolDamage() }
        }
    }
}

/// The file is no sound spool.
struct SpoolDamage: Error {}
