import Foundation
import TestSupport
import Testing

/// Tests reports of extreme time ranges.
@Suite struct ReportTimeRangeTests {
    private let app: TestApp
    private let collector: CollectorProcess
    private let client: TestClient

    init() async throws {
        app = try await TestApp()
        collector = try await CollectorProcess(conninfo: app.conninfo)
        client = TestClient(url: collector.url)
    }

    private func rows(_ path: String) async throws -> [[String: Any]] {
        let response = try await client.get(path, key: app.readKey)
        #expect(response.status == 200, "\(path): \(response.text)")
        return try response.json()["rows"] as? [[String: Any]] ?? []
    }

    @Test func `the period before one of centuries is all earlier time, and there is none before all years`()
        async throws
    {
        let days = ["2026-11-10", "2026-11-10", "2026-11-10", "2026-11-20", "2026-11-20"]
        let events = days.enumerated().map { number, day in
            EventJSON.event(["kind": "sent", "notification_id": "n\(number)", "occurred_at": "\(day)T10:00:00Z"])
        }
        #expect(try await client.post("/v1/events", EventJSON.body(events), key: app.sendKey).status == 200)
        try await app.waitForRollups()
        for (from, sent, before) in [("2026-11-15", 2, 3), ("1901-01-01", 5, 0), ("0001-01-01", 5, 0)] {
            let found = try await rows("/v1/reports/overview?from=\(from)&to=9999-12-31")
            let row = try #require(found.first { $0["metric"] as? String == "sent" })
            #expect(row["value"] as? Int == sent && row["previous"] as? Int == before, "\(from): \(row)")
            for within in ["24h", "auto", "999999d"] {
                let found = try await rows("/v1/reports/overview?from=\(from)&to=9999-12-31&within=\(within)")
                #expect(found.count == 13)
            }
        }
        await collector.stop()
    }

    /// A zone's first day of the year 1 can begin in the year before.
    @Test func `an event at the earliest moment ends no report, in any zone and format`() async throws {
        let events: [[String: any Sendable]] = [
            EventJSON.event(["kind": "opened", "notification_id": "n", "occurred_at": "0001-01-01T00:00:00Z"]),
            EventJSON.event(["kind": "app_opened", "occurred_at": "0001-01-01T00:00:00Z"]),
        ]
        #expect(try await client.post("/v1/events", EventJSON.body(events), key: app.sendKey).status == 200)
        try await app.waitForRollups()
        for zone in ["Europe/Berlin", "America/New_York", "UTC"] {
            for report in ["timeseries", "conversion?by=day", "funnel?by=day", "response-time?by=day", "influence"] {
                for format in ["json", "csv", "xlsx", "html", "markdown"] {
                    let query = (report.contains("?") ? "&" : "?") + "tz=\(zone)&format=\(format)"
                    let answer = try await client.get("/v1/reports/\(report)\(query)", key: app.readKey)
                    #expect(answer.status == 200, "\(report)\(query): \(answer.text)")
                }
            }
            let days = try await rows("/v1/reports/conversion?by=day&tz=\(zone)")
            let first = zone == "America/New_York" ? "0000-12-31" : "0001-01-01"
            #expect(days.contains { $0["day"] as? String == first }, "\(zone): \(days)")
        }
        await collector.stop()
    }

    @Test func `an influence window of millennia has the same result as one of a century`() async throws {
        let events: [[String: any Sendable]] = [
            EventJSON.event(["kind": "delivered", "notification_id": "n", "occurred_at": "2026-11-10T10:00:00Z"]),
            EventJSON.event(["kind": "app_opened", "occurred_at": "2026-11-20T10:00:00Z"]),
        ]
        #expect(try await client.post("/v1/events", EventJSON.body(events), key: app.sendKey).status == 200)
        try await app.waitForRollups()
        for query in ["", "&baseline=true", "&from=0001-01-01&to=9999-12-31"] {
            let row = try #require(try await rows("/v1/reports/influence?window=999999d\(query)").first)
            #expect(row["app_opened"] as? Int == 1 && row["influenced"] as? Int == 1, "\(query): \(row)")
        }
        await collector.stop()
    }
}
