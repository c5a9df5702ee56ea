import Foundation
import Glibc
package import LocalPostgres
package import Logging
import Postgres
import Storage

/// A throwaway PostgreSQL for the tests of this process, stopped when it ends.
package enum TestCluster {
    package static let logger = Logger(label: "tests", factory: { _ in SwiftLogNoOpLogHandler() })

    /// One cluster for all; a test that kills one opens its own.
    package static let shared = Task {
        let cluster = try await open()
        Leftovers.register(cluster)
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
        // Root's server runs as another user, who must be let through.
        chmod(path, 0o755)
        var configuration = LocalCluster.Configuration(dataDirectory: path)
        configuration.throwaway = throwaway
        // Every test has a database of its own, and some several collectors.
        configuration.maxConnections = 400
        return try await LocalCluster.open(configuration, logger: logger)
    }

    /// A new database, migrated unless it is to be empty.
    package static func database(empty: Bool = false) async throws -> String {
        let cluster = try await shared.value
        let name = "t" + UUID().uuidString.filter(\.isHexDigit).lowercased()
        try await script("create database \(name)" + (empty ? "" : " template \(template)"), on: cluster.conninfo)
        return conninfo(of: name, in: cluster)
    }

    /// - Parameter limit: how long it may take, instead of the 15 s of every statement.
    package static func script(_ sql: String, on conninfo: String, within limit: Duration? = nil) async throws {
        let connection = try await Connection.open(PostgresConfiguration(conninfo: conninfo), logger: logger)
        try await connection.script(sql, replyTimeout: limit)
        await connection.close()
    }

    private static let template = "afterpush_template"

    private static func conninfo(of database: String, in cluster: LocalCluster) -> String {
        cluster.conninfo.replacing(/dbname='?[a-z]+'?/, with: "dbname=\(database)")
    }
}
