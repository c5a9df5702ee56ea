import Foundation
import TestSupport
import Testing

/// Tests custom reports.
@Suite struct CustomReportTests {
    private func directory() -> String {
        FileManager.default.temporaryDirectory.path + "/afterpush-reports-\(UUID().uuidString.prefix(8))"
    }

    @Test func `a new custom report works unchanged in the program, over HTTP and in psql`() async throws {
        let app = try await TestApp()
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let new = try await Program.run(["reports", "new", "late-night", "--reports", directory])
        #expect(new.status == 0 && new.output == "\(directory)/late-night.sql\n", "\(new.output) \(new.error)")
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
        let client = TestClient(url: collector.url)
        let event = EventJSON.event(["kind": "sent", "campaign_id": "spring"])
        #expect(try await client.post("/v1/events", EventJSON.body([event]), key: app.sendKey).status == 200)
        try await app.waitForRollups()
        let response = try await client.get("/v1/reports/late-night", key: app.readKey)
        let rows = try response.json()["rows"] as? [[String: Any]]
        #expect(rows?.first?["campaign_id"] as? String == "spring", "\(response.text)")
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

    @Test func `the template of a new report says the numbers of conversion, also of refused deliveries`() async throws
    {
        let app = try await TestApp()
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        _ = try await Program.run(["reports", "new", "mine", "--reports", directory])
        var events: [[String: any Sendable]] = []
        for number in 0..<40 {
            func event(_ kind: String, _ minutes: Int) -> [String: any Sendable] {
                EventJSON.event([
                    "kind": kind, "notification_id": "n-\(number)", "device_id": "d-\(number)",
                    "campaign_id": number % 2 == 0 ? "spring" : "local",
                    "occurred_at": "2026-11-\(19 + number % 3)T10:\(10 + minutes):00Z",
                ])
            }
            // The campaign `local` reports few sends, so its base is what devices confirmed.
            if number % 2 == 0 || number == 1 { events.append(event("sent", 0)) }
            if number % 2 == 1 { events.append(event("delivered", 1)) }
            if number % 4 == 2 { events.append(event("opened", 5)) }
            if number % 7 == 1 { events.append(event("opened", 6)) }
        }
        // The provider refused these: they are in no base.
        for number in 0..<5 {
            events.append(
                EventJSON.event([
                    "kind": "failed", "notification_id": "f-\(number)", "device_id": "f-\(number)",
                    "campaign_id": "spring", "occurred_at": "2026-11-20T10:10:00Z",
                ]))
        }
        try await app.store(events)
        try await app.rollUp()
        func rows(_ report: String, _ options: String...) async throws -> [[String: Any]] {
            let output = try await Program.run(
                ["report", report, "--format", "json", "--database-url", app.conninfo] + options)
            let document = try JSONSerialization.jsonObject(with: Data(output.output.utf8)) as? [String: Any]
            return try #require(document?["rows"] as? [[String: Any]], "\(output.error)")
        }
        let mine = try await rows("mine", "--reports", directory)
        let conversion = try await rows("conversion", "--by", "campaign,day", "--min-n", "1")
        #expect(mine.count == 6 && conversion.count == 6, "\(mine)")
        for row in mine {
            let same = try #require(
                conversion.first {
                    $0["campaign_id"] as? String == row["campaign_id"] as? String
                        && $0["day"] as? String == row["day"] as? String
                })
            let base = try #require((same["base_n"] as? NSNumber)?.doubleValue)
            #expect((row["deliveries"] as? NSNumber)?.doubleValue == base, "\(row) \(same)")
            let responded = try #require((same["responded"] as? NSNumber)?.doubleValue)
            let rate = try #require((row["response_rate"] as? NSNumber)?.doubleValue)
            #expect(abs(rate - responded / base) < 1e-9, "\(row) \(same)")
        }
    }

