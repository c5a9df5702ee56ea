import AfterpushWire
import Foundation
import Ingest
import ReferenceModel
import Simulator
import Storage
import TestSupport
import Testing

/// A simulated week whose truth is known, and what the reports make of it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FleetWeekTests {
    /// Of those who are sent a notification, those whose device is on and lets it through.
    private static let reach = 0.94

    private struct Row {
        let values: [String: Any]

        func number(_ column: String) -> Double? { (values[column] as? NSNumber)?.doubleValue }
        func count(_ column: String) -> Int? { (values[column] as? NSNumber)?.intValue }
        var name: String { "\(values["campaign_id"] ?? "") \(values["variant"] ?? "")" }
    }

    @Test func `reports of a simulated week tell its truth: counts exactly, rates within their intervals`() async throws
    {
        let plan = Self.plan(campaigns: FaultScale.pick(quick: 25, long: 125))
        let traffic = FleetTraffic(plan)
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let base = try #require(URL(string: collector.url))
        let manageKey = try await app.registry.createKey(app: app.app, scope: .manage)
        try await FleetDeclarations(plan).put(to: base, key: manageKey)
        let tally = try await FleetPoster(baseURL: base, ingestKey: app.ingestKey, sendKey: app.sendKey).post(traffic)
        #expect(tally.rejected == 0 && tally.accepted + tally.duplicates == traffic.eventCount)
        #expect(tally.duplicates > 0)
        try await app.rolledUp()
        func rows(_ report: String) async throws -> [Row] {
            let answer = try await TestClient(url: collector.url).get("/v1/reports/\(report)", key: app.readKey)
            let rows = try #require(try answer.json()["rows"] as? [[String: Any]], "\(answer.text)")
            return rows.map { Row(values: $0) }
        }

        let conversion = try await rows("conversion?by=campaign,variant")
        try Self.expectCounts(conversion, traffic.truth)
        try await Self.expectActions(rows("actions"), traffic.truth)
        var intervals = Self.rates(conversion, plan)
        intervals.add(Self.differences(try await rows("experiment"), plan))
        print("intervals that cover: \(intervals.covering) of \(intervals.all)")
        // 95 of 100 are meant to; of a few hundred, chance takes some.
        let least = FaultScale.pick(quick: 0.90, long: 0.93)
        #expect(Double(intervals.covering) >= least * Double(intervals.all))

        let time = try #require(try await rows("response-time").first)
        let median = try #require(time.number("p50_seconds"))
        #expect(abs(log(median / Self.medianSeconds)) < 0.15, "\(median) s instead of \(Self.medianSeconds)")
    }

    private static let medianSeconds = 240.0

    /// Campaigns of which each device gets all, long enough ago that nobody still responds.
    private static func plan(campaigns: Int) -> FleetPlan {
        let now = Int64(Date.now.timeIntervalSince1970)
        func ago(hours: Int) -> AfterpushWire.Timestamp {
            AfterpushWire.Timestamp(microseconds: (now - Int64(hours) * 3_600) * 1_000_000)
        }
        var dice = SplitMix64(seed: 7)
        func variant(_ id: String) -> PlannedVariant {
            var variant = PlannedVariant(id: id, open: .random(in: 0.05...0.3, using: &dice))
            variant.actions = [
                PlannedAction("book", .random(in: 0.03...0.3, using: &dice)),
                PlannedAction("later", .random(in: 0.02...0.1, using: &dice)),
            ]
            variant.dismiss = .random(in: 0.05...0.25, using: &dice)
            variant.isControl = id == "a"
            variant.responseTime = ResponseTime(medianSeconds: medianSeconds, spread: 1.2)
            return variant
        }
        return FleetPlan(
            seed: 7, now: ago(hours: 0), devices: 160,
            campaigns: (0..<campaigns).map { number in
                PlannedCampaign(
                    id: "campaign-\(number)", name: "Campaign \(number)", category: "flash-sale", goals: ["book"],
                    reportsDismissals: true, variants: [variant("a"), variant("b")],
                    startsAt: ago(hours: 100 + number % 60), hours: 2)
            })
    }

    private static func expectCounts(_ rows: [Row], _ truth: FleetTruth) throws {
        #expect(rows.count == truth.variants.count)
        for row in rows {
            let campaign = row.values["campaign_id"] as? String ?? "", variant = row.values["variant"] as? String ?? ""
            let expected = try #require(truth.of(campaign, variant), "\(row.name)")
            let pairs = [
                ("sent", expected.sent), ("failed", expected.failed), ("delivered", expected.delivered),
                ("confirmed", expected.confirmed), ("displayed", expected.displayed), ("opened", expected.opened),
                ("replied", expected.replied), ("dismissed", expected.dismissed), ("read", expected.read),
                ("responded", expected.responded), ("converted", expected.converted),
            ]
            for (column, count) in pairs { #expect(row.count(column) == count, "\(row.name): \(column)") }
        }
    }

    private static func expectActions(_ rows: [Row], _ truth: FleetTruth) async throws {
        var seen = 0
        for row in rows {
            guard let campaign = row.values["campaign_id"] as? String, let variant = row.values["variant"] as? String,
                let action = row.values["action_id"] as? String, let expected = truth.of(campaign, variant)
            else { continue }
            #expect(row.count("acted") == expected.acted[action] ?? 0, "\(row.name): \(action)")
            seen += 1
        }
        #expect(seen >= truth.variants.count)
    }

    /// How many intervals there are, and how many hold what is true.
    private struct Coverage {
        var all = 0
        var covering = 0

        mutating func add(_ truth: Double, _ row: Row, _ rate: String) {
            guard let low = row.number(rate + "_low"), let high = row.number(rate + "_high") else { return }
            all += 1
            if low <= truth, truth <= high { covering += 1 }
        }

        mutating func add(_ other: Coverage) {
            all += other.all
            covering += other.covering
        }
    }

    private static func rates(_ rows: [Row], _ plan: FleetPlan) -> Coverage {
        var coverage = Coverage()
        for row in rows {
            guard let variant = plan.variant(row.name) else { continue }
            coverage.add(reach * variant.open, row, "open_rate")
            coverage.add(reach * variant.actions.reduce(0) { $0 + $1.probability }, row, "action_rate")
            coverage.add(reach * variant.booking, row, "conversion_rate")
            coverage.add(reach * variant.dismiss, row, "dismiss_rate")
        }
        return coverage
    }

    private static func differences(_ rows: [Row], _ plan: FleetPlan) -> Coverage {
        var coverage = Coverage()
        for row in rows {
            guard let variant = plan.variant(row.name), !variant.isControl,
                let control = plan.variant("\(row.values["campaign_id"] ?? "") a")
            else { continue }
            coverage.add(reach * (variant.booking - control.booking), row, "difference")
        }
        return coverage
    }
}

extension FleetPlan {
    /// - Parameter name: campaign and variant.
    fileprivate func variant(_ name: String) -> PlannedVariant? {
        for campaign in campaigns {
            for variant in campaign.variants where "\(campaign.id) \(variant.id)" == name { return variant }
        }
        return nil
    }
}

extension PlannedVariant {
    /// The probability of the goal.
    fileprivate var booking: Double { actions.first { $0.id == "book" }?.probability ?? 0 }
}
