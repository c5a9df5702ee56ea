import Declarations
import Foundation
import Storage
import TestSupport
import Testing

/// Tests reports with small examples whose numbers follow from the definitions of the metrics.
@Suite struct MetricExampleTests {
    private typealias Fields = [String: any Sendable]

    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    private func event(_ kind: String, at time: String, _ fields: Fields = [:]) -> Fields {
        EventJSON.event(["kind": kind, "occurred_at": time].merging(fields) { $1 })
    }

    private func store(_ events: [Fields]) async throws {
        try await app.store(events)
        try await app.rollUp()
    }

    /// The named columns of a report's rows.
    private func rows(
        _ report: String, _ columns: [String], _ variables: [String: String] = [:]
    ) async throws -> [[String]] {
        let table = CSV.parse(
            try await Program.psql(
                app.conninfo, file: Program.root.appending(path: "sql/reports/\(report).sql").path,
                variables: ["app": "shop", "min_n": "1"].merging(variables) { $1 }))
        let head = try #require(table.first)
        let places = try columns.map { column in try #require(head.firstIndex(of: column), "no column \(column)") }
        return table.dropFirst().map { row in places.map { row[$0] ?? "" } }
    }

    @Test func `response times say how many responses have a start to measure from`() async throws {
        try await store([
            event("delivered", at: "2026-11-20T10:00:00Z", ["notification_id": "n1"]),
            event("opened", at: "2026-11-20T10:01:00Z", ["notification_id": "n1"]),
            event("opened", at: "2026-11-20T10:01:00Z", ["notification_id": "n2"]),
        ])
        #expect(try await rows("response-time", ["responded", "timed"]) == [["2", "1"]])
        #expect(try await rows("response-time", ["responded", "timed"], ["from": "2030-01-01"]) == [["0", "0"]])
    }

    @Test func `an opening of the app within a minute after a dismissal is not direct`() async throws {
        try await store([
            event("delivered", at: "2026-11-20T10:00:00Z", ["notification_id": "n1"]),
            event("dismissed", at: "2026-11-20T10:31:00Z", ["notification_id": "n1"]),
            event("app_opened", at: "2026-11-20T10:31:10Z"),
            event("delivered", at: "2026-11-20T10:00:00Z", ["notification_id": "n2", "device_id": "other"]),
            event("opened", at: "2026-11-20T10:31:00Z", ["notification_id": "n2", "device_id": "other"]),
            event("app_opened", at: "2026-11-20T10:31:10Z", ["device_id": "other"]),
        ])
        let counts = try await rows("influence", ["app_opened", "direct", "influenced", "other"])
        #expect(counts == [["2", "1", "1", "0"]])
    }

    @Test func `an experiment says whether goals and weights were declared after the first response`() async throws {
        func put(_ campaign: String, goals: [String] = ["book"]) async throws {
            var declared = CampaignDeclaration(identifier: campaign, name: campaign)
            declared.goalActions = goals
            declared.variants = [.init(identifier: "a"), .init(identifier: "b")]
            try await app.registry.putCampaign(declared, app: app.app)
        }
        func late(_ campaign: String) async throws -> [[String]] {
            try await rows(
                "experiment", ["variant", "goals_declared_late", "weights_declared_late"], ["campaign": campaign])
        }
        let later = Date(timeIntervalSinceNow: 3_600).formatted(.iso8601)
        try await put("before")
        for (campaign, time) in [("before", later), ("after", "2026-11-20T10:00:00Z")] {
            let fields: Fields = ["campaign_id": campaign, "notification_id": campaign, "variant": "a"]
            try await store([event("sent", at: time, fields), event("opened", at: time, fields)])
        }
        try await put("after")
        #expect(try await late("before") == [["a", "f", "f"], ["b", "f", "f"]])
        #expect(try await late("after") == [["a", "t", "t"], ["b", "t", "t"]])
    }

    @Test func `openings expected by chance count on the day of the notification`() async throws {
        try await store([
            event("app_opened", at: "2026-11-19T12:00:00Z"),
            event("delivered", at: "2026-11-20T10:00:00Z", ["notification_id": "n1"]),
            event("app_opened", at: "2026-11-20T12:00:00Z"),
        ])
        let columns = ["day", "influenced", "expected", "influenced_net"]
        let days = try await rows("influence", columns, ["baseline": "true", "by": "day"])
        #expect(days == [["2026-11-19", "0", "0", "0"], ["2026-11-20", "1", "1", "0"]])
        // The push's own day alone has the same baseline.
        let day = try await rows("influence", columns.suffix(3), ["baseline": "true", "from": "2026-11-20"])
        #expect(day == [["1", "1", "0"]])
    }
}
