import Events
import Foundation
import Ingest
import Storage
import TestSupport
import Testing

/// Tests links that share one view: what their holder can read, and that it is nothing else.
@Suite struct ShareTests {
    private static let shared = Task { try await DashboardFixture() }

    private let shop: DashboardFixture
    private let client: TestClient
    private let curl: Curl

    init() async throws {
        shop = try await Self.shared.value
        client = TestClient(url: shop.collector.url)
        curl = Curl(shop.collector.url)
    }

    private func share(_ view: String, key: String? = nil) async throws -> String {
        let response = try await create(view, key: key)
        #expect(response.status == 201, "\(response.text)")
        return try #require(try response.json()["token"] as? String)
    }

    private func create(
        _ view: String, key: String? = nil, _ more: [String: Any] = [:]
    ) async throws -> TestClient.Response {
        let body = try JSONSerialization.data(withJSONObject: ["view": view].merging(more) { $1 })
        return try await client.post("/v1/shares", body, key: key ?? shop.app.readKey)
    }

    /// Expects all paths to have a status for the holder of a link.
    private func expect(_ status: Int, _ token: String, _ paths: [String]) async throws {
        for path in paths {
            let response = try await client.get(path, key: token)
            #expect(response.status == status, "\(path): \(response.status) \(response.text.prefix(200))")
        }
    }

    @Test func `a link reads what its page shows, with the same numbers`() async throws {
        let token = try await share("/campaigns/autumn?period=90d&tz=UTC&platform=ios")
        #expect(token.hasPrefix("ap_view_") && token.count > 40)
        let from = Date.now.addingTimeInterval(-89 * 86_400).formatted(.iso8601.year().month().day())
        let to = Date.now.formatted(.iso8601)
        let filters = "campaign=autumn&platform=ios&tz=UTC"
        let period = "from=\(from)&to=\(to)&\(filters)"
        // Day by day, the period before has as many days, of which the last is not under way.
        let before = Date.now.addingTimeInterval(-179 * 86_400).formatted(.iso8601.year().month().day())
        let paths = [
            "/v1/reports/conversion?by=day&from=\(before)&to=\(to)&\(filters)", "/v1/reports/conversion?\(period)",
            "/v1/reports/conversion?by=platform&\(period)",
            "/v1/reports/funnel?\(period)&format=csv", "/v1/reports/response-time?curve=true&\(period)",
            "/v1/reports/experiment?\(filters)", "/v1/reports/actions?\(period)",
            "/v1/reports/lift?campaign=autumn&tz=UTC",
        ]
        for path in paths {
            let shown = try await client.get(path, key: token)
            #expect(shown.status == 200, "\(path): \(shown.text.prefix(300))")
            guard !path.contains("csv") else { continue }
            let own = try await client.get(path, key: shop.app.readKey)
            let rows = try [shown, own].map {
                try JSONSerialization.data(withJSONObject: $0.json()["rows"] ?? [String](), options: .sortedKeys)
            }
            #expect(rows[0] == rows[1], "\(path)")
        }
        let description = try await client.get("/v1/shared", key: token).json()
        #expect(description["app"] as? String == "shop")
        #expect(description["view"] as? String == "/campaigns/autumn?period=90d&platform=ios&tz=UTC")
        #expect((description["campaigns"] as? [[String: Any]])?.map { $0["id"] as? String } == ["autumn"])
        #expect(description["categories"] == nil && description["reports"] == nil)
    }

