import Foundation
import TestSupport
import Testing

/// Reports of a team's own.
@Suite struct OwnReportTests {
    private func directory() -> String {
        FileManager.default.temporaryDirectory.path + "/afterpush-reports-\(UUID().uuidString.prefix(8))"
    }

    @Test func `a new report works as it stands, in the program, over HTTP and in psql`() async throws {
        let app = try await TestApp()
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let made = try await Program.run(["reports", "new", "late-night", "--reports", directory])
        #expect(made.status == 0 && made.output == "\(directory)/late-night.sql\n", "\(made.output) \(made.error)")
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
        let client = TestClient(url: collector.url)
        let event = EventJSON.event(["kind": "sent", "campaign_id": "spring"])
        #expect(try await client.post("/v1/events", EventJSON.body([event]), key: app.sendKey).status == 200)
        try await app.rolledUp()
        let answer = try await client.get("/v1/reports/late-night", key: app.readKey)
        let rows = try answer.json()["rows"] as? [[String: Any]]
        #expect(rows?.first?["campaign_id"] as? String == "spring", "\(answer.text)")
        #expect(rows?.first?["deliveries"] as? Int == 1)
        let output = try await Program.run([
            "report", "late-night", "--format", "csv", "--reports", directory, "--database-url", app.conninfo,
        ])
        #expect(output.output.hasPrefix("campaign_id,day,deliveries,response_rate\r\n"), "\(output.error)")
        let psql = try await Program.psql(
            app.conninfo, file: "\(directory)/late-night.sql", variables: ["app": "shop"])
        #expect(psql.contains("spring"))
        await collector.stop()
    }

    @Test func `one that exists, is built in or has no name of a report is not written`() async throws {
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for (name, words) in [
            ("conversion", "a built-in report"), ("Big", "small letters"), ("../x", "small letters"), ("", "small"),
        ] {
            let refused = try await Program.run(["reports", "new", name, "--reports", directory])
            #expect(refused.status == 2 && refused.error.contains(words), "\(name): \(refused.error)")
        }
        _ = try await Program.run(["reports", "new", "mine", "--reports", directory])
        let again = try await Program.run(["reports", "new", "mine", "--reports", directory])
        #expect(again.status == 2 && again.error.contains("exists already"), "\(again.error)")
        let nowhere = try await Program.run(["reports", "new", "mine"])
        #expect(nowhere.status == 2 && nowhere.error.contains("--reports DIR"), "\(nowhere.error)")
    }

    @Test func `a report that tries more than to read its app is refused, and the others are served`() async throws {
        let app = try await TestApp()
        _ = try await TestApp(named: "other", conninfo: app.conninfo)
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        func write(_ name: String, _ sql: String) throws {
            let head = "-- title: T\n-- column: x text  x\n\\if :{?app} \\else \\set app '' \\endif\n"
            try Data((head + sql).utf8).write(to: URL(filePath: "\(directory)/\(name).sql"))
        }
        try write("two", "select '1' as x; select '2' as x;")
        try write("shell", "\\! touch /tmp/x\nselect '1' as x;")
        try write("copy", "copy afterpush.events to program 'cat';")
        try write("others", "select name as x from afterpush.apps order by 1;")
        try write("role", "select set_config('role', 'postgres', true) as x;")
        try write("file", "select pg_read_file('/etc/passwd') as x;")
        try write("keys", "select encode(key_hash, 'hex') as x from afterpush.api_keys;")
        try write("writes", "with d as (delete from afterpush.events returning 1) select 'x' as x from d;")
        try write("good", "select :'app' as x;")
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
        let client = TestClient(url: collector.url)
        func status(_ name: String) async throws -> Int {
            try await client.get("/v1/reports/\(name)", key: app.readKey).status
        }
        for name in ["two", "shell", "copy"] { #expect(try await status(name) == 404, "\(name)") }
        for name in ["role", "file", "keys", "writes"] { #expect(try await status(name) >= 400, "\(name)") }
        let others = try await client.get("/v1/reports/others", key: app.readKey)
        #expect(others.text.contains("shop") && !others.text.contains("\"other\""), "\(others.text)")
        for name in ["good", "conversion"] { #expect(try await status(name) == 200, "\(name)") }
        #expect(collector.errorOutput.contains("shell") && collector.errorOutput.contains("two"))
        await collector.stop()
    }

    @Test func `a report that has not changed is not sent again`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let first = try await Program.run(
            ["-sSi", "-H", "Authorization: Bearer \(app.readKey)", "\(collector.url)/v1/reports/conversion"],
            program: URL(filePath: "/usr/bin/curl"))
        let tag = try #require(first.output.firstMatch(of: /[Ee][Tt]ag: (\S+)/)?.1, "\(first.output)")
        let second = try await Program.run(
            [
                "-sSi", "-H", "Authorization: Bearer \(app.readKey)", "-H", "If-None-Match: \(tag)",
                "\(collector.url)/v1/reports/conversion",
            ], program: URL(filePath: "/usr/bin/curl"))
        #expect(second.output.hasPrefix("HTTP/1.1 304"), "\(second.output)")
        let event = EventJSON.event(["kind": "sent"])
        let client = TestClient(url: collector.url)
        #expect(try await client.post("/v1/events", EventJSON.body([event]), key: app.sendKey).status == 200)
        try await app.rolledUp()
        let third = try await Program.run(
            [
                "-sSi", "-H", "Authorization: Bearer \(app.readKey)", "-H", "If-None-Match: \(tag)",
                "\(collector.url)/v1/reports/conversion",
            ], program: URL(filePath: "/usr/bin/curl"))
        #expect(third.output.hasPrefix("HTTP/1.1 200"), "\(third.output)")
        await collector.stop()
    }
}
