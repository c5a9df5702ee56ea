import AfterpushWire
import Events
import Foundation
import ReferenceModel
import SeededRandom
import Simulator
import Storage
import TestSupport
import Testing

/// Tests reports of a simulated week against its known truth.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SimulatedWeekTests {
    /// The share of notifications that reach a device that is on and permits them.
    private static let deliveredShare = 0.94

    private struct Row {
        let values: [String: Any]

        func number(_ column: String) -> Double? { (values[column] as? NSNumber)?.doubleValue }
        func count(_ column: String) -> Int? { (values[column] as? NSNumber)?.intValue }
        var name: String { "\(values["campaign_id"] ?? "") \(values["variant"] ?? "")" }
    }

    @Test func `reports of a simulated week have exactly its counts, and their intervals contain its rates`()
        async throws
    {
        var intervals = Coverage()
        // Random values within a fleet are correlated: several fleets are better evidence than a single large one.
        for seed in 1...UInt64(FaultScale.pick(quick: 1, long: 3)) {
            intervals.add(try await Self.week(seed, campaigns: FaultScale.pick(quick: 25, long: 125)))
        }
        print("intervals that cover: \(intervals)")
        // 95 % are expected to; among a few hundred, some deviation is random.
        let least = FaultScale.pick(quick: 0.90, long: 0.93)
        #expect(Double(intervals.covering) >= least * Double(intervals.all))
    }

    /// Simulates a week, compares counts in reports with the truth, and counts the intervals that contain it.
    private static func week(_ seed: UInt64, campaigns: Int) async throws -> Coverage {
        let plan = plan(seed, campaigns: campaigns)
        let app = try await TestApp()
        let secret = try await app.registry.receiptSecret(of: app.app)
        let traffic = FleetTraffic(plan, signer: ReceiptSigner(app: app.app.name, secret: Data(secret)))
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let base = try #require(URL(string: collector.url))
        let manageKey = try await app.registry.createKey(app: app.app, scope: .manage)
        try await FleetDeclarations(plan).put(to: base, key: manageKey)
        let tally = try await FleetPoster(baseURL: base, ingestKey: app.ingestKey, sendKey: app.sendKey).post(traffic)
        #expect(tally.accepted == traffic.eventCount && tally.duplicates > 0)
        #expect(tally.rejections == traffic.truth.forged.rejected && tally.refused == traffic.truth.forged.refused)
        #expect(tally.rejections.count == 3 && traffic.truth.forged.unverified > 0)
        try await app.waitForRollups()
        func rows(_ report: String) async throws -> [Row] {
            let response = try await TestClient(url: collector.url).get("/v1/reports/\(report)", key: app.readKey)
            let rows = try #require(try response.json()["rows"] as? [[String: Any]], "\(response.text)")
            return rows.map { Row(values: $0) }
        }
        // Forged events without a receipt count unless verified=true is requested.
        let truth = traffic.truth
        try expectCounts(try await rows("conversion?by=campaign,variant"), truth.variants)
        let verified = try await rows("conversion?by=campaign,variant&verified=true")
        try expectCounts(verified, truth.verified)
        expectActions(try await rows("actions"), truth.variants)
        var intervals = rates(verified, plan)
        intervals.add(differences(try await rows("experiment?verified=true"), plan))
        let time = try #require(try await rows("response-time?verified=true").first)
        let median = try #require(time.number("p50_seconds"))
        #expect(abs(log(median / medianSeconds)) < 0.15, "\(median) s instead of \(medianSeconds)")
        return intervals
    }

    private static let medianSeconds = 240.0

    /// Campaigns that every device receives, long enough ago that all deliveries are closed.
    private static func plan(_ seed: UInt64, campaigns: Int) -> FleetPlan {
        let now = Int64(Date.now.timeIntervalSince1970)
        func ago(hours: Int) -> AfterpushWire.Timestamp {
            AfterpushWire.Timestamp(microseconds: (now - Int64(hours) * 3_600) * 1_000_000)
        }
        // Independent of the fleet's generator.
        var dice = SeededGenerator(seed: seed + 1_000)
        func variant(_ id: String) -> PlannedVariant {
            var variant = PlannedVariant(id: id, open: .random(in: 0.05...0.28, using: &dice))
            variant.actions = [
                PlannedAction("book", .random(in: 0.03...0.25, using: &dice)),
                PlannedAction("later", .random(in: 0.02...0.1, using: &dice)),
            ]
            variant.dismiss = .random(in: 0.05...0.2, using: &dice)
            variant.isControl = id == "a"
            variant.responseTime = ResponseTime(medianSeconds: medianSeconds, spread: 1.2)
            return variant
        }
        var segments = FleetSegment.demo
        for place in segments.indices {
            segments[place].forgers = 0.03
            // The truth about response times covers all campaigns together.
            segments[place].habits.responseTime = 1
        }
        return FleetPlan(
            seed: seed, now: ago(hours: 0), devices: 160, segments: segments,
            campaigns: (0..<campaigns).map { number in
                PlannedCampaign(
                    id: "campaign-\(number)", name: "Campaign \(number)", category: "flash-sale", goals: ["book"],
                    reportsDismissals: true, variants: [variant("a"), variant("b")],
                    startsAt: ago(hours: 100 + number % 60), hours: 2)
            })
    }

    private static func expectCounts(_ rows: [Row], _ truth: [VariantTruth]) throws {
        #expect(rows.count == truth.count)
        for row in rows {
            let expected = try #require(truth.first { "\($0.campaign) \($0.variant)" == row.name }, "\(row.name)")
            let pairs = [
                ("sent", expected.sent), ("failed", expected.failed), ("delivered", expected.delivered),
                ("confirmed", expected.confirmed), ("displayed", expected.displayed), ("opened", expected.opened),
                ("replied", expected.replied), ("dismissed", expected.dismissed), ("read", expected.read),
                ("responded", expected.responded), ("converted", expected.converted),
            ]
            for (column, count) in pairs { #expect(row.count(column) == count, "\(row.name): \(column)") }
        }
    }

    private static func expectActions(_ rows: [Row], _ truth: [VariantTruth]) {
        var seen = 0
        for row in rows {
            guard let action = row.values["action_id"] as? String,
                let expected = truth.first(where: { "\($0.campaign) \($0.variant)" == row.name })
            else { continue }
            #expect(row.count("acted") == expected.acted[action] ?? 0, "\(row.name): \(action)")
            seen += 1
        }
        #expect(seen >= truth.count)
    }

    /// The number of intervals and of those that contain the truth, for each rate and in total.
    private struct Coverage: CustomStringConvertible {
        private var rates: [String: (all: Int, covering: Int)] = [:]

        var all: Int { rates.values.reduce(0) { $0 + $1.all } }
        var covering: Int { rates.values.reduce(0) { $0 + $1.covering } }

        mutating func add(_ truth: Double, _ row: Row, _ rate: String) {
            guard let low = row.number(rate + "_low"), let high = row.number(rate + "_high") else { return }
            rates[rate, default: (0, 0)].all += 1
            if low <= truth, truth <= high { rates[rate, default: (0, 0)].covering += 1 }
        }

        mutating func add(_ other: Coverage) {
            rates.merge(other.rates) { ($0.all + $1.all, $0.covering + $1.covering) }
        }

        var description: String {
            let parts = rates.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.covering) of \($0.value.all)" }
            return "\(covering) of \(all): " + parts.joined(separator: ", ")
        }
    }

    private static func rates(_ rows: [Row], _ plan: FleetPlan) -> Coverage {
        var coverage = Coverage()
        for row in rows {
            guard let variant = plan.variant(row.name) else { continue }
            let (booking, later) = (plan.probability(of: "book", variant), plan.probability(of: "later", variant))
            coverage.add(deliveredShare * plan.mean { $0.open(variant) }, row, "open_rate")
            coverage.add(deliveredShare * (booking + later), row, "action_rate")
            coverage.add(deliveredShare * booking, row, "conversion_rate")
            coverage.add(deliveredShare * plan.mean { $0.dismiss(variant) }, row, "dismiss_rate")
        }
        return coverage
    }

    private static func differences(_ rows: [Row], _ plan: FleetPlan) -> Coverage {
        var coverage = Coverage()
        for row in rows {
            guard let variant = plan.variant(row.name), !variant.isControl,
                let control = plan.variant("\(row.values["campaign_id"] ?? "") a")
            else { continue }
            let difference = plan.probability(of: "book", variant) - plan.probability(of: "book", control)
            coverage.add(deliveredShare * difference, row, "difference")
        }
        return coverage
    }
}

extension FleetPlan {
    /// Finds a variant.
    ///
    /// - Parameter name: The campaign and variant.
    fileprivate func variant(_ name: String) -> PlannedVariant? {
        for campaign in campaigns {
            for variant in campaign.variants where "\(campaign.id) \(variant.id)" == name { return variant }
        }
        return nil
    }

    fileprivate func probability(of action: String, _ variant: PlannedVariant) -> Double {
        mean { $0.probability(of: action, variant) }
    }
}
