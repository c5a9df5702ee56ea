import Foundation
import TestSupport
import Testing

/// The README's walk, as it stands there, against a real collector.
@Suite struct WalkTests {
    private struct Section {
        var commands: [String] = []
        var outputs: [String] = []

        init(_ heading: String) throws {
            let readme = try String(contentsOf: Program.root.appending(path: "README.md"), encoding: .utf8)
            let start = try #require(readme.range(of: "\n## \(heading)\n")).upperBound
            let end = try #require(readme.range(of: "\n## ", range: start..<readme.endIndex)).lowerBound
            for match in readme[start..<end].matches(of: /```(sh|text)\n((?s:.*?))```/) {
                if match.1 == "sh" { commands.append(String(match.2)) } else { outputs.append(String(match.2)) }
            }
        }
    }

    /// What stops at the first failure, and can wait until what was posted is in the rollups.
    private static let prelude = """
        set -euo pipefail
        curl() { command curl -sS --fail-with-body "$@"; }
        settled() {
            for _ in $(seq 600); do
                waiting=$(psql -X "$AFTERPUSH_DATABASE_URL" -Atc \
                    'select count(*) from afterpush.batches where rolled_up_at is null')
                if [ "$waiting" = 0 ]; then return; fi
                sleep 0.1
            done
            return 1
        }

        """

    @Test func `every command of the walk works, and prints what the README says`() async throws {
        let section = try Section("A campaign from declaration to conversion")
        #expect(section.commands.count >= 7 && !section.outputs.isEmpty)
        let directory = FileManager.default.temporaryDirectory.appending(path: "walk-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createSymbolicLink(
            at: directory.appending(path: "afterpush"), withDestinationURL: Program.url)
        let conninfo = try await TestCluster.database()
        let collector = try await CollectorProcess(conninfo: conninfo)
        let blocks = section.commands.map { $0.replacing("http://127.0.0.1:8080", with: collector.url) }
        let script = Self.prelude + "cd '\(directory.path)'\n" + blocks.joined(separator: "settled\n")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let output = try await Program.run(
            ["-c", script], program: URL(filePath: "/bin/bash"),
            environment: ["PATH": directory.path + ":" + path, "AFTERPUSH_DATABASE_URL": conninfo])
        #expect(output.status == 0, "\(output.error)\n\(output.output)")
        for expected in section.outputs { #expect(output.output.contains(expected), "\(output.output)") }
        for told in [
            #"{"changed":[{"identifier":"trips","version":1}]"#, #"{"id":"autumn""#, #"{"accepted":2,"#, "Unregistered",
        ] { #expect(output.output.contains(told), "\(told) is not in: \(output.output)") }
        let checked = try String(contentsOf: directory.appending(path: "checked.json"), encoding: .utf8)
        #expect(!checked.contains(#""severity":"error""#), "\(checked)")
        await collector.stop()
    }
}
