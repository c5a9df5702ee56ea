import AttackProcess
import Foundation
import TestSupport

/// An attack in a process of its own.
final class RunningAttack: Sendable {
    private let process: ChildProcess
    private let output: String

    /// Starts an attack.
    ///
    /// - Parameters:
    ///   - key: the ingest key of the attacker's app.
    ///   - rate: bytes per second.
    init(_ attack: StarvationAttack, port: Int, isSecure: Bool, key: String, rate: Double) throws {
        output = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(12))"
        process = try ChildProcess(
            Program.url.deletingLastPathComponent().appending(path: "AttackProcess"),
            [attack.rawValue, "\(port)", key, "\(rate)"] + (isSecure ? ["tls"] : []),
            output: URL(filePath: output))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(atPath: output)
    }

    /// Ends the attack and returns what it did.
    func stop() async throws -> AttackCounts {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        while process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        guard let counts = lines.last.flatMap({ AttackCounts(line: $0) }) else {
            throw Program.Failed(message: "the attacker did nothing")
        }
        return counts
    }
}
