import Foundation
import Glibc
import TestSupport

/// A running `afterpush demo`.
final class DemoProcess {
    private let process: ChildProcess
    private let output: URL

    init(conninfo: String) throws {
        output = FileManager.default.temporaryDirectory.appending(path: "afterpush-\(UUID().uuidString.prefix(8))")
        try Data().write(to: output)
        process = try ChildProcess(
            Program.url, ["demo", "--port", "0", "--database-url", conninfo],
            environment: ProcessInfo.processInfo.environment.merging(["AFTERPUSH_SPOOL_BYTES": "0"]) { $1 },
            output: output)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: output)
    }

    /// Waits until the output matches.
    func text(matching pattern: Regex<Substring>) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            if let match = text.firstMatch(of: pattern) { return String(match.output) }
            guard process.isRunning else { throw Program.Failed(message: "the demo ended: \(text)") }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Program.Failed(message: "the demo did not print it")
    }

    func stop() async {
        kill(process.processIdentifier, SIGTERM)
        while process.isRunning { try? await Task.sleep(for: .milliseconds(20)) }
    }
}
