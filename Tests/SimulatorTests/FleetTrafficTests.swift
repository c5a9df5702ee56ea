import AfterpushWire
import Foundation
import Simulator
import Testing

@Suite struct FleetTrafficTests {
    private let now = Timestamp(microseconds: 1_700_000_000_000_000)

    @Test func `the same plan makes the same traffic, another seed another`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func bytes(_ plan: FleetPlan) throws -> Data {
            let traffic = FleetTraffic(plan, now: now)
            return try encoder.encode(traffic.serverRequests + traffic.deviceRequests)
        }
        var plan = FleetPlan.demo(now: now)
        plan.devices = 200
        let first = try bytes(plan)
        #expect(try bytes(plan) == first)
        plan.seed += 1
        #expect(try bytes(plan) != first)
    }

    @Test func `what happens to a delivery happens in order, after it was sent and before now`() throws {
        let traffic = FleetTraffic(.demo(now: now), now: now)
        var sent: [String: Timestamp] = [:]
        for event in traffic.serverRequests.flatMap(\.events) where event.kind == .sent {
            sent["\(event.notificationID ?? "")/\(event.deviceID ?? "")"] = event.occurredAt
        }
        for request in traffic.deviceRequests {
            #expect(request.events.map(\.occurredAt) == request.events.map(\.occurredAt).sorted())
            for event in request.events {
                let start = try #require(sent["\(event.notificationID ?? "")/\(event.deviceID ?? "")"])
                #expect(event.occurredAt > start && event.occurredAt <= now)
            }
        }
    }

    @Test func `all kinds that a demo shows are in it, and repetitions repeat exactly`() {
        let traffic = FleetTraffic(.demo(now: now), now: now)
        let events = (traffic.serverRequests + traffic.deviceRequests).flatMap(\.events)
        let kinds = Set(events.compactMap(\.kind))
        #expect(kinds.isSuperset(of: [.sent, .failed, .delivered, .opened, .action, .textInput, .dismissed, .read]))
        let byID = Dictionary(grouping: events, by: \.eventID)
        #expect(byID.values.contains { $0.count > 1 })
        #expect(byID.values.allSatisfy { Set($0).count == 1 })
    }
}
