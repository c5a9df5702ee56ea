import Events
import Foundation
import Ingest
import Storage
import TestSupport
import Testing

/// Tests signing in to the dashboard and out of it over HTTP.
@Suite struct SessionTests {
    private static let shared = Task { try await HTTPTestCollector(environment: [:]) }

    private let collector: HTTPTestCollector
    private let curl: Curl

    init() async throws {
        collector = try await Self.shared.value
        curl = Curl(collector.process.url)
    }

    private func signIn() async throws -> String {
        try #require(try await curl.post("/login", ["key": collector.app.readKey]).session)
    }

    @Test func `a read key starts a session that can only read`() async throws {
        let next = "/campaigns/a%20b?from=2026-11-01&by=day"
        let response = try await curl.post("/login", ["key": " \(collector.app.readKey)\n", "next": next])
        #expect(response.status == 303 && response.headers["location"] == next, "\(response)")
        let cookie = try #require(response.headers["set-cookie"])
        for part in ["Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=43200"] { #expect(cookie.contains(part)) }
        #expect(!cookie.contains("Secure"))
        #expect(response.headers["cache-control"] == "no-store")
        let session = try #require(response.session)
        for path in [
            "/v1/reports", "/v1/reports/conversion", "/v1/reports/conversion/sql", "/v1/metrics/definitions",
            "/v1/campaigns", "/v1/categories", "/v1/export/events",
        ] {
            #expect(try await curl(path, session: session).status == 200, "\(path)")
            #expect(try await curl(path).status == 401, "\(path)")
        }
        for (method, path, status) in [
            ("POST", "/v1/events", 401), ("POST", "/v1/sends", 401), ("DELETE", "/v1/devices/x", 401),
            ("GET", "/v1/devices/x", 401), ("PUT", "/v1/campaigns/x", 403), ("PUT", "/v1/categories", 403),
        ] {
            let refused = try await curl(path, session: session, "-X", method, "-d", "{}")
            #expect(refused.status == status, "\(method) \(path): \(refused)")
        }
    }

    /// The requests that a page of the dashboard sends to declare something, and their bodies.
    private static let declarations = [
        ("PUT", "/v1/campaigns/by-session", #"{"name":"n"}"#), ("POST", "/v1/keys", #"{"scope":"read"}"#),
    ]

    @Test func `a session of a manage key declares, but only from the server's own page and with JSON`() async throws {
        let manage = try await collector.app.registry.createKey(app: collector.app.app, scope: .manage)
        let session = try #require(try await curl.post("/login", ["key": manage]).session)
        let reader = try await signIn()
        let json = "Content-Type: application/json"
        let own = ["Sec-Fetch-Site: same-origin", "Origin: \(collector.process.url)"]
        func send(_ request: (String, String, String), _ session: String?, _ headers: [String]) async throws
            -> Curl.Response
        {
            try await curl(request.1, session: session, headers: headers, "-X", request.0, "--data-binary", request.2)
        }
        for request in Self.declarations {
            for header in own {
                let done = try await send(request, session, [json, header])
                #expect([200, 201].contains(done.status), "\(request) \(header): \(done)")
                let read = try await send(request, reader, [json, header])
                #expect(read.status == 403 && read.body.contains("scope_insufficient"), "\(read)")
            }
            for headers in [
                [json], [json, "Sec-Fetch-Site: same-site"], [json, "Sec-Fetch-Site: cross-site"],
                [json, "Sec-Fetch-Site: none"], [json, "Origin: https://evil.example"], [json, "Origin: null"],
                [json, "Sec-Fetch-Site: cross-site", own[1]],
            ] {
                let refused = try await send(request, session, headers)
                #expect(
                    refused.status == 403 && refused.body.contains("origin_forbidden"),
                    "\(request) \(headers): \(refused)")
            }
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
                let refused = try await send(request, session, ["Content-Type: \(type)", own[0]])
                #expect(refused.status == 415, "\(request) \(type): \(refused)")
            }
        }
        // Erasing a device needs the key itself.
        #expect(
            try await curl("/v1/devices/x", session: session, headers: [json, own[0]], "-X", "DELETE").status == 401)
    }

    @Test func `keys are created, listed and revoked over HTTP, each app its own`() async throws {
        let app = collector.app
        let manage = try await app.registry.createKey(app: app.app, scope: .manage)
        let client = collector.client
        let created = try await client.post("/v1/keys", Data(#"{"scope":"read"}"#.utf8), key: manage)
        #expect(created.status == 201 && created.headers["cache-control"] == "no-store", "\(created.text)")
        let key = try #require(try created.json()["key"] as? String)
        let number = try #require(try created.json()["id"] as? Int)
        let hint = try #require(try created.json()["ends_in"] as? String)
        #expect(key.hasPrefix("ap_read_") && key.hasSuffix(hint))
        #expect(try await client.get("/v1/reports", key: key).status == 200)
        let list = try await client.get("/v1/keys", key: manage)
        let listed = try list.json()["keys"] as? [[String: Any]] ?? []
        #expect(listed.contains { $0["id"] as? Int == number && $0["revoked_at"] is NSNull }, "\(list.text)")
        #expect(!list.text.contains(key))
        for (body, words) in [
            (#"{"scope":"manage"}"#, "afterpush keys create"), (#"{"scope":"x"}"#, "must be one of ingest, send, read"),
            ("{}", "must be one of"), ("[]", "JSON object"), ("x", "JSON object"),
        ] {
            let refused = try await client.post("/v1/keys", Data(body.utf8), key: manage)
            #expect(refused.status == 400 && refused.text.contains(words), "\(body): \(refused.text)")
        }
        for other in [app.readKey, app.sendKey, app.ingestKey] {
            #expect(try await client.get("/v1/keys", key: other).status == 403)
            #expect(try await client.post("/v1/keys", Data(#"{"scope":"read"}"#.utf8), key: other).status == 403)
            #expect(try await client.delete("/v1/keys/\(number)", key: other).status == 403)
        }
        let stranger = try await TestApp(named: "stranger-\(UUID().uuidString.prefix(6))", conninfo: app.conninfo)
        let strangers = try await stranger.registry.createKey(app: stranger.app, scope: .manage)
        #expect(try await client.delete("/v1/keys/\(number)", key: strangers).status == 404)
        #expect(try await client.delete("/v1/keys/none", key: manage).status == 404)
        #expect(try await client.delete("/v1/keys/\(number)", key: manage).status == 204)
        try await app.waitUntil("it is revoked") { try await client.get("/v1/reports", key: key).status == 401 }
        let log = collector.process.errorOutput
        #expect(log.contains("an API key was created") && log.contains("an API key was revoked") && !log.contains(key))
    }

    @Test func `a session describes itself, and ends when the user signs out`() async throws {
        let session = try await signIn()
        let description = try await curl("/session", session: session)
        #expect(description.status == 200 && description.headers["content-type"] == "application/json")
        let pattern = /\{"app":"shop","scope":"read","expires_at":"([^"]+)","time_zone":"UTC"\}/
        let end = try #require(description.body.wholeMatch(of: pattern)?.1, "\(description.body)")
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let seconds = try Date(String(end), strategy: format).timeIntervalSinceNow
        #expect(abs(seconds - 12 * 3_600) < 60)
        #expect(try await curl("/", session: session).status == 200)

        let response = try await curl.post("/logout", [:], session: session)
        #expect(response.status == 303 && response.headers["location"] == "/login")
        #expect(response.headers["set-cookie"]?.hasPrefix("afterpush_session=; Path=/; Max-Age=0") == true)
        #expect(try await curl("/session", session: session).status == 401)
        #expect(try await curl("/v1/reports", session: session).status == 401)
        #expect(try await curl("/", session: session).status == 303)
        #expect(try await curl.post("/logout", [:], session: session).status == 303, "signing out twice is harmless")
    }

    @Test func `only a hash of the cookie is stored, and no log contains the cookie or the key`() async throws {
        let session = try await signIn()
        let hash = APIKeyCache.hash(of: session).map { String(format: "%02x", $0) }.joined()
        let stored = "select count(*) from afterpush.sessions where session_hash = '\\x\(hash)'"
        #expect(try await collector.app.superuserValue(stored) == "1")
        let all = "select string_agg(s::text, '') from afterpush.sessions as s"
        #expect(try await collector.app.superuserValue(all)?.contains(session) == false)
        let log = collector.process.errorOutput
        #expect(!log.contains(session) && !log.contains(collector.app.readKey))
    }

    @Test func `a wrong key gets the form with an error and no session`() async throws {
        let wrong = try await curl.post("/login", ["key": "ap_read_no", "next": "/live?a=\"><script>"])
        #expect(wrong.status == 401 && wrong.session == nil)
        #expect(wrong.headers["content-type"] == "text/html; charset=utf-8")
        #expect(wrong.body.contains("data-error=\"key\""), "\(wrong.body)")
        #expect(!wrong.body.contains("<script>") && !wrong.body.contains("{{"))
        let failed = try await curl.post("/login", ["key": "", "next": "/live?a=1&b=2"])
        #expect(failed.status == 401 && failed.body.contains("value=\"/live?a=1&amp;b=2\""), "\(failed.body)")
        for key in [collector.app.ingestKey, collector.app.sendKey] {
            let response = try await curl.post("/login", ["key": key])
            #expect(response.status == 403 && response.session == nil && response.body.contains("data-error=\"scope\""))
        }
        let manage = try await collector.app.registry.createKey(app: collector.app.app, scope: .manage)
        let session = try await curl.post("/login", ["key": manage]).session
        #expect(try await curl("/session", session: session).body.contains("\"scope\":\"manage\""))
    }

    @Test func `redirects never lead to another site, and no other site can sign a user in or out`() async throws {
        for next in ["//evil.example", "https://evil.example", "/\\evil.example", "\t//evil.example", ""] {
            let response = try await curl.post("/login", ["key": collector.app.readKey, "next": next])
            #expect(response.headers["location"] == "/", "\(next)")
        }
        let session = try await signIn()
        for header in [
            "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: https://evil.example", "Origin: null",
        ] {
            let login = try await curl.post("/login", ["key": collector.app.readKey], headers: [header])
            #expect(login.status == 403 && login.session == nil, "\(header)")
            #expect(login.body.contains("\"code\":\"origin_forbidden\""), "\(login.body)")
            let logout = try await curl.post("/logout", [:], session: session, headers: [header])
            #expect(logout.status == 403, "\(header)")
        }
        let own = "Origin: \(collector.process.url)"
        #expect(try await curl.post("/login", ["key": collector.app.readKey], headers: [own]).status == 303)
        #expect(try await curl("/session", session: session).status == 200)
    }

    @Test func `a form of another type or over the size limit is refused`() async throws {
        let json = ["Content-Type: application/json"]
        #expect(try await curl.post("/login", ["key": "x"], headers: json).status == 415)
        let long = String(repeating: "x", count: 10_000)
        #expect(try await curl.post("/login", ["key": long]).status == 413)
    }

    @Test func `sessions are valid at every collector and after a restart, and end with their key`() async throws {
        let app = try await TestApp()
        let first = try await CollectorProcess(conninfo: app.conninfo)
        let session = try await Curl(first.url).post("/login", ["key": app.readKey]).session
        let second = try await CollectorProcess(conninfo: app.conninfo)
        let curl = Curl(second.url)
        #expect(try await curl("/session", session: session).status == 200)
        await first.stop()
        #expect(try await curl("/v1/reports/conversion", session: session).status == 200)
        let key = try #require(try await app.registry.keys(app: app.app).first { $0.scope == .read })
        try await app.registry.revokeKey(key.id)
        let revokedAt = ContinuousClock.now
        try await app.waitUntil("the session has ended") {
            try await curl("/v1/reports/conversion", session: session).status == 401
        }
        #expect(revokedAt.duration(to: .now) < .seconds(10))
        #expect(try await curl("/session", session: session).status == 401)
        #expect(try await curl.post("/login", ["key": app.readKey]).status == 401)
        await second.stop()
    }

    @Test func `a session expires, and is deleted at the next sign-in`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_SESSION_LIFETIME": "2s"])
        let curl = Curl(collector.url)
        let response = try await curl.post("/login", ["key": app.readKey])
        #expect(response.headers["set-cookie"]?.contains("Max-Age=2;") == true)
        let session = try #require(response.session)
        #expect(try await curl("/session", session: session).status == 200)
        try await app.waitUntil("the session is over") {
            try await curl("/v1/reports", session: session).status == 401
        }
        #expect(try await curl("/", session: session).status == 303)
        _ = try await curl.post("/login", ["key": app.readKey])
        #expect(try await app.superuserValue("select count(*) from afterpush.sessions") == "1")
        await collector.stop()
    }

    @Test func `a key has at most a thousand sessions`() async throws {
        let app = try await TestApp()
        let key = try #require(try await app.registry.keys(app: app.app).first { $0.scope == .read })
        try await TestCluster.script(
            """
            insert into afterpush.sessions (session_hash, key_id, created_at, expires_at)
            select sha256(n::text::bytea), \(key.id), now() - make_interval(secs => n), now() + interval '1 hour'
            from generate_series(1, 1500) as n
            """, on: app.conninfo)
        func grant(_ key: Int32) -> APIKeyGrant {
            APIKeyGrant(keyID: key, appID: app.app.id, appName: "shop", scope: .read)
        }
        for number in 0..<3 {
            let hash = [UInt8](repeating: UInt8(number), count: 32)
            let end = try await Registry.beginSession(
                hash, of: grant(key.id), lifetime: .seconds(60), in: app.database.ingest)
            #expect(end != nil)
            let found = try await Registry.findSessions([hash], in: app.database.ingest)
            #expect(found.keys.elementsEqual([hash]) && found[hash]?.grant.scope == .read)
        }
        #expect(try await app.superuserValue("select count(*) from afterpush.sessions") == "1000")
        let unknown = try await Registry.beginSession(
            [UInt8](repeating: 9, count: 32), of: grant(999), lifetime: .seconds(60), in: app.database.ingest)
        #expect(unknown == nil)
    }

    @Test func `an address that tries many keys or cookies has to wait, and the form says so`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(
            conninfo: app.conninfo,
            environment: [
                "AFTERPUSH_LIMITS_EXEMPT": "none", "AFTERPUSH_RATE_FAILURES": "1", "AFTERPUSH_RATE_BURST": "3",
            ])
        let curl = Curl(collector.url)
        var responses: [Curl.Response] = []
        for number in 0..<8 { responses.append(try await curl.post("/login", ["key": "ap_read_\(number)"])) }
        let refused = try #require(responses.first { $0.status == 429 })
        #expect(responses.first?.status == 401)
        #expect(refused.headers["retry-after"] != nil && refused.body.contains("data-error=\"rate\""))
        var statuses: Set<Int> = []
        for number in 0..<8 { statuses.insert(try await curl("/v1/reports", session: "made-up-\(number)").status) }
        #expect(statuses.contains(429) && statuses.isSubset(of: [401, 429]), "\(statuses)")
        await collector.stop()
    }

    @Test func `signing in fails while the database is down, and the form says why`() async throws {
        let outage = try await OutageCluster()
        let collector = try await CollectorProcess(conninfo: outage.app.conninfo)
        let curl = Curl(collector.url)
        let session = try await curl.post("/login", ["key": outage.app.readKey]).session
        try await outage.stop()
        let response = try await curl.post("/login", ["key": "ap_read_other"])
        #expect(response.status == 503 && response.body.contains("data-error=\"unavailable\""), "\(response)")
        #expect(try await curl("/", session: session).status == 200, "the page itself needs no database")
        await collector.stop()
        await outage.close()
    }

    @Test func `invalid settings end the program with an error that names them`() async throws {
        for value in ["0h", "12", "100d", "h", "-1h"] {
            let output = try await Program.run(
                ["serve", "--port", "0", "--database-url", collector.app.conninfo],
                environment: ["AFTERPUSH_SESSION_LIFETIME": value])
            #expect(output.status == 2 && output.error.contains("session lifetime"), "\(value): \(output.error)")
        }
    }
}
