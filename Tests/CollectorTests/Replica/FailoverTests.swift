import Foundation
import Postgres
import TestSupport
import Testing

/// Tests a collector whose database is a standby, and one whose primary fails and is replaced by the standby.
@Suite(.serialized) struct FailoverTests {
    private func post(_ count: Int, _ app: TestApp, to collector: CollectorProcess) async throws -> TestClient.Response
    {
        try await TestClient(url: collector.url).post(
            "/v1/events", EventJSON.body((0..<count).map { _ in EventJSON.event() }), key: app.sendKey)
    }

    private func ready(_ collector: CollectorProcess) async throws -> String {
        let response = try await TestClient(url: collector.url).get("/readyz", key: nil)
        return "\(response.status) \(response.text)"
    }

    @Test func `a collector on a standby is not ready, says why, and spools nothing`() async throws {
        try await ReplicatedCluster.with { cluster in
            let spool = CollectorProcess.spoolDirectory()
            defer { try? FileManager.default.removeItem(atPath: spool) }
            try await cluster.standby.catchUp(with: cluster.app)
            let collector = try await CollectorProcess(conninfo: cluster.standby.conninfo, spool: spool)
            try await cluster.app.waitUntil("it says that it is not ready") {
                try await ready(collector) == "503 not ready: PostgreSQL is a standby\n"
            }
            for _ in 0..<3 {
                let response = try await post(2, cluster.app, to: collector)
                #expect(response.status == 503 && response.text.contains("storage_unavailable"), "\(response.text)")
                #expect(response.headers["retry-after"] != nil)
            }
            #expect(try await ready(collector) == "503 not ready: PostgreSQL is a standby\n")
            let metrics = try await cluster.metrics(collector)
            #expect(metrics["afterpush_ready"] == 0)
            #expect(metrics[#"afterpush_not_ready{cause="database_standby"}"#] == 1)
            #expect(metrics["afterpush_spool_events"] == 0)
            #expect(metrics[#"afterpush_events_total{outcome="spooled"}"#] == 0)
            #expect(metrics["afterpush_events_received_total"] == metrics.sum(of: "afterpush_events_total"))

            try await cluster.standby.promote()
            try await cluster.app.waitUntil("events are stored after the promotion") {
                try await post(1, cluster.app, to: collector).status == 200
            }
            try await cluster.app.waitUntil("it is ready") { try await ready(collector) == "200 ready\n" }
            await collector.stop()
        }
    }

    @Test func `a collector with two hosts follows a failover, and stores each event once`() async throws {
        try await ReplicatedCluster.with { cluster in
            let hosts = [cluster.app.conninfo, cluster.standby.conninfo].compactMap {
                $0.firstMatch(of: /host='([^']+)'/).map { String($0.1) }
            }
            let url =
                cluster.app.conninfo.replacing(/host='[^']+'/, with: "host='\(hosts.joined(separator: ","))'")
                + " target_session_attrs=read-write"
            let spool = CollectorProcess.spoolDirectory()
            defer { try? FileManager.default.removeItem(atPath: spool) }
            let collector = try await CollectorProcess(
                conninfo: url, environment: cluster.environment(), spool: spool)
            try await cluster.wait(collector, isUsed: true)
            #expect(try await post(2, cluster.app, to: collector).status == 200)
            try await cluster.app.waitForRollups()
            try await cluster.standby.catchUp(with: cluster.app)

            await cluster.primary.failAtOnce()
            let spooled = try await post(3, cluster.app, to: collector)
            #expect(spooled.status == 202, "\(spooled.text)")
            try await cluster.app.waitUntil("it spools") {
                try await ready(collector) == "200 ready: spooling, PostgreSQL is away\n"
            }
            try await cluster.standby.promote()
            try await cluster.app.waitUntil("events are stored in the new primary") {
                try await post(1, cluster.app, to: collector).status == 200
            }
            try await cluster.app.waitUntil("what was spooled is stored") {
                try await cluster.standby.value(
                    "select count(*) >= 6 and count(*) = count(distinct event_id) from afterpush.events") == "t"
            }
            try await cluster.app.waitUntil("it is ready") { try await ready(collector) == "200 ready\n" }
            // The replica is the primary now, and reports are read from it.
            try await cluster.wait(collector, isUsed: true)
            let response = try await TestClient(url: collector.url).get(
                "/v1/reports/overview", key: cluster.app.readKey)
            #expect(response.status == 200, "\(response.text)")
            await collector.stop()
        }
    }
}