    @Test func `a link reads no other report, filter, group, setting or time`() async throws {
        let token = try await share("/campaigns/autumn?period=7d&tz=UTC&platform=ios")
        let from = Date.now.addingTimeInterval(-6 * 86_400).formatted(.iso8601.year().month().day())
        let to = Date.now.formatted(.iso8601)
        let early = Date.now.addingTimeInterval(-14 * 86_400).formatted(.iso8601.year().month().day())
        let times = "from=\(from)&to=\(to)"
        let view = "\(times)&campaign=autumn&platform=ios&tz=UTC"
        try await expect(200, token, ["/v1/reports/conversion?\(view)"])
        try await expect(
            403, token,
            [
                // Other filters, or none.
                "/v1/reports/conversion?\(times)&tz=UTC",
                "/v1/reports/conversion?\(times)&campaign=winter&platform=ios&tz=UTC",
                "/v1/reports/conversion?\(times)&campaign=autumn&tz=UTC", "/v1/reports/conversion?\(view)&variant=a",
                "/v1/reports/conversion?\(view)&verified=true", "/v1/reports/conversion?\(view)&category=sale",
                "/v1/reports/conversion?\(times)&campaign=autumn&platform=ios&tz=Asia/Tokyo",
                // Other groups and settings.
                "/v1/reports/conversion?\(view)&by=app_version", "/v1/reports/conversion?\(view)&by=campaign",
                "/v1/reports/conversion?\(view)&by=platform,variant", "/v1/reports/conversion?\(view)&min_n=1",
                "/v1/reports/conversion?\(view)&within=1h", "/v1/reports/conversion?\(view)&base=confirmed",
                // Other times.
                "/v1/reports/conversion?from=\(early)&to=\(to)&campaign=autumn&platform=ios&tz=UTC",
                "/v1/reports/conversion?campaign=autumn&platform=ios&tz=UTC",
                "/v1/reports/conversion?from=2020-01-01&to=\(to)&campaign=autumn&platform=ios&tz=UTC",
                "/v1/reports/conversion?from=\(from)&to=2999-01-01&campaign=autumn&platform=ios&tz=UTC",
                "/v1/reports/conversion?from=\(from)&campaign=autumn&platform=ios&tz=UTC",
                "/v1/reports/conversion?period=365d&campaign=autumn&platform=ios&tz=UTC",
                // Other reports, those with what people wrote first.
                "/v1/reports/replies?\(view)", "/v1/reports/replies?\(view)&include_text=true",
                "/v1/reports/failures?\(view)", "/v1/reports/fatigue?\(view)", "/v1/reports/influence?\(view)",
                "/v1/reports/health?\(times)&tz=UTC", "/v1/reports/undeclared?\(times)&tz=UTC",
                "/v1/reports/rejected?\(times)&tz=UTC", "/v1/reports/dialects", "/v1/reports/late-night",
            ])
        #expect(
            try await client.get("/v1/reports/conversion?campaign=autumn&campaign=winter", key: token).status == 400)
        // A report's page shares that report with its own settings, and nothing else.
        let report = try await share("/reports/conversion?by=variant&campaign=autumn&period=all&tz=UTC")
        try await expect(200, report, ["/v1/reports/conversion?by=variant&campaign=autumn&tz=UTC"])
        try await expect(
            403, report,
            [
                "/v1/reports/conversion?campaign=autumn&tz=UTC", "/v1/reports/conversion?by=day&campaign=autumn&tz=UTC",
                "/v1/reports/conversion?by=variant&tz=UTC", "/v1/reports/funnel?campaign=autumn&tz=UTC",
                "/v1/reports/conversion?by=variant&campaign=autumn&tz=UTC&min_n=1",
            ])
    }

    @Test func `to all other routes, the token of a link is an unknown key`() async throws {
        let token = try await share("/?period=90d&tz=UTC")
        try await expect(
            401, token,
            [
                "/v1/reports", "/v1/reports/conversion/sql", "/v1/metrics/definitions", "/v1/campaigns",
                "/v1/campaigns/autumn",
                "/v1/categories", "/v1/alerts", "/v1/mappings", "/v1/export/events", "/v1/export/deliveries",
                "/v1/export/replies?include_text=true", "/v1/live", "/v1/devices/d-1", "/v1/devices/d-1/erasure",
                "/v1/shares",
                "/session",
            ])
        for (method, path) in [
            ("POST", "/v1/shares"), ("DELETE", "/v1/shares/1"), ("POST", "/v1/events"), ("PUT", "/v1/campaigns/x"),
            ("PUT", "/v1/categories"), ("DELETE", "/v1/devices/d-1"), ("POST", "/v1/receipts"), ("PUT", "/v1/alerts"),
        ] {
            let response = try await curl(
                path, headers: ["Authorization: Bearer \(token)", "Content-Type: application/json"], "-X", method, "-d",
                #"{"view":"/"}"#)
            #expect(response.status == 401, "\(method) \(path): \(response.status)")
        }
        // Neither is it a session, and it begins none.
        let page = try await curl("/shared")
        #expect(page.status == 200 && page.headers["set-cookie"] == nil && page.headers["cache-control"] == "no-store")
        #expect(page.headers["content-security-policy"]?.contains("script-src 'self'") == true)
        #expect(try await curl("/session", session: token).status == 401)
        #expect(try await curl("/v1/reports/overview?tz=UTC", session: token).status == 401)
        #expect(try await curl("/v1/shared", session: token).status == 401)
        let login = try await curl.post("/login", ["key": token])
        #expect(login.status == 401 && login.session == nil)
        // With the token, a session's cookie counts for nothing.
        let session = try await shop.session()
        let both = try await curl("/v1/export/events", session: session, headers: ["Authorization: Bearer \(token)"])
        #expect(both.status == 401)
    }

    @Test func `a link of one app reads nothing of another`() async throws {
        let token = try await share("/?period=all&tz=UTC")
        let other = try await TestApp(named: "other", conninfo: shop.app.conninfo)
        let theirs = try await share("/?period=all&tz=UTC", key: other.readKey)
        let sent = try await [token, theirs].asyncMap { token in
            try await client.get("/v1/reports/conversion?by=campaign&tz=UTC", key: token).json()["rows"] as? [Any]
        }
        #expect((sent[0] ?? []).count > 2 && (sent[1] ?? []).isEmpty)
        let mine = try await client.get("/v1/shares", key: other.readKey).json()["shares"] as? [[String: Any]]
        #expect(mine?.count == 1)
        let listed = try await client.get("/v1/shares", key: shop.app.readKey).json()["shares"] as? [[String: Any]]
        let id = try #require(listed?.first?["id"] as? Int)
        #expect(try await client.delete("/v1/shares/\(id)", key: other.readKey).status == 404)
    }

    @Test func `only a hash of the token is stored, and neither a list nor a log contains it`() async throws {
        let token = try await share("/?tz=UTC")
        let hash = APIKeyCache.hash(of: token).map { String(format: "%02x", $0) }.joined()
        let count = "select count(*) from afterpush.shares where token_hash = '\\x\(hash)'"
        #expect(try await shop.app.superuserValue(count) == "1")
        let all = "select string_agg(s::text, '') from afterpush.shares as s"
        #expect(try await shop.app.superuserValue(all)?.contains(token) == false)
        #expect(try await client.get("/v1/shares", key: shop.app.readKey).text.contains(token) == false)
        #expect(!shop.collector.errorOutput.contains(token))
    }

    @Test func `a link ends when it is revoked, when it expires, and with its key`() async throws {
        let key = try await shop.app.registry.createKey(app: shop.app.app, scope: .read)
        let number = try #require(try await shop.app.registry.keys(app: shop.app.app).last).id
        let path = "/v1/reports/overview?tz=UTC"
        func expectEnd(_ token: String, _ what: String) async throws {
            try await shop.app.waitUntil(what) { try await client.get(path, key: token).status == 401 }
            let response = try await client.get("/v1/shared", key: token)
            #expect(response.status == 401 && response.text.contains("share_ended"), "\(response.text)")
        }
        let revoked = try await create("/?period=all&tz=UTC", key: key)
        let id = try #require(try revoked.json()["id"] as? Int)
        let token = try #require(try revoked.json()["token"] as? String)
        try await expect(200, token, [path, "/v1/shared"])
        // Another read key can't revoke it, one of scope manage can.
        #expect(try await client.delete("/v1/shares/\(id)", key: shop.app.readKey).status == 404)
        #expect(try await client.delete("/v1/shares/\(id)", key: shop.manageKey).status == 204)
        #expect(try await client.delete("/v1/shares/\(id)", key: shop.manageKey).status == 404)
        try await expectEnd(token, "it is revoked")

        let expired = try await share("/?period=all&tz=UTC", key: key)
        try await expect(200, expired, [path])
        _ = try await shop.app.superuserValue(
            """
            update afterpush.shares set expires_at = now() where key_id = \(number)
            """)
        try await expectEnd(expired, "it has expired")

        let orphan = try await share("/?period=all&tz=UTC", key: key)
        try await expect(200, orphan, [path])
        try await shop.app.registry.revokeKey(number)
        try await expectEnd(orphan, "its key is revoked")
        let listed = try await client.get("/v1/shares", key: shop.app.readKey).text
        #expect(!listed.contains("\"created_by_key\" : \(number)") && !listed.contains("\"created_by_key\":\(number)"))
    }

    @Test func `the number of links and their lifetime are limited`() async throws {
        for seconds in [0, 299, 90 * 86_400 + 1] {
            let response = try await create("/?tz=UTC", ["expires_in": seconds])
            #expect(response.status == 400 && response.text.contains("field_invalid"), "\(seconds): \(response.text)")
        }
        #expect(try await create("/?tz=UTC", ["name": String(repeating: "x", count: 300)]).status == 400)
        let app = try await TestApp(named: "many", conninfo: shop.app.conninfo)
        try await TestCluster.script(
            """
            insert into afterpush.shares (app_id, token_hash, name, view, expires_at)
            select \(app.app.id), sha256(('many' || n)::bytea), '', '/', now() + interval '1 hour'
            from generate_series(1, 99) as n
            """, on: app.conninfo)
        #expect(try await create("/?tz=UTC", key: app.readKey).status == 201)
        let refused = try await create("/?tz=UTC", key: app.readKey)
        #expect(refused.status == 409 && refused.text.contains("limit_exceeded"), "\(refused.text)")
        _ = try await app.superuserValue(
            "update afterpush.shares set expires_at = now() where app_id = \(app.app.id) and name = ''")
        #expect(try await create("/?tz=UTC", key: app.readKey).status == 201, "expired ones don't count")
        #expect(
            try await app.superuserValue("select count(*) from afterpush.shares where app_id = \(app.app.id)") == "1")
    }

    @Test func `only pages of reports can be shared, and never replies`() async throws {
        for view in [
            "/live", "/reports", "/alerts", "/health", "/login", "//evil.example/", "https://evil.example/",
            "reports/x",
            "/reports/replies?period=7d", "/reports/nothing-here", "/reports/conversion?by=nonsense", "/?period=never",
            "/?tz=Mars/Phobos", "/?a=1&a=2", "/?min_n=1", "/?campaign=%00", "/campaigns/",
            "/" + String(repeating: "x", count: 3_000),
        ] {
            let response = try await create(view)
            #expect([400, 404].contains(response.status), "\(view.prefix(80)): \(response.status) \(response.text)")
        }
        #expect(try await create("/", key: shop.app.ingestKey).status == 403)
        #expect(try await create("/", key: shop.app.sendKey).status == 403)
        // The time zone is always stated, so that the reader of a link sees the same days.
        let response = try await create("/reports/timeseries?by=hour&period=today&columns=all").json()
        #expect(response["view"] as? String == "/reports/timeseries?by=hour&period=today&tz=UTC")
    }

    @Test func `no other site can make or revoke a link with the reader's session`() async throws {
        let session = try await shop.session()
        let own = "Origin: \(shop.collector.url)"
        func post(_ headers: [String]) async throws -> Curl.Response {
            try await curl("/v1/shares", session: session, headers: headers, "-d", #"{"view":"/?tz=UTC"}"#)
        }
        let json = "Content-Type: application/json"
        #expect(try await post([own, json]).status == 201)
        #expect(try await post(["Sec-Fetch-Site: same-origin", json]).status == 201)
        for headers in [
            [json], ["Origin: https://evil.example", json], ["Origin: null", json],
            ["Sec-Fetch-Site: cross-site", json],
            ["Sec-Fetch-Site: same-site", json],
        ] {
            let response = try await post(headers)
            #expect(response.status == 403 && response.body.contains("origin_forbidden"), "\(headers): \(response)")
        }
        // What a form of another site can send.
        for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
            #expect(try await post([own, "Content-Type: \(type)"]).status == 415, "\(type)")
        }
        let made = try await post([own, json])
        let id = try #require(made.body.firstMatch(of: /"id":([0-9]+)/)?.1, "\(made.body)")
        #expect(try await curl("/v1/shares/\(id)", session: session, "-X", "DELETE").status == 403)
        #expect(try await curl("/v1/shares/\(id)", session: session, headers: [own], "-X", "DELETE").status == 204)
    }

    @Test func `the command line makes, lists and revokes links`() async throws {
        let options = ["--app", "shop", "--database-url", shop.app.conninfo]
        let made = try await Program.run(
            ["shares", "create", "/campaigns/autumn?period=7d", "--lifetime", "1h", "--name", "for the board", "--url"]
                + ["https://push.example.com/"] + options)
        let link = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(made.status == 0 && link.hasPrefix("https://push.example.com/shared#ap_view_"), "\(made)")
        let token = try #require(link.split(separator: "#").last.map(String.init))
        try await expect(200, token, ["/v1/shared"])
        let list = try await Program.run(["shares", "list"] + options)
        let line = try #require(list.output.split(separator: "\n").first { $0.contains("for the board") }, "\(list)")
        #expect(
            line.contains("/campaigns/autumn?period=7d&tz=UTC") && line.contains("command line")
                && !list.output.contains(token))
        let number = String(line.prefix { $0.isNumber })
        let revoked = try await Program.run(["shares", "revoke", number, "--database-url", shop.app.conninfo])
        #expect(revoked.status == 0, "\(revoked)")
        try await shop.app.waitUntil("it has ended") { try await client.get("/v1/shared", key: token).status == 401 }
        let again = try await Program.run(["shares", "revoke", number, "--database-url", shop.app.conninfo])
        #expect(again.status == 1 && again.error.contains("there is no link \(number)"), "\(again)")
        for arguments in [["/live"], ["/", "--lifetime", "91d"], ["/", "--lifetime", "1m"], ["/reports/replies"]] {
            let output = try await Program.run(["shares", "create"] + arguments + options)
            #expect(output.status != 0 && output.output.isEmpty, "\(arguments): \(output)")
        }
    }

    @Test func `an address that tries many tokens has to wait`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(
            conninfo: app.conninfo,
            environment: [
                "AFTERPUSH_LIMITS_EXEMPT": "none", "AFTERPUSH_RATE_FAILURES": "1", "AFTERPUSH_RATE_BURST": "3",
            ])
        var statuses: Set<Int> = []
        let client = TestClient(url: collector.url)
        for number in 0..<8 {
            statuses.insert(try await client.get("/v1/shared", key: "ap_view_\(number)").status)
            statuses.insert(try await client.get("/v1/reports/overview", key: "ap_view_x\(number)").status)
        }
        #expect(statuses == [401, 429], "\(statuses)")
        await collector.stop()
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
