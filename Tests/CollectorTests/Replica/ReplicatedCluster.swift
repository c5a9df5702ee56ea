import Foundation
import Postgres
import Storage
import TestSupport
import Testing

/// A primary with an app, its standby, and what tests ask of a collector that uses both.
struct ReplicatedCluster {
    let primary: DedicatedCluster
    let app: TestApp
    let standby: StandbyServer

    /// Runs `body` with a primary and its standby.
    static func with(
        settings: [String] = [], _ body: (ReplicatedCluster) async throws -> Void
    ) async throws {
        try await DedicatedCluster.with { primary in
            let app = try await TestApp(conninfo: primary.conninfo)
            let standby = try await StandbyServer(of: primary.conninfo, settings: settings)
            try await body(ReplicatedCluster(primary: primary, app: app, standby: standby))
            await standby.kill()
            await app.database.shutdown()
        }
    }

    /// The variables of a program that reads reports from the standby.
    func environment(maxLag: String = "60") -> [String: String] {
        ["AFTERPUSH_REPORTS_DATABASE_URL": standby.conninfo, "AFTERPUSH_REPORTS_MAX_LAG": maxLag]
    }

    /// Starts a collector that reads reports from the standby, and waits until it does.
    func collector(
        maxLag: String = "60", environment: [String: String] = [:], arguments: [String] = []
    ) async throws -> CollectorProcess {
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, arguments: arguments,
            environment: self.environment(maxLag: maxLag).merging(environment) { $1 })
        try await wait(collector, isUsed: true)
        return collector
    }

    /// Waits until a collector reads reports from the standby, or from the primary.
    func wait(_ collector: CollectorProcess, isUsed: Bool) async throws {
        try await app.waitUntil("the replica is \(isUsed ? "" : "not ") used") {
            try await metrics(collector)["afterpush_replica_used"] == (isUsed ? 1 : 0)
        }
    }

    func metrics(_ collector: CollectorProcess) async throws -> MetricsText {
        try MetricsText(try await TestClient(url: collector.url).get("/metrics", key: nil).text)
    }

    /// Posts sends, and waits until the primary has merged them.
    func send(_ count: Int, to collector: CollectorProcess) async throws {
        let events = (0..<count).map { _ in
            EventJSON.event(["kind": "sent", "campaign_id": "spring", "device_id": UUID().uuidString])
        }
        let response = try await TestClient(url: collector.url).post(
            "/v1/events", EventJSON.body(events), key: app.sendKey)
        #expect(response.status == 200, "\(response.text)")
        try await app.waitForRollups()
    }

    /// The number of sends in a report of a collector, and its `as_of`.
    func sends(_ collector: CollectorProcess) async throws -> (count: Int, asOf: Date) {
        let response = try await TestClient(url: collector.url).get(
            "/v1/reports/conversion?by=campaign&min_n=1", key: app.readKey)
        guard response.status == 200 else { throw Program.Failed(message: response.text) }
        let json = try response.json()
        let rows = json["rows"] as? [[String: Any]] ?? []
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let text = json["as_of"] as? String ?? ""
        let asOf = (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
        return (rows.first?["sent"] as? Int ?? 0, try #require(asOf, "\(response.text)"))
    }

    /// The time by the primary's clock.
    func time() async throws -> Date {
        let seconds = try await app.superuserValue("select extract(epoch from clock_timestamp())::float8")
        return Date(timeIntervalSince1970: try #require(seconds.flatMap(Double.init)))
    }
}
