package import AfterpushWire

/// Everything that a plan's fleet and its provider's server have to tell: the same for the same plan.
package struct FleetTraffic: Sendable {
    /// The moment at which all of it is posted.
    package let now: Timestamp
    /// What the provider's server knows, in the order of the sends: for a key of scope send.
    package let sends: [IngestEvent]
    let devices: [SimulatedDevice]
    /// What devices record, in the order in which they get to post it: for a key of scope ingest.
    let visits: [DeviceVisit]
    /// What is not true.
    let forgeries: [Forgery]
    /// What reports should find in it.
    package let truth: FleetTruth

    /// - Parameter mint: makes the receipts that all notifications have; without one they have none.
    package init(_ plan: FleetPlan, mint: ReceiptSigner? = nil) {
        var fleet = FleetDraft(plan, mint: mint)
        let forgeries = fleet.forge()
        now = plan.now
        devices = fleet.devices
        sends = fleet.sends
            .sorted { ($0.occurredAt, $0.deviceID ?? "") < ($1.occurredAt, $1.deviceID ?? "") }
        visits = fleet.visits.enumerated()
            .sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }.map(\.element)
        self.forgeries = forgeries
        truth = FleetTruth(plan, fleet, forgeries, isSigned: mint != nil)
    }

    /// Events that the collector is to store.
    package var eventCount: Int {
        let claims = forgeries.count { $0.kind == .unsigned }
        return sends.count + visits.reduce(claims) { $0 + $1.entries.count }
    }

    /// Events that it is to reject.
    package var rejectionCount: Int { forgeries.count { $0.rejection != nil } }
}
