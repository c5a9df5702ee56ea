import AfterpushWire
import Foundation
import Testing

@testable import Simulator

@Suite struct BehaviourTests {
    private let events = Set(Sample.corrected(Sample.demo))

    @Test func `a notification's events follow its send, and responses follow its arrival`() throws {
        let responses: Set<EventKind> = [.opened, .action, .textInput, .dismissed]
        for delivery in Dictionary(grouping: events.filter { $0.notificationID != nil }, by: \.notificationID).values {
            let sent = delivery.filter { [.sent, .failed, .heldOut].contains($0.kind) }
            #expect(sent.count == 1)
            let start = try #require(sent.first?.occurredAt)
            let arrival = delivery.first { $0.kind == .delivered }?.occurredAt ?? start
            let response = delivery.filter { $0.kind.map(responses.contains) == true }
            #expect(delivery.allSatisfy { $0.eventID == sent.first?.eventID || $0.occurredAt > start })
            #expect(response.count <= 1 && response.allSatisfy { $0.occurredAt > arrival })
            let converted = delivery.filter { $0.kind == .converted }
            #expect(converted.allSatisfy { $0.occurredAt > response.first?.occurredAt ?? .latest })
        }
    }

    @Test func `no event is later than the plan's present`() {
        let latest = Sample.now.microseconds + 1_000_000
        #expect(events.allSatisfy { $0.occurredAt.microseconds <= latest })
    }

    @Test func `a failed send causes no event on the device`() {
        let failed = Set(events.filter { $0.kind == .failed }.map(\.notificationID))
        #expect(!failed.isEmpty)
        #expect(events.filter { failed.contains($0.notificationID) }.allSatisfy { $0.kind == .failed })
    }

    @Test func `an iOS device without the service extension never confirms`() {
        let old = events.filter { $0.platform == .iOS && $0.appVersion == "2.3.1" }
        #expect(old.contains { $0.kind == .opened } && !old.contains { $0.kind == .delivered })
    }

    @Test func `a dismissal is reported if the platform and the category allow it`() {
        let dismissed = events.filter { $0.kind == .dismissed }
        #expect(dismissed.contains { $0.platform == .iOS })
        #expect(dismissed.contains { $0.platform != .iOS && $0.categoryID == "survey" })
        #expect(!dismissed.contains { $0.platform == .iOS && $0.categoryID == "survey" })
    }

    @Test func `variant b beats a in the first sale and in the survey, but not in the second sale`() throws {
        func rate(_ campaign: String, _ variant: String) throws -> Double {
            let truth = try #require(Sample.demo.truth.of(campaign, variant))
            return Double(truth.converted) / Double(truth.sent)
        }
        #expect(try rate("spring-sale", "b") - rate("spring-sale", "a") > 0.03)
        #expect(try rate("how-was-it", "b") - rate("how-was-it", "a") > 0.03)
        #expect(try abs(rate("weekend-offer", "b") - rate("weekend-offer", "a")) < 0.02)
    }

