import AfterpushWire
import Alerts
import Foundation
import Storage
import TestSupport
import Testing

/// Tests alerts that compare with the same hours of the weeks before, on a database with weeks of events.
@Suite struct AlertBandTests {
    private let app: TestApp
    private let collector: CollectorProcess
    /// The middle of the hour before the present one, in seconds since 1970.
    private let middle: Int

    init() async throws {
        app = try await TestApp()
        collector = try await CollectorProcess(conninfo: app.conninfo)
        middle = Int(Date().timeIntervalSince1970) / 3_600 * 3_600 - 1_800
    }

    /// Posts 400 sent deliveries of a campaign, so many weeks and hours before, of which some were opened a minute later.
    private func post(_ campaign: String, opened: Int, weeks: Int, hours: Int = 0) async throws {
        let sentAt = Date(timeIntervalSince1970: Double(middle - weeks * 7 * 86_400 - hours * 3_600))
        var events: [[String: any Sendable]] = []
        for n in 0..<400 {
            func add(_ kind: String, _ time: Date) {
                events.append(
                    EventJSON.event([
                        "kind": kind, "notification_id": "\(campaign)-\(weeks)-\(hours)-\(n)", "device_id": "d\(n)",
                        "campaign_id": campaign, "occurred_at": time.ISO8601Format(),
                    ]))
            }
            add("sent", sentAt)
            if n < opened { add("opened", sentAt.addingTimeInterval(60)) }
        }
        let response = try await TestClient(url: collector.url).post(
            "/v1/events", EventJSON.body(events), key: app.sendKey)
        #expect(response.status == 200, "\(response.text)")
    }

    private func rule(_ name: String = "band", column: String, band: String, more: String = "") throws -> AlertRule {
        let json = """
            {"report":"conversion","parameters":{"by":"campaign"},"series":["campaign_id"],"column":"\(column)",
             "band":\(band),"window":"3h"\(more)}
            """
        return try AlertRule(Array(json.utf8), name: name)
    }

    /// What a rule finds of each campaign.
    private func findings(column: String = "open_rate", band: String) async throws -> [String: AlertFinding] {
        let evaluator = AlertEvaluator(reports: ReportServiceFixture.service(app))
        // In the hour after the data, whenever the test runs.
        let now = Timestamp(microseconds: Int64(middle + 2_400) * 1_000_000)
        let evaluation = try await evaluator.evaluate(
            try rule(column: column, band: band), app: app.app.id, appName: app.app.name, at: now)
        return Dictionary(
            uniqueKeysWithValues: evaluation.results.map { result in
                (String(result.series.split(separator: "\"")[3]), result.finding)
            })
    }

    @Test func `a value is compared with the same hours of each of the weeks before, and with no others`()
        async throws
    {
        // Opened of 400: in this week, and in the three weeks before.
        for (campaign, counts) in [
            ("falls", [60, 200, 190, 210]), ("rises", [300, 200, 190, 210]), ("steady", [195, 200, 190, 210]),
            // One of the weeks was as low: the value is within what happens.
            ("recurs", [60, 200, 64, 210]), ("new", [60]),
        ] {
            for (week, opened) in counts.enumerated() { try await post(campaign, opened: opened, weeks: week) }
        }
        // Other hours, and the fourth week before, are not compared with.
        try await post("falls", opened: 60, weeks: 1, hours: 20)
        try await post("falls", opened: 60, weeks: 2, hours: -20)
        try await post("falls", opened: 60, weeks: 4)
        try await app.waitForRollups()
        let both = try await findings(band: #"{"weeks":3,"tolerance":0.1}"#)
        #expect(
            both == ["falls": .outside, "rises": .outside, "steady": .inside, "recurs": .inside, "new": .unclear],
            "\(both)")
        let below = try await findings(band: #"{"weeks":3,"tolerance":0.1,"side":"below"}"#)
        #expect(below["falls"] == .outside && below["rises"] == .inside, "\(below)")
        let above = try await findings(band: #"{"weeks":3,"tolerance":0.1,"side":"above"}"#)
        #expect(above["falls"] == .inside && above["rises"] == .outside, "\(above)")
        // With a tolerance of nine tenths, half as much is not unusual; and the fourth week was as low.
        #expect(try await findings(band: #"{"weeks":3,"tolerance":0.9}"#)["falls"] != .outside)
        #expect(try await findings(band: #"{"weeks":4,"tolerance":0.1}"#)["falls"] == .inside)
        // Counts have no interval.
        let counted = try await findings(column: "opened", band: #"{"weeks":3,"tolerance":0.1}"#)
        #expect(
            counted == ["falls": .outside, "rises": .outside, "steady": .inside, "recurs": .inside, "new": .unclear],
            "\(counted)")
        #expect(await collector.stop() == 0)
    }

    @Test func `a collector fires when a value leaves the band of its weeks, and resolves when it is back`()
        async throws
    {
        for week in 1...2 { try await post("sale", opened: 200, weeks: week) }
        try await post("sale", opened: 40, weeks: 0)
        try await app.waitForRollups()
        let store = AlertStore(pool: app.database.owner)
        try await store.put(
            try rule(column: "open_rate", band: #"{"weeks":2,"tolerance":0.2}"#, more: #","every":"1s""#),
            app: app.app.id)
        func phase() async throws -> AlertState.Phase? {
            try await store.alerts(app: app.app.id, only: "band").first?.states.first?.state.phase
        }
        try await app.waitUntil("the alert fires") { try await phase() == .firing }
        // The others open, too.
        let late = (40..<220).map { n in
            EventJSON.event([
                "notification_id": "sale-0-0-\(n)", "device_id": "d\(n)",
                "occurred_at": Date(timeIntervalSince1970: Double(middle + 90)).ISO8601Format(),
            ])
        }
        let response = try await TestClient(url: collector.url).post(
            "/v1/events", EventJSON.body(late), key: app.ingestKey)
        #expect(response.status == 200)
        try await app.waitUntil("the alert resolves") { try await phase() == .ok }
        let history = try await store.history(app: app.app.id).filter { $0.alert == "band" }
        #expect(history.map { $0.change.to.rawValue }.sorted() == ["firing", "ok"], "\(history)")
        #expect(await collector.stop() == 0)
    }
}
