package import AfterpushWire
import Foundation

/// Everything that a plan posts: the same for the same plan.
package struct FleetTraffic: Sendable {
    /// What the provider's server knows: for a key of scope send.
    package private(set) var serverRequests: [IngestRequest] = []
    /// What devices report, some late, some twice: for a key of scope ingest.
    package private(set) var deviceRequests: [IngestRequest] = []

    private let now: Timestamp

    /// - Parameter now: nothing happens after it.
    package init(_ plan: FleetPlan, now: Timestamp) {
        self.now = now
        var dice = Dice(seed: plan.seed)
        let devices = (1...max(1, plan.devices)).map { SimulatedDevice(number: $0, dice: &dice) }
        var sends: [IngestEvent] = []
        for campaign in plan.campaigns {
            for device in devices where dice.happens(campaign.share) {
                guard let variant = dice.pick(campaign.variants) else { continue }
                let story = DeliveryStory(campaign, variant, device, dice: &dice)
                sends.append(story.send)
                add(story.reports.filter { $0.occurredAt <= now }, dice: &dice)
            }
        }
        for start in stride(from: 0, to: sends.count, by: 500) {
            serverRequests.append(
                IngestRequest(sentAt: now, events: Array(sends[start..<min(start + 500, sends.count)])))
        }
        deviceRequests.shuffle(using: &dice)
    }

    /// Events that requests carry, repetitions included.
    package var eventCount: Int { (serverRequests + deviceRequests).reduce(0) { $0 + $1.events.count } }

    private mutating func add(_ reports: [IngestEvent], dice: inout Dice) {
        guard !reports.isEmpty else { return }
        let request = IngestRequest(sentAt: now, events: reports)
        deviceRequests.append(request)
        // An answer that got lost is a request that comes again.
        if dice.happens(0.02) { deviceRequests.append(request) }
    }
}
