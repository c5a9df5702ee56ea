import Foundation
import LocalPostgres
import Storage
import TestSupport
import Testing

/// Tests declared sends from their declaration to the reports that use them as base.
@Suite struct SendTests {
    private let app: TestApp
    private let client: TestClient
    private let collector: CollectorProcess

    init() async throws {
        app = try await TestApp()
        collector = try await CollectorProcess(conninfo: app.conninfo)
        client = TestClient(url: collector.url)
    }

    private func send(_ fields: [String: any Sendable] = [:]) -> [String: any Sendable] {
        let send: [String: any Sendable] = [
            "send_id": UUID().uuidString, "campaign_id": "spring", "count": 100, "sent_at": "2026-11-20T10:00:00Z",
        ]
        return send.merging(fields) { $1 }
    }

    private func post(_ sends: [[String: any Sendable]], key: String? = nil) async throws -> TestClient.Response {
        let body = try JSONSerialization.data(withJSONObject: ["sends": sends])
        return try await client.post("/v1/sends", body, key: key ?? app.sendKey)
    }

    private func rows(_ path: String) async throws -> [[String: Any]] {
        let response = try await client.get(path, key: app.readKey)
        #expect(response.status == 200, "\(response.text)")
        return try response.json()["rows"] as? [[String: Any]] ?? []
    }

    @Test
    func
        `an id counts once within a request, in later requests and in simultaneous ones, and the first declaration is kept`()
        async throws
    {
        let first = send(["send_id": "7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0a01", "count": 40])
        let again = send(["send_id": "7B0F4F6E-3C1D-4B53-9A53-0D7C1F1F0A01", "count": 99])
        #expect(try await post([first, again]).text == #"{"accepted":1,"duplicates":1}"#)
        #expect(try await post([again, send()]).text == #"{"accepted":1,"duplicates":1}"#)
        #expect(
            try await app.value("select string_agg(count::text, ',' order by count) from afterpush.sends") == "40,100")

        let many = (0..<200).map { _ in send(["campaign_id": "autumn", "count": 1]) }
        let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
            for turn in 0..<8 {
                group.addTask {
                    let order = turn % 2 == 0 ? many : many.reversed()
                    return try await post(order).json()["accepted"] as? Int ?? -1
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(accepted == 200)
        #expect(try await app.value("select sum(count) from afterpush.sends where campaign_id = 'autumn'") == "200")
    }

    @Test func `the same id in another app is another send`() async throws {
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let send = send()
        #expect(try await post([send]).text == #"{"accepted":1,"duplicates":0}"#)
        #expect(try await post([send], key: other.sendKey).text == #"{"accepted":1,"duplicates":0}"#)
    }

    @Test func `no send of a request is stored if one is invalid`() async throws {
        let response = try await post([send(), send(["count": -1]), send()])
        #expect(response.status == 400)
        #expect(try response.json()["code"] as? String == "field_invalid")
        #expect((try response.json()["detail"] as? String)?.hasPrefix("sends[1].count ") == true)
        #expect(try await post((0..<1_001).map { _ in send() }).status == 413)
        #expect(try await app.value("select count(*) from afterpush.sends") == "0")
        #expect(try await post([]).text == #"{"accepted":0,"duplicates":0}"#)
        #expect(try await post((0..<1_000).map { _ in send() }).text == #"{"accepted":1000,"duplicates":0}"#)
    }

    @Test func `only a key with the send scope can declare sends`() async throws {
        for (key, status) in [(app.ingestKey, 403), (app.readKey, 403), ("nonsense", 401)] {
            #expect(try await post([send()], key: key).status == status)
        }
    }

    @Test func `declared sends are the base of conversion and actions, also with verified=true`() async throws {
        let declared: [String: any Sendable] = ["variant": "b", "platform": "ios", "category_id": "ORDER", "failed": 7]
        #expect(try await post([send(declared), send(["count": 20])]).status == 200)
        let events = (0..<30).map { number in
            EventJSON.event([
                "kind": "action", "action_identifier": "confirm", "notification_id": "n\(number)",
                "campaign_id": "spring", "variant": "b", "category_id": "ORDER", "platform": "ios",
            ])
        }
        #expect(try await client.post("/v1/events", EventJSON.body(events), key: app.ingestKey).status == 200)
        let set = #"{"categories":[{"identifier":"ORDER","actions":[{"identifier":"confirm","title":"Confirm"}]}]}"#
        let imported = try await Program.run(
            ["categories", "import", "-", "--database-url", app.conninfo], input: set)
        #expect(imported.status == 0, "\(imported.error)")
        try await app.waitForRollups()

        let variants = try await rows("/v1/reports/conversion?by=campaign,variant")
        #expect(variants.map { $0["variant"] as? String } == ["b", nil])
        let b = try #require(variants.first)
        #expect(b["base"] as? String == "sent" && b["base_n"] as? Int == 100 && b["sent"] as? Int == 100)
        #expect(b["failed"] as? Int == 7 && b["acted"] as? Int == 30)
        #expect(b["action_rate"] as? Double == 0.3)
        #expect(variants[1]["base_n"] as? Int == 20)

        let actions = try await rows("/v1/reports/actions")
        let confirm = try #require(
            actions.first { $0["action_id"] as? String == "confirm" && $0["variant"] as? String == "b" })
        #expect(confirm["offered_n"] as? Int == 100 && confirm["conversion"] as? Double == 0.3)

        let verified = try #require(try await rows("/v1/reports/conversion?verified=true").first)
        #expect(verified["sent"] as? Int == 120 && verified["acted"] as? Int == 0)
        // They are not the base by day, because their deliveries have no dates of their own.
        let days = try await rows("/v1/reports/conversion?by=day")
        #expect(days.allSatisfy { $0["base_n"] as? Int == 0 })
    }

