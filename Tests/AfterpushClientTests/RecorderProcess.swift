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

    /// Waits until it has recorded so many.
    func said(_ count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(100)
        let bytes = count * (UUID().uuidString.utf8.count + 1)
        while true {
            let size = try FileManager.default.attributesOfItem(atPath: output.path)[.size] as? Int ?? 0
            if size >= bytes { return }
            guard process.isRunning, ContinuousClock.now < deadline else { throw POSIXError(.ETIMEDOUT) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The memory that it takes.
    var residentKiB: Int {
        let status = FileManager.default.contents(atPath: "/proc/\(process.processIdentifier)/status")
            .map { String(decoding: $0, as: UTF8.self) }
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
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