    @Test func `a custom report is not written if it exists, is built in or has an invalid name`() async throws {
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for (name, words) in [
            ("conversion", "a built-in report"), ("Big", "lower-case letter"), ("../x", "lower-case letter"),
            ("", "lower-case letter"),
        ] {
            let refused = try await Program.run(["reports", "new", name, "--reports", directory])
            #expect(refused.status == 2 && refused.error.contains(words), "\(name): \(refused.error)")
        }
        _ = try await Program.run(["reports", "new", "mine", "--reports", directory])
        let again = try await Program.run(["reports", "new", "mine", "--reports", directory])
        #expect(again.status == 2 && again.error.contains("exists already"), "\(again.error)")
        let missing = try await Program.run(["reports", "new", "mine"])
        #expect(missing.status == 2 && missing.error.contains("--reports DIR"), "\(missing.error)")
    }

    /// The custom reports that must be refused: name, statement, and words of the error.
    static let forbidden = [
        ("writes", "with d as (delete from afterpush.events returning 1) select 'x' as x from d", "data-modifying"),
        ("into", "select 1 as x into afterpush.loot", "syntax error (42601)"),
        ("locks", "select app_id::text as x from afterpush.apps for update", "FOR UPDATE is not allowed"),
        ("keys", "select encode(key_hash, 'hex') as x from afterpush.api_keys", "permission denied for table api_keys"),
        ("secret", "select encode(secret, 'hex') as x from afterpush.report_secret", "permission denied"),
        ("logins", "select login::text as x from afterpush.report_logins", "permission denied"),
        ("file", "select pg_read_file('/etc/passwd') as x", "permission denied for function pg_read_file"),
        ("large", "select lo_import('/etc/passwd')::text as x", "permission denied"),
        ("role", "select set_config('role', 'none', true) as x", "cannot set parameter \"role\""),
        (
            "prelude",
            "select set_config('role', 'none', true) as r \\gset\nselect count(*)::text as x from afterpush.api_keys",
            "line 4: cannot set parameter \"role\""
        ),
        (
            "hidden",
            "select query_to_xml('select set_config(''ro'' || ''le'', ''none'', true)', true, true, '')::text as x",
            "cannot set parameter \"role\""
        ),
        (
            "spliced",
            "select 'set_con' || 'fig' as f \\gset\nselect :f('role', 'none', true) as x",
            "line 5: cannot set parameter \"role\""
        ),
        ("login", "select set_config('session_authorization', 'default', true) as x", "session_authorization"),
        ("open", "select set_config('transaction_read_only', 'off', true) as x", "read-write mode must be set before"),
        ("other", "select x from others", "line 4: relation \"others\" does not exist"),
        ("typo", "select 'a' as x\nfrom afterpush.apps\nwhere nmae = 'shop'", "line 6: column \"nmae\" does not exist"),
        ("column", "select 'a' as y", "the head does not declare the column y"),
        ("zero", "select (1 / 0)::text as x", "line 4: PostgreSQL refuses it (22012)"),
    ]

    /// Files that are not valid reports, whose errors are reported when they are read.
    static let broken = [
        ("two", "select '1' as x;\nselect '2' as x;", "line 5: a report must be one statement"),
        ("shell", "\\! touch /tmp/x\nselect '1' as x;", "line 4: expected"),
        ("include", "\\i /etc/passwd\nselect '1' as x;", "line 4: expected"),
        ("output", "select '1' as x \\g /tmp/x", "line 4: a statement must end in ;"),
        ("copy", "copy afterpush.events to program 'cat';", "line 4: a report must only read"),
        ("set", "set role postgres;", "line 4: a report must only read"),
        ("do", "do $$ begin end $$;", "line 4: a report must only read"),
        ("splice", "select :app as x;", "line 4: :app would splice a parameter"),
        ("open-quote", "select 'a as x;", "line 4: the literal that begins here has no end"),
    ]

    private func write(_ name: String, _ sql: String, in directory: String) throws {
        let head = "-- title: T\n-- column: x text  x\n\\if :{?app} \\else \\set app '' \\endif\n"
        try Data((head + sql).utf8).write(to: URL(filePath: "\(directory)/\(name).sql"))
    }

