import AfterpushWire
import Events
import Foundation
import Simulator
import Storage
import TestSupport
import Testing

/// Tests report `lift` of a simulated fleet against its known truth.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SimulatedHoldoutTests {
    /// Campaigns with a holdout of a quarter, of which the first adds nothing and the others add orders.
    private static let campaigns: [(id: String, added: Double)] = [("nothing", 0), ("some", 0.1), ("much", 0.3)]

    private func plan() -> FleetPlan {
        let now = Int64(Date.now.timeIntervalSince1970)
        func ago(hours: Int) -> AfterpushWire.Timestamp {
            AfterpushWire.Timestamp(microseconds: (now - Int64(hours) * 3_600) * 1_000_000)
        }
        return FleetPlan(
            seed: 21, now: ago(hours: 0), devices: 900,
            campaigns: Self.campaigns.enumerated().map { number, campaign in
                var planned = PlannedCampaign(
                    id: campaign.id, name: campaign.id, category: "flash-sale", goals: ["book"],
                    variants: [PlannedVariant(id: "a", open: 0.2)], startsAt: ago(hours: 24 * 9 + number), hours: 1)
                planned.holdout = 0.25
                // Of its own name, because every device has all of the campaigns.
                planned.outcome = PlannedOutcome("order-\(campaign.id)", anyway: 0.1, added: campaign.added)
                planned.outcome?.cents = 1_000...3_000
                return planned
            })
    }

    @Test func `lift has exactly the counts of a simulated fleet, and its intervals contain what campaigns added`()
        async throws
    {
        let plan = plan()
        let app = try await TestApp()
        let traffic = FleetTraffic(plan)
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let base = try #require(URL(string: collector.url))
        let manageKey = try await app.registry.createKey(app: app.app, scope: .manage)
        try await FleetDeclarations(plan).put(to: base, key: manageKey)
        let tally = try await FleetPoster(baseURL: base, ingestKey: app.ingestKey, sendKey: app.sendKey).post(traffic)
        #expect(tally.accepted == traffic.eventCount && tally.rejections.isEmpty)
        try await app.waitForRollups()
        #expect(traffic.truth.lifts.count == 3)
        for (truth, campaign) in zip(traffic.truth.lifts, Self.campaigns) {
            let path = "/v1/reports/lift?campaign=\(truth.campaign)&outcome=\(truth.outcome)"
            let response = try await TestClient(url: collector.url).get(path, key: app.readKey)
            let rows = try #require(try response.json()["rows"] as? [[String: Any]], "\(response.text)")
            let row = try #require(rows.first)
            func number(_ column: String) -> Double { (row[column] as? NSNumber)?.doubleValue ?? .nan }
            #expect(number("treated_n") == Double(truth.treated) && truth.treated > 600)
            #expect(number("treated_outcomes") == Double(truth.treatedOutcomes))
            #expect(number("holdout_n") == Double(truth.heldOut) && truth.heldOut > 180)
            #expect(number("holdout_outcomes") == Double(truth.heldOutOutcomes))
            // A few sends are refused, and add nothing.
            let added = 0.988 * campaign.added
            #expect(number("difference_low_anytime") <= added && added <= number("difference_high_anytime"), "\(row)")
            #expect(abs(number("added") - number("difference") * number("treated_n")) < 1e-9)
            #expect(number("sample_ratio_p_anytime") > 0.01)
            let treatedValue = (truth.treatedValue as NSDecimalNumber).doubleValue
            let heldOutValue = (truth.heldOutValue as NSDecimalNumber).doubleValue
            #expect(row["currency"] as? String == "EUR")
            #expect(abs(number("treated_value_per_delivery") * Double(truth.treated) - treatedValue) < 1e-6)
            #expect(abs(number("holdout_value_per_delivery") * Double(truth.heldOut) - heldOutValue) < 1e-6)
            let ofHeldOut = heldOutValue * Double(truth.treated) / Double(truth.heldOut)
            #expect(abs(number("value_added") - (treatedValue - ofHeldOut)) < 1e-6)
            // An outcome is worth 20 on average. The interval is for one look, so three standard errors are allowed here.
            let value = 20 * added * Double(truth.treated)
            let error = (number("value_added_high") - number("value_added")) / 1.96
            #expect(abs(number("value_added") - value) < 3 * error, "\(row)")
            let verdict = row["verdict"] as? String
            if campaign.id == "much" { #expect(verdict == "better", "\(row)") }
            if campaign.id == "nothing" { #expect(verdict == "undecided", "\(row)") }
        }
        // A held out delivery has no other event, so it is in no other report.
        let conversion = try await TestClient(url: collector.url).get(
            "/v1/reports/conversion?by=campaign", key: app.readKey)
        let rows = try #require(try conversion.json()["rows"] as? [[String: Any]])
        for row in rows {
            let truth = traffic.truth.lifts.first { $0.campaign == row["campaign_id"] as? String }
            let counts = ["sent", "failed"].compactMap { row[$0] as? Int }
            #expect(counts.reduce(0, +) == truth?.treated)
        }
    }
}
