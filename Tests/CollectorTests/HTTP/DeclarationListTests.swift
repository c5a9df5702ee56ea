import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests that lists of declarations and keys take a bounded part of the collector's memory, whatever an app has declared.
@Suite struct DeclarationListTests {
    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    private func collector() async throws -> CollectorProcess {
        try await CollectorProcess(conninfo: app.conninfo, environment: ["AFTERPUSH_HTTP_WRITE_TIMEOUT": "300"])
    }

    /// Declares campaigns whose identifiers are their numbers, every third one archived, with two variants each.
    private func insertCampaigns(_ count: Int, goals: Int = 0) async throws {
        try await app.superuserValue(
            """
            with campaigns as (
                insert into afterpush.campaigns (app_id, campaign_id, name, archived_at, goal_actions)
                select
                    \(app.app.id), to_char(n, 'FM0000'), 'n', case when n % 3 = 0 then now() end,
                    array(select md5(n::text || g) || repeat('x', 200) from generate_series(1, \(goals)) as g)
                from generate_series(1, \(count)) as n
                returning app_id, campaign_id
            )
            insert into afterpush.campaign_variants
            select app_id, campaign_id, v, 1, v = campaign_id || 'b'
            from campaigns cross join lateral unnest(array[campaign_id || 'a', campaign_id || 'b']) as v
            """)
    }

    @Test(arguments: [12, 13, 14, 39, 110])
    func `a list of campaigns is complete and in order, however many parts it is read in`(count: Int) async throws {
        try await insertCampaigns(count)
        let collector = try await collector()
        let client = TestClient(url: collector.url)
        for (query, numbers) in [
            ("", (1...count).filter { $0 % 3 != 0 }), ("?archived=false", (1...count).filter { $0 % 3 != 0 }),
            ("?archived=true", Array(1...count)),
        ] {
            let response = try await client.get("/v1/campaigns\(query)", key: app.readKey)
            let campaigns = try #require(try response.json()["campaigns"] as? [[String: Any]])
            #expect(campaigns.map { $0["id"] as? String } == numbers.map { String(format: "%04d", $0) })
            let variants = campaigns.flatMap { ($0["variants"] as? [[String: Any]] ?? []).map { $0["id"] as? String } }
            #expect(variants == numbers.flatMap { n in ["b", "a"].map { String(format: "%04d", n) + $0 } })
        }
        await collector.stop()
    }

    @Test func `clients that don't read long lists take up the memory of their key and app alone`() async throws {
        // A part of the list is larger than what the system buffers for a connection.
        try await insertCampaigns(60, goals: 1_000)
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let collector = try await collector()
        var open: [RawConnection] = []
        func status(_ path: String, _ key: String) async throws -> Substring {
            let connection = try RawConnection(port: collector.port, receiveBuffer: 16 * 1024)
            await connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\n\r\n")
            open.append(connection)
            let text = await connection.receive { $0.contains("\r\n\r\n") } ?? ""
            return text.split(separator: " ").dropFirst().first ?? ""
        }
        var statuses: [Substring] = []
        for _ in 0..<10 { statuses.append(try await status("/v1/campaigns", app.readKey)) }
        #expect(statuses == Array(repeating: "200", count: 8) + ["503", "503"])
        let refused = try await Curl(collector.url)(
            "/v1/campaigns", headers: ["Authorization: Bearer \(app.readKey)"])
        #expect(refused.body.contains("too many large documents with declarations are being read for this key"))
        // Short documents of other kinds, and those of other apps, need no part of it.
        #expect(try await status("/v1/categories", app.readKey) == "200")
        #expect(try await status("/v1/campaigns", other.readKey) == "200")
        open = []
        try await app.waitUntil("the key has its share again") {
            try await status("/v1/campaigns", app.readKey) == "200"
        }
        await collector.stop()
    }

    @Test func `an app has at most ten thousand valid keys, and of its revoked ones the last thousand are listed`()
        async throws
    {
        let manage = try await app.registry.createKey(app: app.app, scope: .manage)
        try await app.superuserValue(
            """
            insert into afterpush.api_keys (app_id, key_hash, scope, hint, revoked_at)
            select
                \(app.app.id), sha256(n::text::bytea), 'read', 'xxxx',
                case when n > 9996 then now() - interval '1 second' * (n % 1700) end
            from generate_series(1, 11500) as n
            """)
        let collector = try await collector()
        let client = TestClient(url: collector.url)
        let body = Data(#"{"scope":"read"}"#.utf8)
        let refused = try await client.post("/v1/keys", body, key: manage)
        #expect(refused.status == 400 && refused.text.contains("limit_exceeded"), "\(refused.text)")
        let keys = try await app.registry.keys(app: app.app)
        #expect(keys.count == 11_000 && keys.map(\.id) == keys.map(\.id).sorted())
        #expect(keys.count { $0.revokedAt == nil } == 10_000)
        let oldest = try #require(keys.compactMap(\.revokedAt).min())
        #expect(oldest > Date(timeIntervalSinceNow: -1_500))
        let valid = try #require(keys.first { $0.revokedAt == nil && $0.scope == .read })
        try await app.registry.revokeKey(valid.id)
        let created = try await client.post("/v1/keys", body, key: manage)
        #expect(created.status == 201, "\(created.text)")
        let id = try #require(try created.json()["id"] as? Int)
        let listed = try await client.get("/v1/keys", key: manage)
        let last = try #require((try listed.json()["keys"] as? [[String: Any]])?.last)
        #expect(last["id"] as? Int == id)
        let times = [last["created_at"] as? String, try created.json()["created_at"] as? String]
        #expect(times[0] != nil && times[0] == times[1])
        // Other apps have their own.
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        #expect(try await app.registry.keys(app: other.app).count == 3)
        await collector.stop()
    }
}
