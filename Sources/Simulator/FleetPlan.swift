package import AfterpushWire

/// A plan of what is sent to whom and how people behave. The same plan produces the same traffic.
package struct FleetPlan: Sendable {
    package var seed: UInt64
    /// The end of the plan. Nothing happens after it, and everything is posted at this time.
    package var now: Timestamp
    package var devices: Int
    package var segments: [FleetSegment]
    package var campaigns: [PlannedCampaign]
    /// The beginning of the time in which devices lose their network and register; the first campaign's start if nil.
    /// Before that, people only receive notifications and open the app.
    package var activeFrom: Timestamp?
    /// How unlike the devices' owners are: the standard deviation of the logarithm of the factor by which a device's
    /// owner opens, acts and replies more or less often than its segment, always 1 on average. With 0 all are alike, and
    /// several notifications of a device tell as much as those of several devices.
    package var unlikeness = 0.0

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

    /// The start of the first campaign.
    var startsAt: Timestamp { campaigns.map(\.startsAt).min() ?? now }

    /// Returns the mean of a probability over all segments, by their weights.
    package func mean(_ probability: (FleetSegment.Habits) -> Double) -> Double {
        let weight = segments.reduce(0) { $0 + $1.weight }
        return segments.reduce(0) { $0 + $1.weight * probability($1.habits) } / weight
    }
}

extension Timestamp {
    /// Returns the time some seconds later, in whole milliseconds like the clocks of devices.
    func advanced(by seconds: Double) -> Timestamp {
        let milliseconds = microseconds / 1_000 + Int64(seconds * 1_000)
        return Timestamp(microseconds: milliseconds * 1_000)
    }

    func seconds(until later: Timestamp) -> Double {
        Double(later.microseconds - microseconds) / 1_000_000
    }
}
