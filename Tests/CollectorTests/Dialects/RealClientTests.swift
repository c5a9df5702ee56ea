import Foundation
import TestSupport
import Testing

/// Tests that clients of other systems, from their packages, deliver each event once.
@Suite(.enabled(if: ClientRun.isInstalled, ClientRun.missing)) struct RealClientTests {
    /// A client as tests run it, and what it does by itself.
    struct Client: CustomTestStringConvertible, Sendable {
        let name: String
        /// The requests with a key that is unknown, until the client gives up.
        var refusedRequests = 1
        /// The status for an unknown key.
        var refusal = 401
        /// Whether it sends a request again whose response was lost.
        var repeatsLost = true
        /// Whether it sends a request again that got 429.
        var repeatsLimited = true

        var testDescription: String { name }

        static let all = [
            Client(name: "segment"), Client(name: "segment_gzip"), Client(name: "rudderstack"),
            Client(name: "customerio_cdp"), Client(name: "posthog"), Client(name: "posthog_v1"),
            Client(name: "mixpanel", repeatsLost: false),
            Client(name: "amplitude", refusal: 400, repeatsLost: false),
            Client(name: "cloudevents", refusedRequests: 2),
            Client(name: "cloudevents_structured", refusedRequests: 2), Client(name: "otlp", refusedRequests: 2),
            Client(name: "snowplow", refusedRequests: 2), Client(name: "snowplow_get", refusedRequests: 2),
        ]
    }

    private static let shared = Task { try await HTTPTestCollector(environment: [:]) }
    private let collector: HTTPTestCollector

    init() async throws {
        collector = try await Self.shared.value
    }

    private func stored(_ name: String) async throws -> String? {
        try await collector.app.value(
            """
            select string_agg(
                concat_ws(' ', kind, action_identifier, device_id, campaign_id, now() - occurred_at < interval '1 minute'),
                ';'
            )
            from afterpush.events where notification_id = 'n-\(name)'
            """)
    }

    @Test(arguments: Client.all) func `each event arrives once, and unknown ones leave nothing`(
        client: Client
    ) async throws {
        let name = "\(client.name)-plain"
        let run = try await ClientRun.run(
            client.name, collector.process.url, key: collector.app.ingestKey, name: name)
        #expect(run.finished && run.errors.isEmpty, "\(run)")
        #expect(run.statuses.allSatisfy { $0 == 200 }, "\(run)")
        #expect(try await stored(name) == "action book d-\(name) winter t")
        #expect(try await collector.app.value("select count(*) from afterpush.rejected_events") == "0")
    }

    @Test(arguments: Client.all) func `an event whose response was lost counts once`(client: Client) async throws {
        let name = "\(client.name)-lost"
        let run = try await ClientRun.run(
            client.name, collector.process.url, key: collector.app.ingestKey, scenario: "lost", name: name)
        #expect(run.finished, "\(run)")
        if client.repeatsLost { #expect(run.requests >= 2 && run.errors.isEmpty, "\(run)") }
        #expect(try await stored(name) == "action book d-\(name) winter t")
    }

    @Test(arguments: Client.all) func `a client that has to wait sends the event again`(client: Client) async throws {
        guard client.repeatsLimited else { return }
        let name = "\(client.name)-limited"
        let run = try await ClientRun.run(
            client.name, collector.process.url, key: collector.app.ingestKey, scenario: "limited", name: name)
        #expect(run.finished && run.errors.isEmpty, "\(run)")
        #expect(run.statuses.first == 429 && run.statuses.last == 200, "\(run)")
        #expect(try await stored(name) == "action book d-\(name) winter t")
    }

    @Test(arguments: Client.all) func `a client with an unknown key gives up`(client: Client) async throws {
        let run = try await ClientRun.run(
            client.name, collector.process.url, key: "ap_ingest_unknown", name: "\(client.name)-unknown")
        #expect(run.finished, "\(run)")
        #expect(run.statuses == Array(repeating: client.refusal, count: client.refusedRequests), "\(run)")
    }

    @Test func `the page for newcomers has code that works as it is`() async throws {
        let page = try String(contentsOf: Program.root.appending(path: "docs/other-clients.md"), encoding: .utf8)
        let blocks = page.split(separator: "```python\n").dropFirst().map { $0.prefix { $0 != "`" } }
        #expect(blocks.count == 3)
        for block in blocks {
            let code = block.replacing("ap_ingest_...", with: collector.app.ingestKey)
                .replacing("http://127.0.0.1:8080", with: collector.process.url)
            try await ClientRun.run(code: String(code))
        }
        try await collector.app.waitUntil("stored") {
            try await collector.app.value(
                """
                select string_agg(concat_ws(' ', notification_id, kind, action_identifier, device_id, campaign_id), ', '
                    order by notification_id)
                from afterpush.events where notification_id in ('n-7', 'n-8', 'n-9')
                """) == ["n-7", "n-8", "n-9"].map { "\($0) action book d-1 winter" }.joined(separator: ", ")
        }
    }

    @Test func `during an outage clients get 200 from the spool, and repeat nothing`() async throws {
        let outage = try await OutageCluster()
        let collector = try await CollectorProcess(
            conninfo: outage.app.conninfo, spool: CollectorProcess.spoolDirectory())
        let warmUp = try await TestClient(url: collector.url).post(
            "/v1/batch", Data(#"{"batch":[]}"#.utf8), key: outage.app.ingestKey)
        #expect(warmUp.status == 200)
        try await outage.stop()
        for client in Client.all {
            let run = try await ClientRun.run(
                client.name, collector.url, key: outage.app.ingestKey, name: "\(client.name)-outage")
            #expect(run.finished && run.errors.isEmpty && run.statuses.allSatisfy { $0 == 200 }, "\(client) \(run)")
        }
        try await outage.start()
        try await outage.app.waitUntil("\(Client.all.count)") {
            try await outage.app.value(
                "select count(*) = \(Client.all.count) from afterpush.events where notification_id like 'n-%-outage'")
                == "t"
        }
        #expect(try await outage.app.value("select count(*) from afterpush.rejected_events") == "0")
        await outage.close()
    }
}
