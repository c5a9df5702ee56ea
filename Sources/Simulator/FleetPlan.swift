package import AfterpushWire

/// What is sent to whom, and how people behave. The same plan makes the same traffic.
package struct FleetPlan: Sendable {
    package var seed: UInt64
    /// Nothing happens after it; everything is posted at this moment.
    package var now: Timestamp
    package var devices: Int
    package var campaigns: [PlannedCampaign]

    package init(seed: UInt64, now: Timestamp, devices: Int, campaigns: [PlannedCampaign]) {
        self.seed = seed
        self.now = now
        self.devices = devices
        self.campaigns = campaigns
    }
}
