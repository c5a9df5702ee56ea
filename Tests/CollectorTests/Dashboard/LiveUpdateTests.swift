import Events
import Foundation
import Glibc
import Storage
import TestSupport
import Testing

/// Tests `GET /v1/live`.
@Suite struct LiveUpdateTests {
    private func bearer(_ key: String) -> String { "Authorization: Bearer \(key)" }

    @Test func `a stream reports each second what all collectors stored for its app only`()
        async throws
    {
        let app = try await TestApp()
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let here = try await CollectorProcess(conninfo: app.conninfo)
        let there = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: there.url)
        let odd = try await client.get("/v1/live?campaign=x", key: app.readKey)
        #expect(odd.status == 400 && odd.text.contains("the stream has no parameters"), "\(odd.text)")
        let stream = try await LiveStream(port: here.port, bearer(app.readKey))
        let head = try #require(await stream.text(until: "data: "))
        #expect(head.contains("HTTP/1.1 200") && head.lowercased().contains("content-type: text/event-stream"))
        #expect(head.contains("retry: 2000\n\n") && head.contains("id: "))

        let sent = EventJSON.event([
            "kind": "sent", "campaign_id": "autumn", "category_id": "sale", "platform": "ios",
            "device_id": "secret-device", "notification_id": "secret-notification",
        ])
        let reply = EventJSON.event([
            "kind": "text_input", "action_identifier": "answer", "user_text": "secret text",
            "device_id": "secret-device", "notification_id": "secret-notification",
        ])
        _ = try await client.post("/v1/events", EventJSON.body([sent]), key: app.sendKey)
        let rest = [sent, reply, EventJSON.event(), EventJSON.event(["event_id": "no"])]
        _ = try await client.post("/v1/events", EventJSON.body(rest), key: app.sendKey)
        let strange = [EventJSON.event(["campaign_id": "strange"])]
        _ = try await TestClient(url: here.url).post("/v1/events", EventJSON.body(strange), key: other.ingestKey)

