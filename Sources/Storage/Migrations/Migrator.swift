package import Foundation
package import Postgres
package import SQLFiles

/// Updates a database's schema in one transaction: pending schema files, then functions, views and grants.
package struct Migrator: Sendable {
    /// The first schema file of the unreleased versions. No later version has a file with this name.
    private static let unreleasedFirstFile = "V0001_schema_and_roles"

    private let schema: [SQLFile]
    private let definitions: SchemaDefinitions

    package init(schema: [SQLFile] = SQLFiles.schema, definitions: SchemaDefinitions = SchemaDefinitions()) {
        self.schema = schema
        self.definitions = definitions
    }

    /// Applies what is pending and returns the names of what it applied.
    ///
    /// Two processes that migrate at the same time take turns. They lock the table of migrations until the transaction
    /// ends, or take an advisory lock, which other roles could also take, before that table exists.
    ///
    /// - Throws: `MigrationError` if this program can't upgrade the database; `PostgresError`.
    package func run(on connection: Connection, at now: Date = Date()) async throws -> [String] {
        try await connection.transaction { connection in
            try connection.execute("set local statement_timeout = 0")
            // What is made stays on the coordinator. Without Citus, this setting means nothing.
            try connection.execute("set local citus.enable_ddl_propagation = off")
            try Self.takeTurn(connection)
            let pending = try self.pending(after: Self.applied(connection))
            var applied: [String] = []
            for file in pending {
                // The first file creates the roles, which own everything else.
                let isFirst = file.name == schema.first?.name
                try Self.apply(file, asOwner: !isFirst, connection)
                if isFirst { try definitions.installFrozenFunctions(connection) }
                applied.append(file.name)
            }
            if try !applied.isEmpty || !definitions.areInstalled(connection) {
                try definitions.install(whole: !applied.isEmpty, connection)
                applied.append(SchemaDefinitions.name)
            }
            try connection.execute(
                SQLFiles.callEnsurePartitions.text,
                [.timestamp(Int64(now.timeIntervalSince1970 * 1_000_000)), .int4(3), .int4(3)])
            return applied
        }
    }

    /// Returns the names of what is not applied yet, in order of application.
    package func pending(on connection: Connection) async throws -> [String] {
        try await connection.transaction(.readOnlyRepeatable) { connection in
            guard try Self.hasBegun(connection) else { return schema.map(\.name) + [SchemaDefinitions.name] }
            let pending = try self.pending(after: Self.applied(connection)).map(\.name)
            return try definitions.areInstalled(connection) ? pending : pending + [SchemaDefinitions.name]
        }
    }

    /// Returns whether pending files mean that the database has no schema of Afterpush yet.
    package func isEmpty(_ pending: [String]) -> Bool {
        pending.first == schema.first?.name
    }

    private func pending(after applied: [String: String]) throws(MigrationError) -> [SQLFile] {
        if applied[Self.unreleasedFirstFile] != nil { throw .unreleased }
        let known = Set(schema.map(\.name))
        if let foreign = applied.keys.filter({ !known.contains($0) }).min() {
            throw .newer(name: String(foreign.map { $0.isNewline ? " " : $0 }))
        }
        for file in schema {
            guard let checksum = applied[file.name] else { continue }
            if checksum != file.checksum { throw .edited(name: file.name) }
        }
        return schema.filter { applied[$0.name] == nil }
    }

    /// Waits without a time limit until no other process migrates; other locks keep their time limit.
    private static func takeTurn(_ connection: isolated Connection) throws(PostgresError) {
        let limit = try connection.query("select current_setting('lock_timeout')").first?.decode(String.self, column: 0)
        try connection.execute("set local lock_timeout = 0")
        if try !hasBegun(connection) {
            try connection.execute("select pg_advisory_xact_lock(hashtext('afterpush.schema_migrations'))")
        }
        if try !hasBegun(connection) { try begin(connection) }
        try connection.execute("lock table afterpush.schema_migrations in share row exclusive mode")
        try connection.execute("select set_config('lock_timeout', $1, true)", [.text(limit ?? "0")])
    }

    /// Returns whether this database was ever migrated.
    private static func hasBegun(_ connection: isolated Connection) throws(PostgresError) -> Bool {
        try connection.query(SQLFiles.checkSchemaExists.text)
            .first?.decode(Bool.self, column: 0) == true
    }

    private static func begin(_ connection: isolated Connection) throws(PostgresError) {
        try connection.script(SQLFiles.beginSchema.text)
    }

    private static func applied(_ connection: isolated Connection) throws(PostgresError) -> [String: String] {
        var applied: [String: String] = [:]
        for row in try connection.query(SQLFiles.listSchemaFiles.text) {
            let (name, checksum) = try row.decode(String.self, String.self)
            applied[name] = checksum
        }
        return applied
    }

    private static func apply(
        _ file: SQLFile, asOwner: Bool, _ connection: isolated Connection
    ) throws(PostgresError) {
        if asOwner { try connection.execute("set local role afterpush_owner") }
        do {
            try connection.script(file.text, replyTimeout: .seconds(3_600))
        } catch {
            var error = error
            error.context = "schema file \(file.name)"
            throw error
        }
        try connection.execute("reset role")
        try connection.execute(
            SQLFiles.recordSchemaFile.text,
            [.text(file.name), .text(file.checksum)])
    }
}

/// An error that prevents a migration or the use of a schema.
package enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A schema file was edited after it was applied to this database.
    case edited(name: String)
    /// The database was made by an unreleased version, whose schema no version can upgrade.
    case unreleased
    /// A newer version of the program migrated the database.
    case newer(name: String)
    /// The database has no schema of Afterpush.
    case missing
    /// The named schema files, or the functions and views, have not been applied yet.
    case pending(names: [String])

    package var description: String {
        switch self {
        case .edited(let name):
            """
            this database was made with a different text of schema file \(name), so it can't be upgraded; \
            \(Self.waysOut)
            """
        case .unreleased:
            "this database was made by an unreleased version of Afterpush and can't be upgraded; \(Self.waysOut)"
        case .newer(let name):
            "this database was migrated by a newer version of Afterpush, which knows \(name); run that version"
        case .missing:
            "the database has no schema of Afterpush; 'afterpush migrate' creates it"
        case .pending(let names):
            "the schema is not up to date; run 'afterpush migrate' (pending: \(names.joined(separator: ", ")))"
        }
    }

    private static let waysOut = """
        export its events with the version that made it ('afterpush export events --format ndjson --include-text'), \
        make a new database, and import them there ('afterpush import')
        """
}