    @Test func `a custom report that does more than read its app is refused, and other reports are served`()
        async throws
    {
        let app = try await TestApp()
        _ = try await TestApp(named: "other", conninfo: app.conninfo)
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (name, sql, _) in Self.forbidden + Self.broken { try write(name, sql, in: directory) }
        try write("apps", "select name as x from afterpush.apps order by 1;", in: directory)
        try write("good", "select :'app' as x;", in: directory)
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
        let client = TestClient(url: collector.url)
        for (name, _, words) in Self.forbidden {
            let response = try await client.get("/v1/reports/\(name)", key: app.readKey)
            #expect(response.status == 500, "\(name): \(response.text)")
            let problem = try response.json()
            #expect(problem["code"] as? String == "report_broken")
            let detail = problem["detail"] as? String ?? ""
            #expect(detail.hasPrefix("report \(name)") && detail.contains(words), "\(name): \(detail)")
            let output = try await Program.run(
                ["report", name, "--app", "shop", "--reports", directory, "--database-url", app.conninfo])
            #expect(output.status == 1 && output.error == "afterpush: \(detail)\n", "\(output.error)")
        }
        let listed = try await Program.run(["reports", "--reports", directory])
        for (name, _, words) in Self.broken {
            #expect(try await client.get("/v1/reports/\(name)", key: app.readKey).status == 404, "\(name)")
            #expect(listed.error.contains("report \(name), \(words)"), "\(name): \(listed.error)")
            #expect(collector.errorOutput.contains("report \(name), "), "\(name)")
        }
        let failed = try await Program.run(["report", "two", "--reports", directory, "--database-url", app.conninfo])
        #expect(failed.status == 1 && failed.error.hasPrefix("afterpush: report two, line 5: "), "\(failed.error)")
        let nowhere = try await Program.run(["report", "two", "--reports", "/nowhere"])
        #expect(nowhere.error == "afterpush: report /nowhere: the directory can't be read\n")
        #expect(listed.status == 0 && listed.output.contains("good\tT\n") && listed.output.contains("conversion\t"))
        let apps = try await client.get("/v1/reports/apps", key: app.readKey)
        #expect(apps.text.contains("shop") && !apps.text.contains("\"other\""), "\(apps.text)")
        for name in ["good", "conversion"] {
            #expect(try await client.get("/v1/reports/\(name)", key: app.readKey).status == 200, "\(name)")
        }
        await collector.stop()
    }

    @Test func `large results that are read slowly leave room for those of other apps`() async throws {
        let app = try await TestApp()
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try write("large", "select repeat('x', 200) as x from generate_series(1, 50000)", in: directory)
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
        let client = TestClient(url: collector.url)
        func status(_ app: TestApp) async throws -> Int {
            try await client.get("/v1/reports/large?format=csv", key: app.readKey).status
        }
        let request =
            "GET /v1/reports/large HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(app.readKey)\r\n\r\n"
        var readers: [RawConnection] = []
        for _ in 0..<2 {
            let reader = try RawConnection(port: collector.port, receiveBuffer: 16 * 1024)
            await reader.send(request)
            let head = await reader.receive(timeout: .seconds(30)) { $0.contains("\r\n\r\n") }
            #expect(head?.hasPrefix("HTTP/1.1 200") == true)
            readers.append(reader)
        }
        #expect(try await status(app) == 503)
        #expect(try await status(other) == 200)
        readers = []
        try await app.waitUntil("the readers' places are free") { try await status(app) == 200 }
        await collector.stop()
    }

    @Test func `a custom report over the row limit is truncated, and every format says so`() async throws {
        let app = try await TestApp()
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try write("many", "select n::text as x from generate_series(1, 100001) as n order by n", in: directory)
        try write("just", "select n::text as x from generate_series(1, 100000) as n order by n", in: directory)
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
        let client = TestClient(url: collector.url)
        for (name, isCut) in [("many", true), ("just", false)] {
            let json = try await client.get("/v1/reports/\(name)", key: app.readKey)
            #expect(try json.json()["truncated"] as? Bool == (isCut ? true : nil))
            #expect((try json.json()["rows"] as? [Any])?.count == 100_000)
            #expect(json.headers["content-length"] == nil, "the response is streamed")
            for format in ["csv", "ndjson"] {
                let response = try await client.get("/v1/reports/\(name)?format=\(format)", key: app.readKey)
                #expect(response.headers["x-truncated-rows"] == (isCut ? "100000" : nil), "\(response.headers)")
                #expect(response.text.split(whereSeparator: \.isNewline).count == (format == "csv" ? 100_001 : 100_000))
            }
            let output = try await Program.run([
                "report", name, "--format", "ndjson", "--reports", directory, "--database-url", app.conninfo,
            ])
            #expect(output.status == 0)
            let short = try await client.get(
                "/v1/reports/conversion", key: app.readKey, headers: ["Accept-Encoding": "identity"])
            #expect(short.headers["content-length"] == String(short.body.count), "\(short.headers)")
            #expect(output.error == (isCut ? "afterpush: the first 100000 rows; more are not shown\n" : ""))
        }
        await collector.stop()
    }