    @Test func `devices that are held out do what they would have done anyway`() throws {
        var campaign = PlannedCampaign(
            id: "c", name: "C", category: "flash-sale", variants: [PlannedVariant(id: "a", open: 0.1)],
            startsAt: Sample.now.advanced(by: -9 * 86_400))
        campaign.holdout = 0.25
        campaign.outcome = PlannedOutcome("order", anyway: 0.1, added: 0.1)
        campaign.outcome?.cents = 1_000...3_000
        let traffic = FleetTraffic(FleetPlan(seed: 5, now: Sample.now, devices: 4_000, campaigns: [campaign]))
        let lift = try #require(traffic.truth.lifts.first)
        // Within three standard errors.
        #expect(abs(Double(lift.heldOut) / 4_000 - 0.25) < 0.021)
        #expect(abs(Double(lift.heldOutOutcomes) / Double(lift.heldOut) - 0.1) < 0.029)
        #expect(abs(Double(lift.treatedOutcomes) / Double(lift.treated) - 0.1988) < 0.022)
        // Uniform values have a standard deviation of 5.8.
        func mean(_ value: Decimal, _ count: Int) -> Double { (value as NSDecimalNumber).doubleValue / Double(count) }
        #expect(abs(mean(lift.treatedValue, lift.treatedOutcomes) - 20) < 0.75)
        #expect(abs(mean(lift.heldOutValue, lift.heldOutOutcomes) - 20) < 1.8)
        let heldOut = traffic.sends.filter { $0.kind == .heldOut }
        #expect(heldOut.count == lift.heldOut && heldOut.allSatisfy { $0.variant == nil })
        let notifications = Set(heldOut.compactMap(\.notificationID))
        let events = Sample.deviceEvents(traffic)
        #expect(!events.contains { notifications.contains($0.notificationID ?? "") })
        let outcomes = events.filter { $0.kind == .converted && $0.notificationID == nil }
        #expect(
            outcomes.count == lift.treatedOutcomes + lift.heldOutOutcomes && outcomes.allSatisfy { $0.name == "order" })
        #expect(outcomes.compactMap(\.value).reduce(0, +) == lift.treatedValue + lift.heldOutValue)
    }

    /// Three notifications to each device.
    private static func repeated(unlikeness: Double) -> FleetPlan {
        var campaign = PlannedCampaign(
            id: "c", name: "C", category: "flash-sale",
            variants: [PlannedVariant(id: "a", open: 0.1), PlannedVariant(id: "b", open: 0.1)],
            startsAt: Sample.now.advanced(by: -9 * 86_400))
        campaign.notifications = 3
        var plan = FleetPlan(seed: 5, now: Sample.now, devices: 4_000, campaigns: [campaign])
        plan.unlikeness = unlikeness
        return plan
    }

    @Test(arguments: [(0.0, false), (1.0, true)])
    func `a device gets its notifications in one variant, and resembles itself if people differ`(
        unlikeness: Double, isAlike: Bool
    ) throws {
        let plan = Self.repeated(unlikeness: unlikeness)
        let traffic = FleetTraffic(plan)
        let sends = traffic.sends.filter { $0.kind == .sent || $0.kind == .failed }
        #expect(sends.count == 12_000 && Set(sends.map { [$0.notificationID, $0.deviceID] }).count == 12_000)
        let byDevice = Dictionary(grouping: sends, by: \.deviceID).values
        #expect(byDevice.allSatisfy { Set($0.map(\.variant)).count == 1 })
        for truth in traffic.truth.variants {
            let sent = sends.filter { $0.kind == .sent && $0.variant == truth.variant }
            #expect(truth.devices == Set(sent.map(\.deviceID)).count && truth.sent == sent.count)
        }
        // The variance of the number that a device opens, over that of independent ones.
        let opened = Dictionary(
            grouping: Set(Sample.corrected(traffic)).filter { $0.kind == .opened }, by: \.deviceID)
        let counts = byDevice.map { Double(opened[$0[0].deviceID]?.count ?? 0) }
        let mean = counts.reduce(0, +) / Double(counts.count)
        let variance = counts.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(counts.count - 1)
        let effect = variance / (mean * (1 - mean / 3))
        // Seven of a hundred never arrive.
        let expected = 0.93 * plan.mean { $0.open(PlannedVariant(id: "a", open: 0.1)) }
        #expect(abs(mean / 3 - expected) < 0.012, "\(mean / 3), not \(expected)")
        #expect(isAlike ? effect > 1.15 : abs(effect - 1) < 0.1, "\(effect)")
    }

    @Test func `two campaigns are closed, and one is partly open`() {
        func ages(_ campaign: String) -> [Int64] {
            events.filter { $0.campaignID == campaign && $0.kind == .sent }
                .map { (Sample.now.microseconds - $0.occurredAt.microseconds) / 3_600_000_000 }
        }
        #expect((ages("spring-sale") + ages("weekend-offer")).allSatisfy { (73..<144).contains($0) })
        #expect(ages("how-was-it").contains { $0 < 72 } && ages("how-was-it").contains { (73..<144).contains($0) })
    }
}
