import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Where scripts/require-clients installs schemathesis.
private enum Schemathesis {
    static let program = Program.root.appending(path: ".build/clients/bin/schemathesis")
    static let config = Program.root.appending(path: "Tests/CollectorTests/Fixtures/schemathesis.toml")
    static let missing: Comment =
        "SKIPPED: the description is not tested by schemathesis, because scripts/require-clients has not installed it"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program.path) }
}

/// Tests with schemathesis that the OpenAPI description agrees with what the collector accepts and returns.
///
/// `Fixtures/schemathesis.toml` lists the exceptions.
@Suite(.serialized, .enabled(if: Schemathesis.isInstalled, Schemathesis.missing), .timeLimit(.minutes(10)))
struct SchemathesisTests {
    /// Runs all checks of schemathesis with a key, the same each time, and returns what it found.
    private static func findings(_ key: String, of url: String) async throws -> String? {
        let report = try await Program.run(
            [
                "--config-file", Schemathesis.config.path, "run", url + "/openapi.json", "--header",
                "Authorization: Bearer \(key)",
                "--max-examples", "1", "--seed", "7", "--request-timeout", "20", "--phases",
                "examples,coverage,fuzzing", "--generation-database", "none",
            ], program: Schemathesis.program, environment: ["NO_PROXY": "127.0.0.1", "COLUMNS": "120"])
        return report.status == 0 ? nil : report.output + report.error
    }

    @Test(arguments: [Scope.manage, .read, .send, .ingest])
    func `schemathesis finds nothing with a key of each scope`(_ scope: Scope) async throws {
        let app = try await TestApp()
        _ = try await app.receiptSecret()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let key = try await app.registry.createKey(app: app.app, scope: scope)
        let findings = try await Self.findings(key, of: collector.url)
        #expect(findings == nil, "\(findings ?? "")")
        let errors = collector.errorOutput.split(separator: "\n").filter { $0.contains(#""level":"error""#) }
        #expect(errors.isEmpty, "\(errors)")
        await collector.stop()
    }
}
