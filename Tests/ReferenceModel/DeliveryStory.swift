import SeededRandom

/// One delivery of a scenario while its events are being made up.
struct DeliveryStory {
    let fleet: ScenarioFleet
    var events: [ModelEvent] = []

    let notification: Identifier
    let device: Identifier
    let start: Int
    /// How long until whatever happens, at most.
    let pace: Int
    let facts: Dimensions

    init(fleet: ScenarioFleet, random: inout SeededGenerator) {
        self.fleet = fleet
        notification = random.one(in: fleet.vocabulary.notifications) ?? "notification"
        device = random.one(in: fleet.vocabulary.devices) ?? "device"
        let then = fleet.now - random.number(0...(10 * 24 * 3600)) * 1_000_000 - random.number(0...999_999)
        start = random.happens(percent: 10) ? hourStart(then) : then
        pace = random.one(of: 5_000_000, 300_000_000, 3 * microsecondsPerHour, 48 * microsecondsPerHour)
        facts = Self.facts(fleet.vocabulary, &random)
    }

    private static func facts(_ vocabulary: Vocabulary, _ random: inout SeededGenerator) -> Dimensions {
        var facts = Dimensions()
        // The first names are the declared ones, and the frequent ones.
        if random.happens(percent: 80) { facts.campaign = campaign(vocabulary, &random) }
        if random.happens(percent: 60) { facts.variant = random.one(in: vocabulary.variants) }
        if random.happens(percent: 85) { facts.category = category(vocabulary, &random) }
        if random.happens(percent: 35) { facts.categoryVersion = random.number(1...4) }
        if random.happens(percent: 90) {
            facts.platform = random.one(in: vocabulary.platforms + ["ios", "ios", "android"])
        }
        if random.happens(percent: 70) { facts.appVersion = random.one(in: vocabulary.appVersions) }
        return facts
    }

    private static func campaign(_ vocabulary: Vocabulary, _ random: inout SeededGenerator) -> Identifier? {
        random.one(in: random.happens(percent: 60) ? Array(vocabulary.campaigns.prefix(2)) : vocabulary.campaigns)
    }

    private static func category(_ vocabulary: Vocabulary, _ random: inout SeededGenerator) -> Identifier? {
        random.one(in: random.happens(percent: 60) ? Array(vocabulary.categories.prefix(2)) : vocabulary.categories)
    }

    /// Some time after the start; once in a while before it: device clocks are wrong, and sends come late.
    func time(_ random: inout SeededGenerator) -> Int {
        if random.happens(percent: 4) { return start }
        let after = random.number(0...pace)
        return random.happens(percent: 6) ? start - after / 4 : start + after
    }

    mutating func tell(
        _ kind: ModelKind,
        at time: Int,
        verified: Bool,
        _ random: inout SeededGenerator,
        change: (inout ModelEvent) -> Void = { _ in }
    ) {
        var event = ModelEvent(
            app: fleet.app,
            notificationID: notification,
            deviceID: device,
            eventID: random.uuid(),
            kind: kind,
            occurredAt: min(time, fleet.now + 3 * microsecondsPerHour),
            verified: verified
        )
        state(&event, &random)
        change(&event)
        events.append(event)
    }

    /// What the event says of the delivery: the facts, less some, and sometimes something else.
    private func state(_ event: inout ModelEvent, _ random: inout SeededGenerator) {
        let words = fleet.vocabulary
        event.campaign = random.happens(percent: 75) ? facts.campaign : nil
        event.variant = random.happens(percent: 75) ? facts.variant : nil
        event.category = random.happens(percent: 75) ? facts.category : nil
        event.categoryVersion = random.happens(percent: 75) ? facts.categoryVersion : nil
        event.platform = random.happens(percent: 80) ? facts.platform : nil
        event.appVersion = random.happens(percent: 75) ? facts.appVersion : nil
        if random.happens(percent: 8) { event.campaign = random.one(in: words.campaigns) }
        if random.happens(percent: 8) { event.variant = random.one(in: words.variants) }
        if random.happens(percent: 8) { event.category = random.one(in: words.categories) }
        if random.happens(percent: 8) { event.categoryVersion = random.one(of: 1, 2, 3, 9, 10) }
        if random.happens(percent: 5) { event.platform = random.one(in: words.platforms) }
        if random.happens(percent: 5) { event.appVersion = random.one(in: words.appVersions) }
    }
}
