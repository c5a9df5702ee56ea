import Foundation
import Glibc
import LocalPostgres
import Postgres
import Storage
import TestSupport

/// A PostgreSQL cluster for a single test that can be stopped, suspended and started again.
final class OutageCluster {
    let app: TestApp
    private var cluster: LocalCluster
    private let directory: String

    init() async throws {
        cluster = try await TestCluster.open(throwaway: false)
        directory = cluster.directory
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: cluster.conninfo), logger: TestCluster.logger)
        _ = try await Migrator().run(on: connection)
        await connection.close()
        app = try await TestApp(conninfo: cluster.conninfo)
    }

    /// Stops the server immediately, as a crash would.
    func stop() async throws {
        guard let pid = cluster.postmasterPID else { throw Program.Failed(message: "no server") }
        kill(pid, SIGQUIT)
        while cluster.postmasterPID != nil { try await Task.sleep(for: .milliseconds(20)) }
    }

    func start() async throws {
        var configuration = LocalCluster.Configuration(dataDirectory: directory)
        configuration.startTimeout = .seconds(60)
        cluster = try await LocalCluster.open(configuration, logger: TestCluster.logger)
    }

    /// Sends a signal to the server and all its processes, to suspend or continue them.
    func signal(_ signal: Int32) throws {
        guard let pid = cluster.postmasterPID else { throw Program.Failed(message: "no server") }
        let children = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init)
            .filter { Self.parent(of: $0) == pid }
        for process in [pid] + children { kill(process, signal) }
    }

    func close() async {
        await app.database.shutdown()
        await cluster.close()
        try? FileManager.default.removeItem(atPath: directory)
    }

    private static func parent(of pid: Int32) -> Int32? {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let fields = status.split(separator: ")").last?.split(separator: " "), fields.count > 1
        else { return nil }
        return Int32(fields[1])
    }
}
