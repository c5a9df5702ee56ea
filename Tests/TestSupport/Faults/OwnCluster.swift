import Foundation
import Glibc
import LocalPostgres
import Postgres
import Storage

/// A PostgreSQL of one test's own, for tests that kill it, stop it or fill its disk.
package actor OwnCluster {
    package nonisolated let conninfo: String
    package nonisolated let directory: String
    private let configuration: LocalCluster.Configuration
    private var cluster: LocalCluster
    private let first: LocalCluster

    /// Makes one, migrated, for as long as `body` runs.
    ///
    /// - Parameters:
    ///   - durable: with the settings of real use, rather than without fsync.
    ///   - directory: an empty one, which is the caller's to remove.
    package static func with<T: Sendable>(
        durable: Bool = false, maxConnections: Int = 100, in directory: String? = nil,
        _ body: (OwnCluster) async throws -> T
    ) async throws -> T {
        let path =
            directory ?? FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // Root's server runs as another user, who must be let through.
        chmod(path, 0o755)
        var configuration = LocalCluster.Configuration(dataDirectory: path)
        configuration.throwaway = !durable
        configuration.maxConnections = maxConnections
        configuration.startTimeout = .seconds(60)
        let own = OwnCluster(try await LocalCluster.open(configuration, logger: TestCluster.logger), configuration)
        let result: Result<T, any Error>
        do {
            try await own.migrate()
            result = .success(try await body(own))
        } catch {
            result = .failure(error)
        }
        await own.close()
        if directory == nil { try? FileManager.default.removeItem(atPath: path) }
        return try result.get()
    }

    private init(_ cluster: LocalCluster, _ configuration: LocalCluster.Configuration) {
        self.cluster = cluster
        first = cluster
        self.configuration = configuration
        conninfo = cluster.conninfo
        directory = cluster.directory
        Leftovers.register(cluster)
    }

    private func migrate() async throws {
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        _ = try await Migrator().run(on: connection)
        await connection.close()
    }

    package var postmasterPID: Int32? { cluster.postmasterPID }

    /// Ends the server: SIGKILL, SIGINT for a fast shutdown, SIGQUIT for an immediate one.
    package func signal(_ signal: Int32) {
        if let pid = cluster.postmasterPID { kill(pid, signal) }
    }

    /// Starts the server again, once what is left of it has gone.
    package func start() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                let next = try await LocalCluster.open(configuration, logger: TestCluster.logger)
                // The one before holds a lock on the directory, and would stop the server when asked to close.
                await cluster.close()
                cluster = next
                return
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Stops the server as `pg_ctl restart -m fast` does, and starts it again.
    package func restart() async throws {
        signal(SIGINT)
        while cluster.postmasterPID != nil { try await Task.sleep(for: .milliseconds(20)) }
        try await start()
    }

    private func close() async {
        await cluster.close()
        if cluster.postmasterPID != nil { signal(SIGQUIT) }
        while cluster.postmasterPID != nil { try? await Task.sleep(for: .milliseconds(20)) }
        Leftovers.forget(first)
    }
}
