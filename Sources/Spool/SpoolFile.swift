import Files
import Foundation
import GRDB
import Glibc

/// An SQLite file of entries in the order of their arrival.
///
/// It uses a rollback journal with full synchronisation rather than a write-ahead log: when a transaction has ended,
/// all of it is synced to the one file, and the journal is empty and synced as well. A damaged byte then costs only
/// the entry that contains it. In a log it would silently cost all later entries. The price, a few more syncs per
/// group, is paid only while PostgreSQL is unavailable.
///
/// Pages have the maximum size of SQLite, and no entry is larger than a page, so that `SpoolSalvage` finds complete
/// entries in a file that SQLite can no longer read.
struct SpoolFile {
    static let pageSize = 65_536
    /// The maximum size of an entry in bytes, whose record fits into a page together with SQLite's own bytes.
    static let entryLimit = 65_000 - SpoolRecord.headLength
    /// What SQLite and a record's head take besides an entry, and a page besides its records; both at most.
    private static let (rowOverhead, pageOverhead) = (SpoolRecord.headLength + 32, 32)
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

    /// Returns how much an entry takes if all are as large: a record doesn't continue on a second page, so as many as fit
    /// into a page divide it among them.
    static func size(ofEntry bytes: Int) -> Int {
        pageSize / max(1, (pageSize - pageOverhead) / (bytes + rowOverhead))
    }

    /// Opens a file or creates it, and checks its structure.
    ///
    /// - Throws: `SpoolDamage`, `SpoolError` or an error of SQLite.
    init(path: String) throws {
        try Self.requireRegularFiles(besides: path)
        // SQLite would create a file that the group and others can read, umask permitting.
        let descriptor: Int32
        do throws(RegularFile.Refused) {
            descriptor = try RegularFile.open(path, O_RDWR | O_CREAT, mode: 0o600)
        } catch {
            throw SpoolError.unusable(reason: "cannot open the file: \(error)")
        }
        let isNew = lseek(descriptor, 0, SEEK_END) == 0
        Glibc.close(descriptor)
        var configuration = Configuration()
        // An operator or `afterpush doctor` may be reading it.
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            // The page size takes effect only before the first page is written.
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

    /// Runs a transaction, which is synced when the method returns.
    func write<Value>(_ body: (SpoolTransaction) throws -> Value) throws -> Value {
        try queue.write { try body(SpoolTransaction(db: $0)) }
    }

    func read<Value>(_ body: (SpoolTransaction) throws -> Value) throws -> Value {
        try queue.read { try body(SpoolTransaction(db: $0)) }
    }

    /// Returns the space of drained entries to the disk.
    func shrink() throws {
        try queue.vacuum()
    }

    /// Requires that what SQLite opens beside the file is no pipe, for which it would wait, and no link.
    static func requireRegularFiles(besides path: String) throws(SpoolError) {
        for suffix in ["-journal", "-wal", "-shm"] {
            var status = stat()
            guard lstat(path + suffix, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { continue }
            throw .unusable(reason: "\(path)\(suffix) is no regular file")
        }
    }

    private static func create(_ db: GRDB.Database) throws {
        for table in schema { try db.execute(sql: table) }
        try db.execute(sql: "pragma application_id = \(applicationID); pragma user_version = \(version)")
    }

    /// Checks header bytes that SQLite would follow even if damaged: page size, read-only mode and write-ahead log.
    private static func checkHead(_ path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        let head = Array("SQLite format 3\0".utf8) + [0, 1, 1, 1]
        guard try file.read(upToCount: head.count) == Data(head) else { throw SpoolDamage() }
    }

    /// Checks that the file is a spool that SQLite can read; the entries themselves have checksums.
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

/// An error for a file that is not a valid spool.
struct SpoolDamage: Error {}

/// An error of the spool file, classified as damage of the file or failure of the disk.
struct SpoolFailure: CustomStringConvertible {
    /// Whether the file is damaged; it is then searched for entries and replaced.
    let isDamage: Bool
    /// The error in a form that is safe to log, without statement or values.
    let description: String

    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            isDamage = error is SpoolDamage
            description =
                isDamage
                ? "the file is not a valid spool"
                : (error as? SpoolError)?.description ?? (error as? RegularFile.Refused)?.description
                    ?? "\(type(of: error))"
            return
        }
        isDamage =
            switch error.resultCode {
            case .SQLITE_ERROR, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_SCHEMA, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT,
                .SQLITE_FORMAT, .SQLITE_TOOBIG, .SQLITE_RANGE:
                true
            default: error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
            }
        description = "SQLite error \(error.extendedResultCode.rawValue): \(error.resultCode)"
    }
}
