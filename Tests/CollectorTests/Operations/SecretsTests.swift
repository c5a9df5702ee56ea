import Foundation
import Glibc
import LocalPostgres
import Postgres
import Storage
import TestSupport
import Testing

/// Tests E52: no log, metric or error contains a key, token, typed text, payload or connection string.
@Suite struct SecretsTests {
    @Test func `E52: no output contains received data, even at log level trace and during failures`() async throws {
        let cluster = try await TestCluster.open()
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: cluster.conninfo), logger: TestCluster.logger)
        _ = try await Migrator().run(on: connection)
        await connection.close()
        let app = try await TestApp(conninfo: cluster.conninfo)
        try await TestCluster.script(
            "alter table afterpush.events add constraint poison check (campaign_id is distinct from 'canary-poison')",
            on: cluster.conninfo)
        let reports = try Self.reportThatFails()
        defer { try? FileManager.default.removeItem(atPath: reports) }
        let collector = try await CollectorProcess(
            conninfo: cluster.conninfo + " password='canary-password'",
            arguments: ["--log-level", "trace", "--reports", reports])
        let client = TestClient(url: collector.url)
        var outputs: [String] = []

        outputs += try await sendCanaries(client, app)
        // An outage: PostgreSQL and all its connections are killed.
        if let pid = cluster.postmasterPID { kill(pid, SIGKILL) }
        outputs += try await sendCanaries(client, app)
        #expect(outputs.count { $0.contains("storage_unavailable") || $0.contains("unavailable") } > 0)
        outputs.append(try await client.get("/metrics", key: nil).text)
        let deadline = ContinuousClock.now + .seconds(30)
        while !collector.errorOutput.contains(#""cause":"database_away""#), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(100))
        }
        let log = collector.errorOutput
        await collector.stop()
        outputs.append(collector.errorOutput)
        #expect(log.contains(#""level":"debug""#), "the log has debug lines")
        #expect(log.contains(#""cause":"database_away""#))

        var secrets = ["canary", app.ingestKey, app.sendKey, app.readKey]
        // Without the beginning of a key, which contains only its scope.
        secrets += [app.ingestKey, app.sendKey, app.readKey].map { String($0.suffix(20)) }
        for text in outputs {
            for secret in secrets {
                let place = text.range(of: secret).map { text[..<$0.lowerBound].suffix(200) + "<HERE>" }
                #expect(place == nil, "\(place ?? "")")
            }
        }
        await app.database.shutdown()
        await cluster.close()
        try? FileManager.default.removeItem(atPath: cluster.directory)
    }

    /// Sends good and bad requests with canary values in every possible place, and returns the responses.
    private func sendCanaries(_ client: TestClient, _ app: TestApp) async throws -> [String] {
        let token = "eyJhbGciOiJIUzI1NiJ9.canary-claims.canary-signature"
        let reply: [String: any Sendable] = [
            "kind": "text_input", "action_identifier": "canary-action", "user_text": "canary-text",
            "campaign_id": "canary-campaign", "device_id": "canary-device", "note": "canary-property",
        ]
        let events = [
            EventJSON.event(reply), EventJSON.event(["campaign_id": "canary-poison"]),
            EventJSON.event(["receipt": token]), EventJSON.event(["kind": "canary-kind"]),
            EventJSON.event(["occurred_at": "canary-time"]), EventJSON.event(["value": "canary-number"]),
            EventJSON.event(["platform": "canary-platform"]), ["canary-field": "canary-value"],
        ]
        var bodies = [try EventJSON.body(events), try EventJSON.body([events[1]])]
        bodies += ["canary", #"{"events":[{"canary":"#, #"{"events":"canary"}"#].map { Data($0.utf8) }
        var responses: [String] = []
        for body in bodies {
            for key in [app.ingestKey, "canary-key", app.readKey] {
                responses.append(try await client.post("/v1/events", body, key: key).text)
            }
        }
        for (header, value) in [
            ("Authorization", "Basic Y2FuYXJ5OmNhbmFyeQ=="), ("Authorization", "canary canary"),
            ("Content-Type", "canary/canary"), ("Content-Encoding", "canary"), ("X-Canary", "canary"),
        ] { responses.append(try await client.post("/v1/events", bodies[0], key: nil, headers: [header: value]).text) }
        for path in [
            "/v1/canary?canary=canary", "/v1/reports/conversion?campaign=canary&by=campaign", "/canary",
            "/v1/reports/mine", "/v1/reports/actions?key=canary",
        ] {
            let response = try await client.get(path, key: app.readKey)
            // A report's response contains its parameters.
            if response.status != 200 { responses.append(response.text) }
        }
        // The response contains the ids of rejected events.
        return responses
    }

    /// A directory with a report for which the database's error quotes a value.
    private static func reportThatFails() throws -> String {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        chmod(directory, 0o755)
        let text = try String(
            contentsOf: Program.root.appending(path: "sql/reports/conversion.sql"), encoding: .utf8)
        let head = text.split(separator: "\n", omittingEmptySubsequences: false).prefix {
            $0.hasPrefix("--") || $0.hasPrefix("\\")
        }
        try Data((head.joined(separator: "\n") + "\nselect 'canary-sql'::integer\n").utf8)
            .write(to: URL(filePath: directory + "/mine.sql"))
        return directory
    }
}
