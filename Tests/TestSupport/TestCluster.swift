import Foundation
import Glibc
package import LocalPostgres
package import Logging
import Postgres
import Storage

/// A temporary PostgreSQL for the tests of this process, stopped when the process ends.
package enum TestCluster {
    package static let logger = Logger(label: "tests", factory: { _ in SwiftLogNoOpLogHandler() })

    /// The cluster that all tests share; a test that kills a cluster opens its own.
    package static let shared = Task {
        let cluster = try await open()
        ExitCleanup.register(cluster)
        try await script("create database \(template)", on: cluster.conninfo)
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: conninfo(of: template, in: cluster)), logger: logger)
        _ = try await Migrator().run(on: connection)
        await connection.close()
        return cluster
    }

    package static func open(throwaway: Bool = true) async throws -> LocalCluster {
        let path = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // The server runs as another user if started by root, and needs access to the directory.
        chmod(path, 0o755)
        var configuration = LocalCluster.Configuration(dataDirectory: path)
        configuration.throwaway = throwaway
        // Every test has its own database, and some have several collectors.
        configuration.maxConnections = 400
        return try await LocalCluster.open(configuration, logger: logger)
    }

    /// Creates a database, migrated unless it shall be empty, and returns its connection string.
    package static func database(empty: Bool = false) async throws -> String {
        let cluster = try await shared.value
        let name = "t" + UUID().uuidString.filter(\.isHexDigit).lowercased()
        try await script("create database \(name)" + (empty ? "" : " template \(template)"), on: cluster.conninfo)
        // A template's privileges on the database itself are not copied.
        if !empty {
            try await script(
                """
                revoke temporary on database \(name) from public;
                grant temporary on database \(name) to afterpush_owner
                """, on: cluster.conninfo)
        }
        return conninfo(of: name, in: cluster)
    }

    /// Runs statements over a new connection.
    ///
    /// They have two minutes, not the program's ten seconds: a preparation may write tens of thousands of rows, while
    /// other tests compute beside it.
    package static func script(_ sql: String, on conninfo: String) async throws {
        var configuration = PostgresConfiguration(conninfo: conninfo)
        configuration.statementTimeout = .seconds(120)
        configuration.replyTimeout = .seconds(130)
        let connection = try await Connection.open(configuration, logger: logger)
        try await connection.script(sql)
        await connection.close()
    }

    private static let template = "afterpush_template"

    private static func conninfo(of database: String, in cluster: LocalCluster) -> String {
        // Hundreds of tests share the server, so a connection can take longer than the program waits by default.
        cluster.conninfo.replacing(/dbname='?[a-z]+'?/, with: "dbname=\(database)") + " connect_timeout=30"
    }
}
