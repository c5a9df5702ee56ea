import Foundation
import Glibc
import LocalPostgres
import Postgres
import Storage

/// A PostgreSQL cluster for a single test that kills it, stops it or fills its disk.
package actor DedicatedCluster {
    package nonisolated let conninfo: String
    package nonisolated let directory: String
    private let configuration: LocalCluster.Configuration
    private var cluster: LocalCluster
    private let first: LocalCluster

    /// Runs a migrated cluster while `body` runs.
    ///
    /// - Parameters:
    ///   - durable: whether to use the settings of production instead of disabling fsync.
    ///   - directory: an empty directory, which the caller removes.
    package static func with<T: Sendable>(
        durable: Bool = false, maxConnections: Int = 100, in directory: String? = nil,
        _ body: (DedicatedCluster) async throws -> T
    ) async throws -> T {
        let path =
            directory ?? FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // The server runs as another user if started by root, and needs access to the directory.
        chmod(path, 0o755)
        var configuration = LocalCluster.Configuration(dataDirectory: path)
        configuration.throwaway = !durable
        configuration.maxConnections = maxConnections
        configuration.startTimeout = .seconds(60)
        let own = DedicatedCluster(
            try await LocalCluster.open(configuration, logger: TestCluster.logger), configuration)
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
        ExitCleanup.register(cluster)
    }

    private func migrate() async throws {
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        _ = try await Migrator().run(on: connection)
        await connection.close()
    }

    package var postmasterPID: Int32? { cluster.postmasterPID }

    /// Ends the server by SIGKILL, SIGINT (fast shutdown) or SIGQUIT (immediate shutdown).
    package func signal(_ signal: Int32) {
        if let pid = cluster.postmasterPID { kill(pid, signal) }
    }

    /// Ends all processes of the server at once, as a power failure does.
    ///
    /// After a SIGKILL to the postmaster alone, its other processes can still commit for a moment.
    package func failAtOnce() {
        guard let pid = cluster.postmasterPID else { return }
        // So that it starts no further process meanwhile.
        kill(pid, SIGSTOP)
        for process in Self.children(of: pid) + [pid] { kill(process, SIGKILL) }
    }

    private static func children(of parent: Int32) -> [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { Int32($0) }.filter { process in
            let status = FileManager.default.contents(atPath: "/proc/\(process)/status") ?? Data()
            return String(decoding: status, as: UTF8.self).contains("\nPPid:\t\(parent)\n")
        }
    }

    /// Starts the server again when its remaining processes have ended.
    package func start() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                let next = try await LocalCluster.open(configuration, logger: TestCluster.logger)
                // The previous object holds a lock on the directory and would stop the server when closed.
                await cluster.close()
                cluster = next
                return
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Restarts the server as `pg_ctl restart -m fast` does.
    package func restart() async throws {
        signal(SIGINT)
        while cluster.postmasterPID != nil { try await Task.sleep(for: .milliseconds(20)) }
        try await start()
    }

    private func close() async {
        await cluster.close()
        if cluster.postmasterPID != nil { signal(SIGQUIT) }
        while cluster.postmasterPID != nil { try? await Task.sleep(for: .milliseconds(20)) }
        ExitCleanup.forget(first)
    }
}
