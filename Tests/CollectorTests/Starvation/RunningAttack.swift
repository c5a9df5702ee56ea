import AttackProcess
import Foundation
import TestSupport

/// An attack in a process of its own.
final class RunningAttack: @unchecked Sendable {
    // Safe: `process` is set once, and only its pid and state are read afterwards.
    private let process: Process
    private let output: String

    /// Starts an attack.
    ///
    /// - Parameters:
    ///   - key: the ingest key of the attacker's app.
    ///   - rate: bytes per second.
    init(_ attack: StarvationAttack, port: Int, isSecure: Bool, key: String, rate: Double) throws {
        output = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(12))"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process = Process()
        process.executableURL = Program.url.deletingLastPathComponent().appending(path: "AttackProcess")
        process.arguments = [attack.rawValue, "\(port)", key, "\(rate)"] + (isSecure ? ["tls"] : [])
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardInput = FileHandle.nullDevice
        try process.runAlone()
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
