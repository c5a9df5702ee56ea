import Crypto
import Foundation
import Postgres
package import SQLFiles

/// What a schema has besides its tables and can always be created again: functions, views, data and grants.
///
/// The database keeps a checksum of each file. A file whose checksum differs is installed again; so a view that did not
/// change is not locked while reports read it.
package struct SchemaDefinitions: Sendable {
    /// What `Migrator` reports as applied or pending when a file differs.
    package static let name = "functions, views and grants"

    private let frozenFunctions: [SQLFile]
    private let others: [SQLFile]
    private let grants: SQLFile

    package init(
        frozenFunctions: [SQLFile] = SQLFiles.frozenFunctions,
        others: [SQLFile] = SQLFiles.functionsAndViews + SQLFiles.data,
        grants: SQLFile = SQLFiles.grants
    ) {
        self.frozenFunctions = frozenFunctions
        self.others = others
        self.grants = grants
    }

    /// Whether the database has all of these definitions, and no others.
    func areInstalled(_ connection: isolated Connection) throws(PostgresError) -> Bool {
        let installed = try Self.installed(connection)
        let files = frozenFunctions + others + [grants]
        return installed.count == files.count && files.allSatisfy { installed[$0.name] == $0.checksum }
    }

    /// Installs the functions that tables need, so they have to exist before the tables do.
    func installFrozenFunctions(_ connection: isolated Connection) throws(PostgresError) {
        for file in frozenFunctions { try Self.install(file, as: "afterpush_owner", connection) }
    }

    /// Installs what differs, then all grants.
    ///
    /// - Parameter whole: Install every file: a schema file may have dropped what depends on what it changed.
    func install(whole: Bool, _ connection: isolated Connection) throws(PostgresError) {
        let installed = try Self.installed(connection)
        for file in frozenFunctions + others where whole || installed[file.name] != file.checksum {
            try Self.install(file, as: "afterpush_owner", connection)
        }
        // The login that migrates is a member of all roles, so it can grant for those that own functions.
        try Self.install(grants, as: nil, connection)
        let files = frozenFunctions + others + [grants]
        try connection.execute(SQLFiles.clearInstalledDefinitions.text)
        try connection.execute(
            SQLFiles.recordInstalledDefinitions.text,
            [.textArray(files.map(\.name)), .textArray(files.map(\.checksum))])
    }

    private static func installed(_ connection: isolated Connection) throws(PostgresError) -> [String: String] {
        var installed: [String: String] = [:]
        for row in try connection.query(SQLFiles.listInstalledDefinitions.text) {
            let (name, checksum) = try row.decode(String.self, String.self)
            installed[name] = checksum
        }
        return installed
    }

    private static func install(
        _ file: SQLFile, as role: String?, _ connection: isolated Connection
    ) throws(PostgresError) {
        // Functions may call others that come later in the list: bodies are checked when they run.
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
}

extension SQLFile {
    /// SHA-256 of the text, in hex.
    var checksum: String {
        SHA256.hash(data: Data(text.utf8)).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
