import Foundation
import Glibc
import Subprocess

@testable import AfterpushClient

/// A process that records events until it is killed and prints what it recorded.
struct RecorderProcess {
    private let pid: Int32
    private let output: URL

    /// Runs a process until `body` has returned, kills it, and returns the ids of the events that it recorded.
    static func run(
        in directory: TestDirectory, seconds: Double, _ body: (RecorderProcess) async throws -> Void
    ) async throws -> [UUID] {
        let output = directory.url.appendingPathComponent("recorded-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        try Data().write(to: output)
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("RecordingProcess")
        let script = #"exec "$0" "$1" "$2" > "$3""#
        _ = try await Subprocess.run(
            .name("sh"), arguments: ["-c", script, program.path, directory.url.path, "\(seconds)", output.path],
            input: .none, output: .discarded, error: .discarded
        ) { execution in
            let pid = execution.processIdentifier.value
            defer { kill(pid, SIGKILL) }
            try await body(RecorderProcess(pid: pid, output: output))
        }
        let lines = try String(contentsOf: output, encoding: .utf8)
        // A line without a line end is incomplete.
        return lines.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap {
            UUID(uuidString: String($0))
        }
    }

    /// Waits until the process has recorded that many events.
    func waitUntilRecorded(_ count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(100)
        let bytes = count * (UUID().uuidString.utf8.count + 1)
        while true {
            let size = try FileManager.default.attributesOfItem(atPath: output.path)[.size] as? Int ?? 0
            if size >= bytes { return }
            guard ContinuousClock.now < deadline else { throw POSIXError(.ETIMEDOUT) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The resident memory of the process.
    var residentKiB: Int {
        let status = FileManager.default.contents(atPath: "/proc/\(pid)/status")
            .map { String(decoding: $0, as: UTF8.self) }
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
