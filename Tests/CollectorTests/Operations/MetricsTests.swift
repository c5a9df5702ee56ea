import Events
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

/// Tests the exact values of `/metrics` after known scenarios.
@Suite(.serialized) struct MetricsTests {
    private let app: TestApp
    private let collector: CollectorProcess
    private let client: TestClient

    init() async throws {
        app = try await TestApp()
        collector = try await CollectorProcess(conninfo: app.conninfo)
        client = TestClient(url: collector.url)
    }

    private func metrics() async throws -> MetricsText {
        let response = try await client.get("/metrics", key: nil)
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        return try MetricsText(response.text)
    }

    /// Waits until the metrics have the expected values.
    private func eventually(_ what: String, _ isTrue: (MetricsText) -> Bool) async throws -> MetricsText {
        let deadline = ContinuousClock.now + .seconds(40)
        while true {
            let metrics = try await metrics()
            if isTrue(metrics) { return metrics }
            guard ContinuousClock.now < deadline else { throw Program.Failed(message: "timed out: \(what)") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Expects I4: received = stored + duplicate + rejected + spooled + unacknowledged.
    private func expectConservation(_ metrics: MetricsText) {
        #expect(metrics["afterpush_events_received_total"] == metrics.sum(of: "afterpush_events_total"))
        #expect(
            metrics[#"afterpush_events_total{outcome="rejected"}"#] == metrics.sum(of: "afterpush_rejections_total"))
    }

    @Test func `outcomes of events, requests and keys are counted exactly`() async throws {
        let first = EventJSON.event(["campaign_id": "spring"])
        var changed = first
        changed["campaign_id"] = "autumn"
        let good = try EventJSON.body([first, EventJSON.event(), EventJSON.event()])
        #expect(try await client.post("/v1/events", good, key: app.ingestKey).status == 200)
        #expect(try await client.post("/v1/events", good, key: app.ingestKey).status == 200)
        let conflict = try EventJSON.body([changed, changed])
        #expect(try await client.post("/v1/events", conflict, key: app.ingestKey).status == 200)
        let bad = EventJSON.body(raw: ["{}", "7", EventJSON.raw(), EventJSON.raw(kind: "sent")])
        #expect(try await client.post("/v1/events", bad, key: app.ingestKey).status == 200)
        #expect(try await client.post("/v1/events", EventJSON.body(raw: ["{}"]), key: app.ingestKey).status == 422)
        #expect(try await client.post("/v1/events", Data("[".utf8), key: app.ingestKey).status == 400)
        #expect(try await client.post("/v1/events", good, key: "ap_ingest_none").status == 401)
        #expect(try await client.get("/v1/reports/nope?\(UUID())", key: app.readKey).status == 404)
        #expect(try await client.get("/\(UUID())", key: nil).status == 404)

        let metrics = try await eventually("rolled up") { $0["afterpush_rollup_events_total"] == 4 }
        expectConservation(metrics)
        let expected: [String: Double] = [
            "afterpush_events_received_total": 13,
            #"afterpush_events_total{outcome="stored"}"#: 4,
            #"afterpush_events_total{outcome="duplicate"}"#: 5,
            #"afterpush_events_total{outcome="rejected"}"#: 4,
            #"afterpush_events_total{outcome="spooled"}"#: 0,
            #"afterpush_events_total{outcome="unacknowledged"}"#: 0,
            #"afterpush_rejections_total{code="field_missing"}"#: 2,
            #"afterpush_rejections_total{code="invalid_json_type"}"#: 1,
            #"afterpush_rejections_total{code="scope_insufficient"}"#: 1,
            "afterpush_conflicts_total": 1,
            #"afterpush_http_requests_total{route="/v1/events",status="200"}"#: 4,
            #"afterpush_http_requests_total{route="/v1/events",status="422"}"#: 1,
            #"afterpush_http_requests_total{route="/v1/events",status="400"}"#: 1,
            #"afterpush_http_requests_total{route="/v1/events",status="401"}"#: 1,
            #"afterpush_http_requests_total{route="/v1/reports/{name}",status="404"}"#: 1,
            #"afterpush_http_requests_total{route="other",status="404"}"#: 1,
            "afterpush_acknowledgement_seconds_count": 5,
            "afterpush_commit_seconds_count": 5,
            "afterpush_group_events_count": 5,
            "afterpush_group_events_sum": 13,
            #"afterpush_group_events_bucket{le="2"}"#: 2,
            #"afterpush_group_events_bucket{le="5"}"#: 5,
            #"afterpush_key_lookups_total{result="unknown"}"#: 1,
            #"afterpush_rollup_runs_total{outcome="failed"}"#: 0,
            "afterpush_queue_events": 0, "afterpush_queue_requests": 0, "afterpush_queue_capacity_events": 50_000,
            #"afterpush_pool_size{role="ingest"}"#: 4, #"afterpush_pool_waiting{role="ingest"}"#: 0,
            "afterpush_ready": 1, #"afterpush_not_ready{cause="database_away"}"#: 0,
        ]
        for (series, value) in expected { #expect(metrics[series] == value, "\(series)") }
        // One run may have merged both batches.
        let merged = metrics[#"afterpush_rollup_runs_total{outcome="merged"}"#]
        #expect(merged == 1 || merged == 2)
        #expect(metrics["afterpush_rollup_run_seconds_count"] == merged)
        let lookups = metrics.sum(of: "afterpush_key_lookups_total")
        #expect(lookups == 8, "each request with a key")
        #expect(try await app.value("select sum(conflicts) from afterpush.batches") == "1")
        #expect(!metrics.values.keys.contains { $0.contains("shop") }, "no metric names an app")
        #expect(await collector.stop() == 0)
    }

    @Test func `unacknowledged events are counted by cause while the database refuses writes`() async throws {
        let body = try EventJSON.body([EventJSON.event(), EventJSON.event()])
        #expect(try await client.post("/v1/events", body, key: app.ingestKey).status == 200)
        // The database is up, but a table is locked for several times the lock timeout of 2 s.
        let lock = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await lock.script("begin; lock table afterpush.rejected_events in access exclusive mode")
        let refused = EventJSON.body(raw: ["{}", EventJSON.raw(), EventJSON.raw()])
        let response = try await client.post("/v1/events", refused, key: app.ingestKey)
        #expect(response.status == 503)
        let metrics = try await metrics()
        expectConservation(metrics)
        #expect(metrics[#"afterpush_events_total{outcome="unacknowledged"}"#] == 3)
        #expect(metrics[#"afterpush_unacknowledged_requests_total{cause="storage_unavailable"}"#] == 1)
        #expect(metrics[#"afterpush_storage_failures_total{sqlstate="55P03"}"#] == 1)
        #expect(metrics[#"afterpush_retries_total{sqlstate="55P03"}"#] ?? 0 >= 1)
        #expect(metrics["afterpush_acknowledgement_seconds_count"] == 1)
        await lock.close()
        let log = collector.errorOutput
        #expect(log.split(separator: "\n").count { $0.contains("could not store a group") } == 1)
        #expect(log.contains("55P03 lock_not_available"))
        // After the collector has noticed that the database accepts groups again.
        try await app.waitUntil("the events are taken") {
            try await client.post("/v1/events", refused, key: app.ingestKey).status == 200
        }
        expectConservation(try await self.metrics())
        await collector.stop()
    }

    @Test func `the space for data and spool is shown, where there are such directories`() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let other = try await CollectorProcess(
            conninfo: app.conninfo, arguments: ["--data-dir", directory], spool: directory + "/spool")
        let shown = try MetricsText(try await TestClient(url: other.url).get("/metrics", key: nil).text)
        for name in ["data", "spool"] {
            let free = try #require(shown[#"afterpush_disk_free_bytes{directory="\#(name)"}"#])
            let size = try #require(shown[#"afterpush_disk_size_bytes{directory="\#(name)"}"#])
            #expect(free > 0 && free <= size, "\(name)")
        }
        await other.stop()
        await collector.stop()
    }

    @Test func `rollup lag, waiting batches and partitions are reported while the worker is blocked`() async throws {
        let lock = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await lock.script("begin; select from afterpush.rollup_worker for update")
        let body = try EventJSON.body([EventJSON.event(), EventJSON.event()])
        #expect(try await client.post("/v1/events", body, key: app.ingestKey).status == 200)
        let lagging = try await eventually("a lag of a second") { ($0["afterpush_rollup_lag_seconds"] ?? 0) > 1 }
        #expect(lagging["afterpush_rollup_waiting_batches"] == 1)
        #expect(lagging["afterpush_rollup_waiting_events"] == 2)
        #expect(lagging["afterpush_partitions_ahead"] == 4)
        #expect(lagging["afterpush_default_partition_events"] == 0)
        await lock.close()
        let after = try await eventually("no lag") { $0["afterpush_rollup_lag_seconds"] == 0 }
        #expect(after["afterpush_rollup_waiting_batches"] == 0)
        await collector.stop()
    }

    @Test func `metrics need a key with the read scope through a proxy or under another name`() async throws {
        func get(_ key: String?, _ headers: [String: String]) async throws -> Int {
            try await client.get("/metrics", key: key, headers: headers).status
        }
        #expect(try await get(nil, [:]) == 200)
        #expect(try await metrics()["afterpush_http_unlisted_proxy"] == 0)
        for header in ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP"] {
            #expect(try await get(nil, [header: "127.0.0.1"]) == 401, "\(header)")
        }
        #expect(try await metrics()["afterpush_http_unlisted_proxy"] == 1)
        let warning = "requests come through a proxy that is not trusted"
        try await app.waitUntil("the warning") { collector.errorOutput.contains(warning) }
        #expect(collector.errorOutput.components(separatedBy: warning).count == 2, "once, however many requests")
        // A page that rebinds its own name to this machine, or a proxy that adds no header.
        let curl = Curl(collector.url)
        for host in ["push.example.com", "evil.example:8080", "localhost.evil.example"] {
            #expect(try await curl("/metrics", headers: ["Host: \(host)"]).status == 401, "\(host)")
        }
        #expect(try await curl("/metrics", headers: ["Host: localhost:1"]).status == 200)
        // As nginx forwards with nothing but proxy_pass.
        #expect(try await curl("/metrics", headers: ["Host: 127.0.0.1:8080"], "--http1.0").status == 401)
        let proxied = ["X-Forwarded-For": "10.0.0.1"]
        #expect(try await get(app.ingestKey, proxied) == 403)
        #expect(try await get(app.readKey, proxied) == 200)
        let manage = try await app.registry.createKey(app: app.app, scope: .manage)
        #expect(try await get(manage, proxied) == 200)
        await collector.stop()
    }

    private static let promtool: String? = {
        let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/promtool" }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    @Test(.enabled(if: promtool != nil, "promtool is not installed (Debian: prometheus); the own parser checks"))
    func `promtool accepts the metrics`() async throws {
        let bad = EventJSON.body(raw: ["{}", EventJSON.raw()])
        #expect(try await client.post("/v1/events", bad, key: app.ingestKey).status == 200)
        let text = try await client.get("/metrics", key: nil).text
        let program = URL(filePath: try #require(Self.promtool))
        let output = try await Program.run(["check", "metrics"], program: program, input: text)
        #expect(output.status == 0, "\(output.error)")
        #expect(output.output + output.error == "")
        await collector.stop()
    }
}
