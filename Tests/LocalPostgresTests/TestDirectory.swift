import Foundation
import Glibc
import Logging
import Postgres
import Synchronization

@testable import LocalPostgres

/// A directory for one test's cluster, removed with everything that was created elsewhere for it.
final class TestDirectory: Sendable {
    let path: String
    private let base: String

    /// Creates the directory.
    ///
    /// - Parameter open: Whether other users can enter it, such as the server's user when root runs the tests.
    init(named name: String = "cluster", open: Bool = true) throws {
        self.base = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        self.path = self.base + "/" + name
        try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
        chmod(self.base, open ? 0o755 : 0o700)
        chmod(self.path, 0o755)
    }

    deinit {
        let layout = ClusterLayout(base: self.path)
        for layout in [layout, ClusterLayout.fallback(for: self.path)] {
            for pid in Postmaster.processes(in: layout.cluster) { kill(pid, SIGKILL) }
            try? FileManager.default.removeItem(atPath: layout.socketDirectory)
            try? FileManager.default.removeItem(atPath: layout.base)
        }
        try? FileManager.default.removeItem(atPath: self.base)
    }

    func configuration(throwaway: Bool = true) -> LocalCluster.Configuration {
        var configuration = LocalCluster.Configuration(dataDirectory: self.path)
        configuration.throwaway = throwaway
        return configuration
    }

    func open(
        logger: Logger = .silent, _ change: @Sendable (inout LocalCluster.Configuration) -> Void = { _ in }
    ) async throws -> LocalCluster {
        var configuration = self.configuration()
        change(&configuration)
        return try await LocalCluster.open(configuration, logger: logger)
    }
}

extension LocalCluster {
    /// The single value of a query.
    func value(_ sql: String) async throws -> String {
        let connection = try await Connection.open(PostgresConfiguration(conninfo: self.conninfo), logger: .silent)
        return try await connection.query(sql, format: .text)[0].text(0) ?? "NULL"
    }

    func script(_ sql: String) async throws {
        let connection = try await Connection.open(PostgresConfiguration(conninfo: self.conninfo), logger: .silent)
        try await connection.script(sql)
    }
}

extension Logger {
    static var silent: Logger { Logger(label: "tests", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

func script(_ conninfo: String, _ sql: String) async throws {
    try await Connection.open(PostgresConfiguration(conninfo: conninfo), logger: .silent).script(sql)
}
