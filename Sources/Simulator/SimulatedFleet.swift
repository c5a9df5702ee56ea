import AfterpushWire

/// A fleet of devices with everything that happens to them during a plan.
struct SimulatedFleet {
    private let plan: FleetPlan
    private let signer: ReceiptSigner?
    private(set) var devices: [SimulatedDevice] = []
    private(set) var deliveries: [SimulatedDelivery] = []
    /// The deliveries that were held out.
    private(set) var holdouts: [SimulatedDelivery] = []
    private(set) var sends: [IngestEvent] = []
    private(set) var visits: [DeviceVisit] = []
    private var forgers: [Forger] = []

    init(_ plan: FleetPlan, signer: ReceiptSigner?) {
        self.plan = plan
        self.signer = signer
        var random = RandomSource(seed: plan.seed)
        let start = plan.activeFrom ?? plan.startsAt
        for index in 0..<max(0, plan.devices) { simulate(index, from: start, random: random.fork()) }
    }

    /// Simulates a device. Each part has random numbers of its own, so that a change in one campaign leaves the
    /// deliveries of all others as they are.
    private mutating func simulate(_ index: Int, from start: Timestamp, random: RandomSource) {
        var random = random
        var ids = random.fork()
        let device = SimulatedDevice(
            number: index + 1, of: plan.segments, unlikeness: plan.unlikeness, from: start, until: plan.now,
            random: &random)
        var log = DeviceEventLog(of: device)
        for event in DeviceActivity(from: start, until: plan.now, random: random.fork()).reports {
            log.add(event, random: &ids)
        }
        let forger = Forger(device: device, signer: signer, random: random.fork())
        if device.isForger { forgers.append(forger) }
        for campaign in plan.campaigns {
            for delivery in simulate(campaign, device, random: random.fork()) {
                if delivery.isHeldOut { holdouts.append(delivery) } else { deliveries.append(delivery) }
                sends.append(IngestEvent(sendOf: delivery, random: &ids))
                let receipt = delivery.reports.isEmpty ? nil : signer?.receipt(of: delivery)
                for report in delivery.reports { log.add(report, of: delivery, receipt: receipt, random: &ids) }
                if let outcome = delivery.outcome { log.add(outcome, random: &ids) }
            }
        }
        let before = DeviceActivity(from: plan.startsAt, until: start, random: random.fork())
        for event in before.reports where event.kind == .appOpened { log.add(event, random: &ids) }
        devices.append(device)
        visits += log.visits(of: index, random: &random)
    }

    /// Simulates the notifications of a campaign for a device.
    private func simulate(
        _ campaign: PlannedCampaign, _ device: SimulatedDevice, random: RandomSource
    ) -> [SimulatedDelivery] {
        guard let first = SimulatedDelivery(campaign, device, until: plan.now, random: random) else { return [] }
        var others = random
        _ = others.next()
        return [first]
            + (1..<max(campaign.notifications, 1)).compactMap { place in
                SimulatedDelivery(
                    campaign, device, place: place, after: first, until: plan.now, random: others.fork())
            }
    }

    /// Lets the forgers act on the complete fleet, and adds their accepted claims to the deliveries.
    mutating func forge() -> [Forgery] {
        var forgeries: [Forgery] = []
        for index in forgers.indices {
            var claims: [(Int, SimulatedEvent)] = []
            forgeries += forgers[index].forge(deliveries, until: plan.now) { claims.append(($0, $1)) }
            for (delivery, claim) in claims { deliveries[delivery].addClaim(claim) }
        }
        return forgeries
    }
}
