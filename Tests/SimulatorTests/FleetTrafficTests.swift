import AfterpushWire
import Foundation
import Testing

@testable import Simulator

@Suite struct FleetTrafficTests {
    private let plan = FleetPlan.demo(now: Sample.now)
    private let traffic = Sample.demo

    @Test func `the same plan makes the same traffic byte for byte`() throws {
        var plan = FleetPlan.demo(now: Sample.now, seed: 7)
        plan.devices = 200
        let (first, second) = (FleetTraffic(plan), FleetTraffic(plan))
        #expect(try Sample.json(first.serverRequests) == Sample.json(second.serverRequests))
        #expect(try Sample.json(first.deviceRequests) == Sample.json(second.deviceRequests))
        #expect(first.truth == second.truth)
        plan.seed = 8
        #expect(try Sample.json(FleetTraffic(plan).deviceRequests) != Sample.json(first.deviceRequests))
    }

    @Test func `the truth equals a recount of the events`() {
        let recount = Recount(traffic, plan)
        #expect(traffic.truth.variants.count == 6)
        for truth in traffic.truth.variants { #expect(recount.of(truth) == truth.counts) }
    }

    @Test func `another habit in one campaign leaves the others as they are`() {
        var changed = plan
        changed.campaigns[0].variants[0].open = 0.5
        let truth = FleetTraffic(changed).truth
        #expect(truth.variants[0] != traffic.truth.variants[0])
        #expect(truth.variants[1...] == traffic.truth.variants[1...])
    }

    @Test func `the demo is as large as a demo should be`() {
        #expect((17_000...23_000).contains(traffic.eventCount))
        #expect(traffic.deviceRequests.count < 4_000)
        #expect(traffic.serverRequests.allSatisfy { (1...500).contains($0.events.count) })
        #expect(traffic.deviceRequests.allSatisfy { (1...5).contains($0.events.count) })
    }

    @Test func `some requests are posted twice, and nothing else repeats an event`() {
        let distinct = Set(traffic.deviceRequests)
        let repeated = traffic.deviceRequests.count - distinct.count
        #expect((0.01...0.035).contains(Double(repeated) / Double(distinct.count)))
        let events = (traffic.serverRequests + distinct).flatMap(\.events)
        #expect(Set(events.map(\.eventID)).count == events.count)
    }

    @Test func `a request is one device's, and states its clock`() {
        for request in traffic.deviceRequests {
            #expect(Set(request.events.map(\.deviceID)).count == 1 && request.sentAt != nil)
        }
    }

    @Test func `a plan without devices or campaigns makes no traffic`() {
        #expect(FleetTraffic(FleetPlan(seed: 1, now: Sample.now, devices: 0, campaigns: [])).eventCount == 0)
        #expect(FleetTraffic(FleetPlan(seed: 1, now: Sample.now, devices: 9, campaigns: [])).serverRequests.isEmpty)
    }
}
