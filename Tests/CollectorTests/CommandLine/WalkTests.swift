import Foundation
import TestSupport
import Testing

/// Runs the commands in the documentation, as they stand there, against a real collector.
///
/// On each page of `docs` and in the README, every code block marked `sh` is run, in order and in one shell, and every
/// block marked `text` or `json output` must appear in what the commands before it printed; `...` in it stands for
/// anything within a line. Commands with `--app demo` run on the demo's data. Blocks that can't be run here are marked
/// `sh not-run`, and outputs that are not compared `text example`. A comment that begins with `<!-- run` holds commands
/// that the reader does not see.
@Suite struct WalkTests {
    @Test(arguments: try WalkPage.all()) func `every command of a page works and prints what the page says`(
        page: WalkPage
    ) async throws {
        let directory = try Self.directory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let conninfo = page.usesDemo ? try await Self.demo.value : try await TestCluster.database()
        let collector = try await CollectorProcess(conninfo: conninfo)
        let script = Self.prelude + "cd '\(directory.path)'\n" + page.script(collector: collector.url)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let run = try await Program.run(
            ["-c", script], program: URL(filePath: "/bin/bash"),
            environment: ["PATH": directory.path + ":" + path, "AFTERPUSH_DATABASE_URL": conninfo])
        await collector.stop()

        #expect(run.status == 0, "\(page.path): \(run.error)\n\(run.output)")
        let printed = run.output.components(separatedBy: WalkPage.separator).dropFirst()
        for (step, output) in zip(page.steps, printed) {
            for expected in step.outputs where !WalkPage.text(output, shows: expected) {
                Issue.record("\(page.path), line \(step.line): expected\n\(expected)\nin\n\(output)")
            }
        }
    }

    @Test func `the pages that walk a reader through have commands and outputs`() throws {
        let pages = Dictionary(uniqueKeysWithValues: try WalkPage.all().map { ($0.path, $0) })
        for path in ["README.md", "docs/getting-started.md", "docs/first-campaign.md"] {
            let page = try #require(pages[path], "\(path) has no commands")
            #expect(page.steps.count >= 2 && page.steps.contains { !$0.outputs.isEmpty }, "\(path)")
        }
    }

    /// A database with the demo's data, filled once for all pages whose examples are of it.
    private static let demo = Task {
        let conninfo = try await TestCluster.database()
        let run = try await Program.run(
            ["demo", "--exit", "--port", "0", "--database-url", conninfo], environment: ["AFTERPUSH_SPOOL_BYTES": "0"])
        guard run.status == 0 else { throw Program.Failed(message: run.error) }
        return conninfo
    }

    /// A temporary directory with the program and the files of the repository that commands name.
    private static func directory() throws -> URL {
        let files = FileManager.default
        let directory = files.temporaryDirectory.appending(path: "walk-\(UUID().uuidString.prefix(8))")
        try files.createDirectory(at: directory, withIntermediateDirectories: true)
        try files.createSymbolicLink(
            at: directory.appending(path: "afterpush"), withDestinationURL: Program.url)
        for name in ["dashboards", "docs", "sql"] {
            try files.createSymbolicLink(
                at: directory.appending(path: name), withDestinationURL: Program.root.appending(path: name))
        }
        return directory
    }

    /// Stops at the first failure; `settled` waits until the rollups have every event that was posted.
    private static let prelude = """
        exec 2>&1
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
}
