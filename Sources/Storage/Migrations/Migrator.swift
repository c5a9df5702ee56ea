import Crypto
package import Foundation
package import Postgres
package import SQLFiles

/// Brings a database's schema up to date: all pending migrations in one transaction, or none.
package struct Migrator: Sendable {
    /// SHA-256 of texts that a migration had on main for some hours; later migrations bring what they made to the same end.
    private static let earlierChecksums: [String: Set<String>] = [
        "V0045_slow_reports": ["79647ae6e944ca07a3a175085209a875e605d03595b9b98de24c43f5f2051830"]
    ]

    private let migrations: [SQLFile]

    package init(migrations: [SQLFile] = SQLFiles.migrations) {
        self.migrations = migrations
    }

    /// Applies what is pending and returns the names of what it applied.
    ///
    /// Two that migrate at the same moment take turns, by a lock that ends with the transaction: of the table of migrations, or,
    /// while there is none, an advisory one, which others may take too.
    ///
    /// - Throws: `MigrationError` if what was applied is not what this program knows; `PostgresError`.
    package func run(on connection: Connection, at now: Date = Date()) async throws -> [String] {
        try await connection.transaction { connection in
            if try !Self.hasBegun(connection) {
                try connection.execute("select pg_advisory_xact_lock(hashtext('afterpush.schema_migrations'))")
            }
            try Self.prepare(connection)
            try connection.execute("lock table afterpush.schema_migrations in share row exclusive mode")
            let pending = try self.pending(after: Self.applied(connection))
            for migration in pending { try Self.apply(migration, connection) }
            try connection.execute(
                "select afterpush.ensure_partitions($1, 3, 3)",
                [.timestamp(Int64(now.timeIntervalSince1970 * 1_000_000))])
            return pending.map(\.name)
        }
    }

    /// The names of the migrations that are not applied yet.
    package func pending(on connection: Connection) async throws -> [String] {
        try await connection.transaction(.readOnlyRepeatable) { connection in
            try self.pending(after: Self.hasBegun(connection) ? Self.applied(connection) : [:]).map(\.name)
        }
    }

    private func pending(after applied: [String: String]) throws(MigrationError) -> [SQLFile] {
        let known = Set(migrations.map(\.name))
        if let foreign = applied.keys.filter({ !known.contains($0) }).min() { throw .newer(name: foreign) }
        for migration in migrations {
            guard let checksum = applied[migration.name] else { continue }
            if checksum != Self.checksum(migration), Self.earlierChecksums[migration.name]?.contains(checksum) != true {
                throw .edited(name: migration.name)
            }
        }
        return migrations.filter { applied[$0.name] == nil }
    }

    /// Whether any was ever applied.
    private static func hasBegun(_ connection: isolated Connection) throws(PostgresError) -> Bool {
        try connection.query("select to_regclass('afterpush.schema_migrations') is not null")
            .first?.decode(Bool.self, column: 0) == true
    }

    private static func prepare(_ connection: isolated Connection) throws(PostgresError) {
        try connection.execute("set local statement_timeout = 0")
        try connection.execute("create schema if not exists afterpush")
        try connection.execute(
            """
            create table if not exists afterpush.schema_migrations (
                name text primary key,
                checksum bytea not null,
                applied_at timestamptz not null default now()
            )
            """)
        for comment in [
            "table afterpush.schema_migrations is 'Migrations that were applied to this schema.'",
            "column afterpush.schema_migrations.name is 'The migration''s file, without the ending.'",
            "column afterpush.schema_migrations.checksum is 'SHA-256 of the file.'",
            "column afterpush.schema_migrations.applied_at is 'When it was applied.'",
        ] { try connection.execute("comment on \(comment)") }
    }

    private static func applied(_ connection: isolated Connection) throws(PostgresError) -> [String: String] {
        var applied: [String: String] = [:]
        for row in try connection.query("select name, encode(checksum, 'hex') from afterpush.schema_migrations") {
            let (name, checksum) = try row.decode(String.self, String.self)
            applied[name] = checksum
        }
        return applied
    }

    private static func apply(_ migration: SQLFile, _ connection: isolated Connection) throws(PostgresError) {
        // What a migration makes belongs to the owner role; the first one makes that role.
        let ownerExists =
            try connection.query("select to_regrole('afterpush_owner') is not null").first?
            .decode(Bool.self, column: 0) ?? false
        if ownerExists, migration.name != "V0001_schema_and_roles" {
            try connection.execute("set local role afterpush_owner")
        }
        do {
            try connection.script(migration.text, replyTimeout: .seconds(3_600))
        } catch {
            var error = error
            error.context = "migration \(migration.name)"
            throw error
        }
        try connection.execute("reset role")
        try connection.execute(
            "insert into afterpush.schema_migrations (name, checksum) values ($1, decode($2, 'hex'))",
            [.text(migration.name), .text(checksum(migration))])
    }

    private static func checksum(_ migration: SQLFile) -> String {
        SHA256.hash(data: Data(migration.text.utf8))
            .map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