        let (summaries, text) = try await stream.summaries(until: 3)
        let kinds = summaries.reduce(into: [:]) { $0.merge($1.kinds) { $0 + $1 } }
        #expect(kinds == ["sent": 1, "text_input": 1, "opened": 1])
        #expect(summaries.reduce(0) { $0 + $1.duplicates } == 1)
        #expect(summaries.reduce(0) { $0 + $1.rejected } == 1)
        let latest = summaries.flatMap(\.latest)
        let kind = try #require(latest.first { $0["kind"] == "sent" })
        #expect(kind["campaign_id"] == "autumn" && kind["category_id"] == "sale" && kind["platform"] == "ios")
        #expect(latest.contains { $0["kind"] == "text_input" && $0["action_id"] == "answer" })
        #expect(
            Set(latest.flatMap(\.keys)) == [
                "occurred_at", "kind", "delivery_id", "event_id", "category_id", "campaign_id", "action_id", "platform",
            ])
        #expect(!text.contains("secret") && !text.contains("strange"))
        #expect(summaries.allSatisfy { !$0.estimated && $0.rollup_lag_seconds >= 0 })
        await here.stop()
        await there.stop()
    }

    @Test func `a stream ends within seconds after its key or session`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let curl = Curl(collector.url)
        let session = try #require(try await curl.post("/login", ["key": app.readKey]).session)
        let key = try await app.registry.createKey(app: app.app, scope: .read)
        let id = try #require(try await app.registry.keys(app: app.app).last).id
        let ofKey = try await LiveStream(port: collector.port, bearer(key))
        let ofSession = try await LiveStream(port: collector.port, "Cookie: afterpush_session=\(session)")
        for stream in [ofKey, ofSession] { #expect(await stream.text(until: "data: ")?.contains("data: ") == true) }
        try await app.registry.revokeKey(id)
        #expect(await ofKey.connection.closes(within: .seconds(10)))
        #expect(await ofSession.text(until: "data: ")?.contains("data: ") == true, "the session has another key")
        _ = try await curl.post("/logout", [:], session: session)
        #expect(await ofSession.connection.closes(within: .seconds(10)))
        for credentials in [bearer(key), bearer(app.ingestKey), "Cookie: afterpush_session=\(session)", "X-None: 1"] {
            let refused = try await LiveStream(port: collector.port, credentials + "\r\nConnection: close")
            let text = await refused.connection.receive() ?? ""
            #expect(text.hasPrefix("HTTP/1.1 40"), "\(text)")
        }
        await collector.stop()
    }

    @Test func `streams end immediately when the collector stops`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        var streams: [LiveStream] = []
        for _ in 0..<5 { streams.append(try await LiveStream(port: collector.port, bearer(app.readKey))) }
        for stream in streams { #expect(await stream.text(until: "data: ") != nil) }
        let start = ContinuousClock.now
        collector.signal(SIGTERM)
        for stream in streams { #expect(await stream.connection.closes(within: .seconds(5))) }
        #expect(await collector.exitCode(within: .seconds(10)) == 0)
        #expect(start.duration(to: .now) < .seconds(6), "the collector waited for its deadline")
    }

    @Test func `a key and an app can open only their share of the streams, and a closed stream makes room`()
        async throws
    {
        let app = try await TestApp()
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let second = try await app.registry.createKey(app: app.app, scope: .read)
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        var streams: [LiveStream] = []
        func open(_ count: Int, _ key: String) async throws {
            for _ in 0..<count { streams.append(try await LiveStream(port: collector.port, bearer(key))) }
            for stream in streams.suffix(count) {
                #expect(await stream.text(until: "retry: ")?.hasPrefix("HTTP/1.1 200") == true)
            }
        }
        func expectRefusal(_ key: String, _ holder: String) async throws {
            let refused = try await Curl(collector.url)("/v1/live", headers: [bearer(key)])
            #expect(refused.status == 503 && refused.headers["retry-after"] == "10", "\(refused)")
            #expect(refused.body.contains("too many open live streams for this \(holder)"), "\(refused)")
        }
        try await open(64, app.readKey)
        try await expectRefusal(app.readKey, "key")
        try await open(32, second)
        try await expectRefusal(second, "app")
        try await open(1, other.readKey)
        #expect(try await Curl(collector.url)("/v1/reports", headers: [bearer(app.readKey)]).status == 200)
        streams.removeFirst(64)
        try await app.waitUntil("there is room again") {
            let stream = try await LiveStream(port: collector.port, bearer(app.readKey))
            return await stream.text(until: "\r\n")?.hasPrefix("HTTP/1.1 200") == true
        }
        await collector.stop()
    }

    @Test func `the database is queried once per second for all streams of an app, and not without streams`()
        async throws
    {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        func queryCount() async throws -> Double {
            let metrics = try MetricsText(try await client.get("/metrics", key: nil).text)
            return try #require(metrics[#"afterpush_pool_wait_seconds_count{role="live"}"#])
        }
        try await Task.sleep(for: .seconds(2))
        #expect(try await queryCount() == 0)
        var streams: [LiveStream] = []
        let start = ContinuousClock.now
        for _ in 0..<8 { streams.append(try await LiveStream(port: collector.port, bearer(app.readKey))) }
        for stream in streams { #expect(await stream.text(until: "data: ") != nil) }
        try await Task.sleep(for: .seconds(2))
        let seconds = start.duration(to: .now) / .seconds(1)
        #expect(try await queryCount() <= seconds + 2)
        streams = []
        try await app.waitUntil("all streams have ended") {
            let before = try await queryCount()
            try await Task.sleep(for: .seconds(2))
            return try await queryCount() == before
        }
        await collector.stop()
    }

    @Test func `under high load counts by kind are extrapolated from a sample, and the sum is exact`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let feed = LiveFeed(pool: app.database.liveReads)
        #expect(try await feed.summary(ofApp: app.app.id).contains(#""accepted" : 0"#))
        let client = TestClient(url: collector.url)
        for _ in 0..<3 {
            let events = (0..<4_000).map { EventJSON.raw(kind: $0 % 4 == 0 ? "sent" : "delivered") }
            #expect(try await client.post("/v1/events", EventJSON.body(raw: events), key: app.sendKey).status == 200)
        }
        let text = try await feed.summary(ofApp: app.app.id)
        let summary = try JSONDecoder().decode(LiveStream.Summary.self, from: Data(text.utf8))
        #expect(summary.accepted == 12_000 && summary.estimated)
        #expect(abs((summary.kinds["sent"] ?? 0) - 3_000) < 600, "\(summary.kinds)")
        #expect(abs(summary.kinds.values.reduce(0, +) - 12_000) <= 2)
        #expect(summary.latest.count == 12)
        let next = try await feed.summary(ofApp: app.app.id)
        #expect(next.contains(#""accepted" : 0"#), "no event is reported twice")
        await collector.stop()
    }
}
