package import AfterpushWire

/// Everything that a plan posts: the same for the same plan.
package struct FleetTraffic: Sendable {
    /// The moment at which all of it is posted.
    package let now: Timestamp
    /// What the provider's server knows, in the order of the sends: for a key of scope send.
    package let serverRequests: [IngestRequest]
    /// What devices report, some late, some twice: for a key of scope ingest.
    package let deviceRequests: [IngestRequest]
    /// What reports should find in it.
    package let truth: FleetTruth

    package init(_ plan: FleetPlan) {
        var truth = FleetTruth(plan.campaigns)
        var sends: [IngestEvent] = []
        var outbox = Outbox(now: plan.now)
        var dice = Dice(seed: plan.seed)
        let start = plan.campaigns.map(\.startsAt).min() ?? plan.now
        for number in 0..<max(0, plan.devices) {
            var own = dice.fork()
            // Dice of its own for each part: another habit in one campaign leaves all other stories as they are.
            var ids = own.fork()
            let device = SimulatedDevice(number: number + 1, dice: &own)
            var reports = DeviceLife(from: start, until: plan.now, dice: own.fork()).reports
                .map { IngestEvent($0, on: device, dice: &ids) }
            for campaign in plan.campaigns {
                guard let story = DeliveryStory(campaign, device, until: plan.now, dice: own.fork()) else { continue }
                truth.count(story)
                sends.append(IngestEvent(sendOf: story, dice: &ids))
                reports += story.reports.map { IngestEvent($0, of: story, on: device, dice: &ids) }
            }
            outbox.add(reports, from: device, dice: &own)
        }
        now = plan.now
        serverRequests = Self.requests(of: sends, at: plan.now)
        deviceRequests = outbox.requests
        self.truth = truth
    }

    /// Events that the requests carry, repetitions included.
    package var eventCount: Int { (serverRequests + deviceRequests).reduce(0) { $0 + $1.events.count } }

    private static func requests(of sends: [IngestEvent], at now: Timestamp) -> [IngestRequest] {
        let sends = sends.sorted { ($0.occurredAt, $0.deviceID ?? "") < ($1.occurredAt, $1.deviceID ?? "") }
        return stride(from: 0, to: sends.count, by: 500).map {
            IngestRequest(sentAt: now, events: Array(sends[$0..<min($0 + 500, sends.count)]))
        }
    }
}
