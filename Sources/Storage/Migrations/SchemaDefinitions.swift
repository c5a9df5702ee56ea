import Crypto
import Foundation
package import Postgres
package import SQLFiles

/// What a schema has besides its tables and can always be created again: functions, views, data and grants.
///
/// All of it is installed again, in one transaction, whenever the digest of its files differs from the one that the
/// database keeps.
package struct SchemaDefinitions: Sendable {
    /// What `Migrator` reports as applied or pending when the digests differ.
    package static let name = "functions, views and grants"

    private let frozenFunctions: [SQLFile]
    private let others: [SQLFile]
    private let grants: SQLFile
    private let digest: String

    package init(
        frozenFunctions: [SQLFile] = SQLFiles.frozenFunctions,
        others: [SQLFile] = SQLFiles.functionsAndViews + SQLFiles.data,
        grants: SQLFile = SQLFiles.grants
    ) {
        self.frozenFunctions = frozenFunctions
        self.others = others
        self.grants = grants
        self.digest = Self.digest(frozenFunctions + others + [grants])
    }

    /// Whether the database has these definitions.
    ///
    /// The table of the digest exists if the schema does.
    func isInstalled(_ connection: isolated Connection) throws(PostgresError) -> Bool {
        try connection.query("select encode(digest, 'hex') from afterpush.installed_definitions")
            .first?.decode(String?.self, column: 0) == digest
    }

    /// Installs the functions that tables need, which so have to exist first.
    func installFrozenFunctions(_ connection: isolated Connection) throws(PostgresError) {
        for file in frozenFunctions { try Self.install(file, as: "afterpush_owner", connection) }
    }

    /// Installs all definitions and notes their digest.
    func install(_ connection: isolated Connection) throws(PostgresError) {
        try installFrozenFunctions(connection)
        for file in others { try Self.install(file, as: "afterpush_owner", connection) }
        // The migrating login is a member of all roles, so it can grant for those that own functions.
        try Self.install(grants, as: nil, connection)
        try connection.execute(
            """
            insert into afterpush.installed_definitions (digest, installed_at)
            values (decode($1, 'hex'), now())
            on conflict (singleton) do update set digest = excluded.digest, installed_at = excluded.installed_at
            """, [.text(digest)])
    }

    private static func install(
        _ file: SQLFile, as role: String?, _ connection: isolated Connection
    ) throws(PostgresError) {
        // Functions may name others that come later in the list: bodies are checked when they run.
        try connection.execute("set local check_function_bodies = off")
        if let role { try connection.execute("set local role \(role)") }
        do {
            try connection.script(file.text, replyTimeout: .seconds(3_600))
        } catch {
            var error = error
            error.context = "sql file \(file.name)"
            throw error
        }
        try connection.execute("reset role")
    }

    private static func digest(_ files: [SQLFile]) -> String {
        var hash = SHA256()
        for file in files {
            // Lengths keep two lists apart whose texts join to the same bytes.
            hash.update(data: Data("\(file.name) \(file.text.utf8.count)\n".utf8))
            hash.update(data: Data(file.text.utf8))
        }
        return hash.finalize().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
