import Crypto
import Foundation
import Postgres
package import SQLFiles

/// The functions, views, data and grants of a schema, which can be created again at any time, unlike tables.
///
/// The database has a checksum of each file. Only a file whose checksum differs is installed again, so an unchanged
/// view is not locked while reports read it.
package struct SchemaDefinitions: Sendable {
    /// The name that `Migrator` reports as applied or pending when a file differs.
    package static let name = "functions, views and grants"

    private let frozenFunctions: [SQLFile]
    private let others: [SQLFile]
    private let grants: SQLFile
    private let restrictions: SQLFile

    package init(
        frozenFunctions: [SQLFile] = SQLFiles.frozenFunctions,
        others: [SQLFile] = SQLFiles.functionsAndViews + SQLFiles.data,
        grants: SQLFile = SQLFiles.grants, restrictions: SQLFile = SQLFiles.restrictPublic
    ) {
        self.frozenFunctions = frozenFunctions
        self.others = others
        self.grants = grants
        self.restrictions = restrictions
    }

    private var files: [SQLFile] { frozenFunctions + others + [grants, restrictions] }

    /// Returns whether the database has exactly these definitions.
    func areInstalled(_ connection: isolated Connection) throws(PostgresError) -> Bool {
        let installed = try Self.installed(connection)
        let files = self.files
        return installed.count == files.count && files.allSatisfy { installed[$0.name] == $0.checksum }
    }

    /// Installs the functions that tables depend on, which have to exist before the tables.
    func installFrozenFunctions(_ connection: isolated Connection) throws(PostgresError) {
        for file in frozenFunctions { try Self.install(file, as: "afterpush_owner", connection) }
    }

    /// Installs the files that differ, then all grants, and then the restrictions of PUBLIC.
    ///
    /// Only a superuser can restrict PUBLIC, and other applications in the database may need what that takes from them.
    /// `doctor` says what is not restricted.
    ///
    /// - Parameter whole: Whether to install every file, because a schema file may have dropped dependent objects.
    func install(whole: Bool, _ connection: isolated Connection) throws(PostgresError) {
        let installed = try Self.installed(connection)
        for file in frozenFunctions + others where whole || installed[file.name] != file.checksum {
            try Self.install(file, as: "afterpush_owner", connection)
        }
        // The login that migrates is a member of all roles, so it can grant privileges on functions of any role.
        try Self.install(grants, as: nil, connection)
        if try Self.isRestrictable(connection) { try Self.install(restrictions, as: nil, connection) }
        try connection.execute(SQLFiles.clearInstalledDefinitions.text)
        try connection.execute(
            SQLFiles.recordInstalledDefinitions.text,
            [.textArray(files.map(\.name)), .textArray(files.map(\.checksum))])
    }

    private static func isRestrictable(_ connection: isolated Connection) throws(PostgresError) -> Bool {
        try connection.query(SQLFiles.checkRestrictable.text).first?.decode(Bool.self, column: 0) ?? false
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
        // A function may call one that is installed later, so bodies are not checked now.
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
    /// The SHA-256 of the text in hexadecimal.
    var checksum: String {
        SHA256.hash(data: Data(text.utf8)).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
