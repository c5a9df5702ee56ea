package import AfterpushWire

/// The events that a plan's fleet and its provider's server post. The same plan produces the same traffic.
package struct FleetTraffic: Sendable {
    /// The time at which everything is posted.
    package let now: Timestamp
    /// The events of the provider's server in the order of the sends, for a key with scope `send`.
    package let sends: [IngestEvent]
    let devices: [SimulatedDevice]
    /// The events of the devices in the order of posting, for a key with scope `ingest`.
    let visits: [DeviceVisit]
    let forgeries: [Forgery]
    /// The numbers that reports should show.
    package let truth: FleetTruth

    /// Simulates a fleet.
    ///
    /// - Parameter signer: Signs a receipt for each notification. Without one, notifications have no receipts.
    package init(_ plan: FleetPlan, signer: ReceiptSigner? = nil) {
        var fleet = SimulatedFleet(plan, signer: signer)
        let forgeries = fleet.forge()
        now = plan.now
        devices = fleet.devices
        sends = fleet.sends
            .sorted { ($0.occurredAt, $0.deviceID ?? "") < ($1.occurredAt, $1.deviceID ?? "") }
        visits = fleet.visits.enumerated()
            .sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }.map(\.element)
        self.forgeries = forgeries
        truth = FleetTruth(plan, fleet, forgeries, isSigned: signer != nil)
    }

    /// The number of events that the collector should store.
    package var eventCount: Int {
        let claims = forgeries.count { $0.kind == .unsigned }
        return sends.count + visits.reduce(claims) { $0 + $1.entries.count }
    }

    /// The number of events that the collector should reject.
    package var rejectionCount: Int { forgeries.count { $0.rejection != nil } }
}
