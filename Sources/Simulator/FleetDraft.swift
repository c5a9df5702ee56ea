import AfterpushWire

/// A fleet whose devices lived through a plan.
struct FleetDraft {
    private let plan: FleetPlan
    private let mint: ReceiptSigner?
    private(set) var devices: [SimulatedDevice] = []
    private(set) var stories: [DeliveryStory] = []
    private(set) var sends: [IngestEvent] = []
    private(set) var visits: [DeviceVisit] = []
    private var forgers: [Forger] = []

    init(_ plan: FleetPlan, mint: ReceiptSigner?) {
        self.plan = plan
        self.mint = mint
        var dice = RandomSource(seed: plan.seed)
        let start = plan.campaigns.map(\.startsAt).min() ?? plan.now
        for number in 0..<max(0, plan.devices) { live(number, from: start, own: dice.fork()) }
    }

    /// RandomSource of its own for each part of a device's life: another habit in one campaign leaves all other stories as they
    /// are.
    private mutating func live(_ number: Int, from start: Timestamp, own: RandomSource) {
        var own = own
        var ids = own.fork()
        let device = SimulatedDevice(
            number: number + 1, of: plan.segments, from: start, until: plan.now, dice: &own)
        var diary = DeviceEventLog(of: device)
        for happening in DeviceLife(from: start, until: plan.now, dice: own.fork()).reports {
            diary.add(happening, dice: &ids)
        }
        let forger = Forger(device: device, mint: mint, dice: own.fork())
        if device.isForger { forgers.append(forger) }
        for campaign in plan.campaigns {
            guard let story = DeliveryStory(campaign, device, until: plan.now, dice: own.fork()) else { continue }
            stories.append(story)
            sends.append(IngestEvent(sendOf: story, dice: &ids))
            let receipt = story.reports.isEmpty ? nil : mint?.receipt(of: story)
            for report in story.reports { diary.add(report, of: story, receipt: receipt, dice: &ids) }
        }
        devices.append(device)
        visits += diary.visits(of: number, dice: &own)
    }

    /// Lets the forgers do what they do, once all others have lived.
    mutating func forge() -> [Forgery] {
        var forgeries: [Forgery] = []
        for place in forgers.indices {
            var claims: [(Int, SimulatedEvent)] = []
            forgeries += forgers[place].forge(stories, until: plan.now) { claims.append(($0, $1)) }
            for (story, claim) in claims { stories[story].claim(claim) }
        }
        return forgeries
    }
}
