import Foundation
import Glibc

@testable import AfterpushClient

/// A process that records events until it is killed, and says what it recorded.
final class RecorderProcess {
    private let process = Process()
    private let output: URL

    init(_ directory: TestDirectory, seconds: Double) throws {
        output = directory.url.appendingPathComponent("said-\(UUID().uuidString)")
        try Data().write(to: output)
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("RecordingProcess")
        process.arguments = [directory.url.path, "\(seconds)"]
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
    }

    /// Kills it at once. Returns the ids of what it recorded.
    func kill() -> [UUID] {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let said = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        try? FileManager.default.removeItem(at: output)
        // A line without an end was not all said.
        return said.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap {
            UUID(uuidString: String($0))
        }
    }
}
