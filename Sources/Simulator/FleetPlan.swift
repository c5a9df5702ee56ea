package import AfterpushWire

/// What is sent to whom, and how people behave. The same plan makes the same traffic.
package struct FleetPlan: Sendable {
    package var seed: UInt64
    /// Nothing happens after it; everything is posted at this moment.
    package var now: Timestamp
    package var devices: Int
    package var segments: [FleetSegment]
    package var campaigns: [PlannedCampaign]

    package init(
        seed: UInt64, now: Timestamp, devices: Int, segments: [FleetSegment] = FleetSegment.demo,
        campaigns: [PlannedCampaign]
    ) {
        self.seed = seed
        self.now = now
        self.devices = devices
        self.segments = segments
        self.campaigns = campaigns
    }

    /// A probability that differs by segment, as it is for the fleet as a whole.
    package func mean(_ probability: (FleetSegment.Habits) -> Double) -> Double {
        let weight = segments.reduce(0) { $0 + $1.weight }
        return segments.reduce(0) { $0 + $1.weight * probability($1.habits) } / weight
    }
}
