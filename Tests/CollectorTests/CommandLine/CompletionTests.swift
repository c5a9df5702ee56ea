import Foundation
import TestSupport
import Testing

/// Tests what a shell offers after the Tab key.
@Suite struct CompletionTests {
    /// The words that bash offers for the last word of a command.
    private func offered(_ words: [String], _ conninfo: String) async throws -> [String] {
        let script = """
            PATH=\(Program.shell([Program.url.deletingLastPathComponent().path])):$PATH
            source <(afterpush --generate-completion-script bash)
            COMP_WORDS=(\(Program.shell(words))) COMP_CWORD=\(words.count - 1)
            COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
            _afterpush afterpush "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let output = try await Program.run(
            ["-c", script], program: URL(filePath: "/bin/bash"), environment: ["AFTERPUSH_DATABASE_URL": conninfo])
        #expect(output.status == 0, "\(output.error)")
        return output.output.split(separator: "\n").map(String.init)
    }

    @Test func `names of apps are offered, and one that a shell would run does nothing`() async throws {
        let app = try await TestApp(named: "shop-2.0")
        let file = FileManager.default.temporaryDirectory.appending(path: "made-\(UUID().uuidString.prefix(8))").path
        for name in ["$(touch \(file))", "`touch \(file)`", "-x", "a b"] {
            try await TestCluster.script("insert into afterpush.apps (name) values ('\(name)')", on: app.conninfo)
        }
        #expect(try await offered(["afterpush", "keys", "create", "--app", ""], app.conninfo) == ["shop-2.0"])
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try await offered(["afterpush", "keys", "create", "--scope", "in"], app.conninfo) == ["ingest"])
    }
}