    @Test func `by day and hour, conversions of declared sends are counted outside the base`() async throws {
        #expect(try await post([send(["count": 1_000])]).status == 200)
        let answered = (0..<30).map { number in
            EventJSON.event([
                "kind": "action", "action_identifier": "buy", "notification_id": "n\(number)", "campaign_id": "spring",
            ])
        }
        let sent = (0..<40).map {
            EventJSON.event(["kind": "sent", "notification_id": "s\($0)", "campaign_id": "each"])
        }
        #expect(try await client.post("/v1/events", EventJSON.body(answered + sent), key: app.sendKey).status == 200)
        try await app.waitForRollups()
        for query in ["by=day", "by=day&tz=Etc/UTC", "by=hour", "by=day,campaign"] {
            let found = try await rows("/v1/reports/conversion?\(query)")
            #expect(found.reduce(0) { $0 + ($1["converted"] as? Int ?? 0) } == 30, "\(query)")
            #expect(found.reduce(0) { $0 + ($1["base_n"] as? Int ?? 0) } == 40, "\(query)")
            #expect(found.reduce(0) { $0 + ($1["sent"] as? Int ?? 0) } == 1_040, "\(query)")
            let rates = found.compactMap { $0["conversion_rate"] as? Double }
            #expect(rates == [0], "\(query): \(rates)")
        }
    }

    @Test func `by day, hour and weekday, a campaign with declared sends has its confirmations as the base`()
        async throws
    {
        #expect(try await post([send(["count": 1_000])]).status == 200)
        let events = (0..<40).flatMap { number in
            ["delivered", "opened"].prefix(number < 10 ? 2 : 1).map { kind in
                EventJSON.event(["kind": kind, "notification_id": "n\(number)", "campaign_id": "spring"])
            }
        }
        #expect(try await client.post("/v1/events", EventJSON.body(events), key: app.ingestKey).status == 200)
        try await app.waitForRollups()
        for query in ["conversion?by=day", "conversion?by=hour", "conversion?by=day&campaign=spring"] {
            let found = try await rows("/v1/reports/\(query)")
            #expect(found.allSatisfy { $0["base"] as? String == "confirmed" }, "\(query)")
            #expect(found.reduce(0) { $0 + ($1["sent"] as? Int ?? 0) } == 1_000, "\(query)")
            #expect(found.compactMap { $0["open_rate"] as? Double } == [0.25], "\(query)")
            #expect(found.compactMap { $0["delivery_rate"] as? Double } == [], "\(query)")
        }
        let heatmap = try await rows("/v1/reports/heatmap")
        #expect(heatmap.compactMap { $0["response_rate"] as? Double } == [0.25])
        let steps = try await rows("/v1/reports/funnel?by=day")
        #expect(steps.reduce(0) { $0 + ($1["step"] as? String == "sent" ? $1["deliveries"] as? Int ?? 0 : 0) } == 1_000)
        #expect(steps.compactMap { $0["share_of_first"] as? Double } == [])
        #expect(steps.contains { $0["step"] as? String == "acted" && $0["share_of_previous"] as? Double == 0 })
        let total = try #require(try await rows("/v1/reports/conversion").first)
        #expect(total["base"] as? String == "sent" && total["base_n"] as? Int == 1_000)
    }

    @Test func `sends are not acknowledged while the database is down, and can be retried`() async throws {
        let cluster = try await TestCluster.open()
        let conninfo = cluster.conninfo
        #expect(try await Program.run(["migrate", "--database-url", conninfo]).status == 0)
        let app = try await TestApp(conninfo: conninfo)
        let collector = try await CollectorProcess(conninfo: conninfo)
        let client = TestClient(url: collector.url)
        let body = try JSONSerialization.data(withJSONObject: ["sends": [send()]])
        let orders = Data(#"{"receipts":[{"notification_id":"n","device_id":"d"}]}"#.utf8)
        #expect(try await client.post("/v1/sends", body, key: app.sendKey).status == 200)
        #expect(try await client.post("/v1/receipts", orders, key: app.sendKey).status == 200)
        await cluster.close()
        let response = try await client.post("/v1/sends", body, key: app.sendKey)
        #expect(response.status == 503 && response.headers["retry-after"] != nil, "\(response.text)")
        // Cached keys and secrets are still used.
        #expect(try await client.post("/v1/receipts", orders, key: app.sendKey).status == 200)
        await collector.kill()
        await app.database.shutdown()
    }
}
