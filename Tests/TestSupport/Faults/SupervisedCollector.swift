import Foundation
import Glibc

/// A collector that can be restarted with the same port and data directory, as by a supervisor.
package actor SupervisedCollector {
    package nonisolated let port: Int
    package nonisolated let dataDirectory: String
    private let conninfo: String
    private let arguments: [String]
    private let environment: [String: String]
    private let spool: String?
    private var process: CollectorProcess
    private let client: TestClient

    /// Runs a collector while `body` runs.
    ///
    /// - Parameter spooling: whether events that PostgreSQL can't store are spooled; a restart finds the same spool.
    package static func with<T: Sendable>(
        _ conninfo: String, arguments: [String] = [], environment: [String: String] = [:], spooling: Bool = true,
        _ body: (SupervisedCollector) async throws -> T
    ) async throws -> T {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-data-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let arguments = ["--data-dir", directory] + arguments
        let spool = spooling ? directory + "/spool" : nil
        let process = try await CollectorProcess(
            conninfo: conninfo, arguments: arguments, environment: environment, spool: spool)
        let collector = SupervisedCollector(conninfo, directory, arguments, environment, spool, process)
        let result: Result<T, any Error>
        do { result = .success(try await body(collector)) } catch { result = .failure(error) }
        await collector.kill()
        return try result.get()
    }

    private init(
        _ conninfo: String, _ directory: String, _ arguments: [String], _ environment: [String: String],
        _ spool: String?, _ process: CollectorProcess
    ) {
        self.conninfo = conninfo
        self.arguments = arguments
        self.environment = environment
        self.spool = spool
        self.process = process
        dataDirectory = directory
        port = process.port
        client = TestClient(url: process.url, timeout: 10)
    }

    package var pid: Int32 { process.pid }
    package var isRunning: Bool { process.isRunning }
    package var errorOutput: String { process.errorOutput }

    package func signal(_ signal: Int32) { process.signal(signal) }

    package func exitCode(within time: Duration) async -> Int32? { await process.exitCode(within: time) }

    /// Sends SIGKILL; the collector is not restarted.
    package func kill() async {
        guard process.isRunning else { return }
        await process.kill()
    }

    /// Starts the collector again and returns the time until it was ready.
    @discardableResult
    package func start() async throws -> Duration {
        let start = ContinuousClock.now
        process = try await CollectorProcess(
            conninfo: conninfo, port: port, arguments: arguments, environment: environment, spool: spool)
        while await status("/readyz") != 200 {
            guard start.duration(to: .now) < .seconds(60) else { throw Program.Failed(message: "it is not ready") }
            try await Task.sleep(for: .milliseconds(10))
        }
        return start.duration(to: .now)
    }

    /// The status of a health path; nil without a response.
    package nonisolated func status(_ path: String) async -> Int? {
        try? await client.get(path, key: nil).status
    }
}
