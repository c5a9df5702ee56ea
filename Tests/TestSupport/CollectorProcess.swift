import Foundation
import Glibc

/// The program, running as `afterpush serve` on a free port.
package final class CollectorProcess: Sendable {
    private let process: ChildProcess
    private let log: String
    package let port: Int

    package var url: String { "http://127.0.0.1:\(port)" }

    /// Starts a collector and waits until it listens.
    ///
    /// - Parameters:
    ///   - conninfo: the database; without one the arguments name a data directory.
    ///   - port: 0 chooses a free port.
    ///   - environment: settings such as `AFTERPUSH_HTTP_IDLE_TIMEOUT`.
    ///   - wrapper: a program such as `prlimit` that executes the collector, with its arguments.
    ///   - spool: the spool's directory; without one the spool is off.
    package init(
        conninfo: String?, port: Int = 0, arguments: [String] = [], environment: [String: String] = [:],
        wrapper: [String] = [], spool: String? = nil
    ) async throws {
        log = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8)).log"
        // Started by env(1), which executes the program: a preloaded library may be needed by both.
        let command =
            ["/usr/bin/env"] + wrapper + [
                Program.url.path, "serve", "--port", String(port),
            ] + (conninfo.map { ["--database-url", $0] } ?? [])
        process = try ChildProcess(
            URL(filePath: command[0]), command.dropFirst() + arguments,
            environment: ProcessInfo.processInfo.environment
                .merging(spool.map { ["AFTERPUSH_SPOOL_DIR": $0] } ?? ["AFTERPUSH_SPOOL_BYTES": "0"]) { $1 }
                .merging(environment) { $1 },
            error: URL(filePath: log))
        ExitCleanup.register(collector: process.processIdentifier)
        self.port = try await Self.port(process, log)
    }

    deinit {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        ExitCleanup.forget(collector: process.processIdentifier)
        try? FileManager.default.removeItem(atPath: log)
    }

    /// A path for a spool that several collectors use one after another.
    package static func spoolDirectory() -> String {
        FileManager.default.temporaryDirectory.path + "/afterpush-spool-\(UUID().uuidString.prefix(8))"
    }

    package var pid: Int32 { process.processIdentifier }

    /// The standard error output so far.
    package var errorOutput: String {
        FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    package var isRunning: Bool { process.isRunning }

    package func signal(_ signal: Int32) {
        Glibc.kill(process.processIdentifier, signal)
    }

    /// Waits until the collector has ended and returns its exit code; nil if it is still running at the deadline.
    package func exitCode(within time: Duration) async -> Int32? {
        let deadline = ContinuousClock.now + time
        while process.isRunning {
            guard ContinuousClock.now < deadline else { return nil }
            try? await Task.sleep(for: .milliseconds(20))
        }
        ExitCleanup.forget(collector: process.processIdentifier)
        return process.terminationStatus
    }

    /// A size from `/proc/PID/status`, such as `VmHWM`, in KiB.
    package func size(_ name: String) -> Int? {
        let status = FileManager.default.contents(atPath: "/proc/\(pid)/status").map {
            String(decoding: $0, as: UTF8.self)
        }
        let line = status?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }

    package func kill() async {
        Glibc.kill(process.processIdentifier, SIGKILL)
        await ended()
    }

    /// Sends SIGTERM and returns the exit code.
    @discardableResult
    package func stop() async -> Int32 {
        Glibc.kill(process.processIdentifier, SIGTERM)
        await ended()
        return process.terminationStatus
    }

    private func ended() async {
        while process.isRunning { try? await Task.sleep(for: .milliseconds(20)) }
        ExitCleanup.forget(collector: process.processIdentifier)
    }

    private static func port(_ process: ChildProcess, _ log: String) async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let text = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
            if let match = text.firstMatch(of: /listening on https?:\/\/[^:]+:([0-9]+)[^0-9]/),
                let port = Int(match.1)
            {
                return port
            }
            guard process.isRunning else { throw Program.Failed(message: text) }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Program.Failed(message: "it did not listen within a minute")
    }
}
