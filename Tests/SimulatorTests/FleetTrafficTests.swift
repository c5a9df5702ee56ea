import AfterpushWire
import Foundation
import Testing

@testable import Simulator

@Suite struct FleetTrafficTests {
    private let plan = FleetPlan.demo(now: Sample.now)
    private let traffic = Sample.demo

    @Test func `the same plan produces the same traffic, byte for byte`() throws {
        var plan = FleetPlan.demo(now: Sample.now, seed: 7)
        plan.devices = 200
        for index in plan.segments.indices { plan.segments[index].forgers = 0.1 }
        let signer = ReceiptSigner(app: "shop", secret: Data(repeating: 1, count: 32))
        let (first, second) = (FleetTraffic(plan, signer: signer), FleetTraffic(plan, signer: signer))
        #expect(try Sample.json(first.sends) == Sample.json(second.sends))
        #expect(first.visits == second.visits)
        #expect(first.forgeries.map(\.event) == second.forgeries.map(\.event))
        #expect(first.truth == second.truth)
        plan.seed = 8
        #expect(FleetTraffic(plan, signer: signer).visits != first.visits)
    }

    @Test func `the truth file equals a recount of the events`() {
        let recount = Recount(traffic, plan)
        #expect(traffic.truth.variants.count == 7)
        for truth in traffic.truth.variants { #expect(recount.of(truth) == truth.counts) }
    }

    @Test func `changing the behaviour in one campaign leaves the others unchanged`() {
        var changed = plan
        changed.campaigns[0].variants[0].open = 0.5
        let truth = FleetTraffic(changed).truth
        #expect(truth.variants[0] != traffic.truth.variants[0])
        #expect(truth.variants[1...] == traffic.truth.variants[1...])
    }

    @Test func `the demo's fleet has the intended size`() {
        #expect((25_000...32_000).contains(traffic.eventCount))
        #expect(traffic.visits.count < 7_000)
        #expect(traffic.visits.allSatisfy { !$0.entries.isEmpty })
    }

    @Test func `no event is posted twice or before it happens`() {
        let events = traffic.sends + Sample.deviceEvents(traffic)
        #expect(Set(events.map(\.eventID)).count == events.count && events.count == traffic.eventCount)
        #expect(traffic.visits.map(\.due) == traffic.visits.map(\.due).sorted())
        for visit in traffic.visits {
            let skew = traffic.devices[visit.device].clockSkew
            #expect(visit.entries.allSatisfy { $0.time.advanced(by: -skew).seconds(until: visit.due) > -0.002 })
        }
    }

    @Test func `a plan without devices or campaigns produces no traffic`() {
        #expect(FleetTraffic(FleetPlan(seed: 1, now: Sample.now, devices: 0, campaigns: [])).eventCount == 0)
        #expect(FleetTraffic(FleetPlan(seed: 1, now: Sample.now, devices: 9, campaigns: [])).sends.isEmpty)
    }
}