    @Test func `a custom report over its time limit is cancelled, and the connection serves the next one`() async throws
    {
        let app = try await TestApp()
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try write("sleep", "select pg_sleep(600)::text as x", in: directory)
        try write(
            "stubborn",
            "select set_config('statement_timeout', '0', false) as t \\gset\nselect pg_sleep(600)::text as x",
            in: directory)
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
        let client = TestClient(url: collector.url, timeout: 90)
        async let first = client.get("/v1/reports/sleep", key: app.readKey)
        async let second = client.get("/v1/reports/stubborn", key: app.readKey)
        let (slow, stubborn) = try await (first, second)
        #expect(slow.status == 504, "\(slow.text)")
        #expect(try slow.json()["code"] as? String == "report_slow")
        #expect(stubborn.status == 504, "\(stubborn.text)")
        try await app.waitUntil("nothing sleeps in the database any more") {
            try await app.superuserValue(
                "select count(*)::text from pg_stat_activity where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid() and state = 'active'"
            ) == "0"
        }
        #expect(try await client.get("/v1/reports/conversion", key: app.readKey).status == 200)
        await collector.stop()
    }

    @Test func `events are stored while a report holds the lock of the batches table`() async throws {
        let app = try await TestApp()
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        // Batches once waited for the first one.
        try write(
            "hold",
            """
            select count(*) as n from afterpush.events \\gset
            select pg_sleep(8)::text as x
            """, in: directory)
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
        let client = TestClient(url: collector.url, timeout: 90)
        async let report = client.get("/v1/reports/hold", key: app.readKey)
        try await app.waitUntil("the report sleeps") {
            try await app.superuserValue(
                "select count(*)::text from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
            ) == "1"
        }
        let sent = try await client.post("/v1/events", EventJSON.body([EventJSON.event()]), key: app.sendKey)
        #expect(sent.status == 200, "\(sent.text)")
        #expect(try await report.status == 200)
        await collector.stop()
    }

    @Test func `too many concurrent reports are asked to retry`() async throws {
        let app = try await TestApp()
        let directory = directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try write("nap", "select pg_sleep(1)::text as x", in: directory)
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
        let client = TestClient(url: collector.url, timeout: 90, connections: 64)
        let responses = try await withThrowingTaskGroup(of: TestClient.Response.self) { group in
            for _ in 0..<48 { group.addTask { try await client.get("/v1/reports/nap", key: app.readKey) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let refused = responses.filter { $0.status == 503 }
        #expect(responses.count { $0.status == 200 } >= 4)
        #expect(responses.allSatisfy { $0.status == 200 || $0.status == 503 })
        #expect(!refused.isEmpty && refused.allSatisfy { $0.headers["retry-after"] != nil })
        #expect(try await client.get("/v1/reports/conversion", key: app.readKey).status == 200)
        await collector.stop()
    }

    @Test func `an unchanged report is not sent again`() async throws {
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
        try await app.waitForRollups()
        let third = try await Program.run(
            [
                "-sSi", "-H", "Authorization: Bearer \(app.readKey)", "-H", "If-None-Match: \(tag)",
                "\(collector.url)/v1/reports/conversion",
            ], program: URL(filePath: "/usr/bin/curl"))
        #expect(third.output.hasPrefix("HTTP/1.1 200"), "\(third.output)")
        await collector.stop()
    }
}
