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

    init(fleet: ScenarioFleet, chance: inout Chance) {
        self.fleet = fleet
        notification = chance.one(in: fleet.vocabulary.notifications) ?? "notification"
        device = chance.one(in: fleet.vocabulary.devices) ?? "device"
        let then = fleet.now - chance.number(0...(10 * 24 * 3600)) * 1_000_000 - chance.number(0...999_999)
        start = chance.happens(10) ? hourStart(then) : then
        pace = chance.one(of: 5_000_000, 300_000_000, 3 * microsecondsPerHour, 48 * microsecondsPerHour)
        facts = Self.facts(fleet.vocabulary, &chance)
    }

    private static func facts(_ vocabulary: Vocabulary, _ chance: inout Chance) -> Dimensions {
        var facts = Dimensions()
        // The first names are the declared ones, and the frequent ones.
        if chance.happens(80) { facts.campaign = campaign(vocabulary, &chance) }
        if chance.happens(60) { facts.variant = chance.one(in: vocabulary.variants) }
        if chance.happens(85) { facts.category = category(vocabulary, &chance) }
        if chance.happens(35) { facts.categoryVersion = chance.number(1...4) }
        if chance.happens(90) { facts.platform = chance.one(in: vocabulary.platforms + ["ios", "ios", "android"]) }
        if chance.happens(70) { facts.appVersion = chance.one(in: vocabulary.appVersions) }
        return facts
    }

    private static func campaign(_ vocabulary: Vocabulary, _ chance: inout Chance) -> Identifier? {
        chance.one(in: chance.happens(60) ? Array(vocabulary.campaigns.prefix(2)) : vocabulary.campaigns)
    }

    private static func category(_ vocabulary: Vocabulary, _ chance: inout Chance) -> Identifier? {
        chance.one(in: chance.happens(60) ? Array(vocabulary.categories.prefix(2)) : vocabulary.categories)
    }

    /// Some time after the start; once in a while before it: device clocks are wrong, and sends come late.
    func time(_ chance: inout Chance) -> Int {
        if chance.happens(4) { return start }
        let after = chance.number(0...pace)
        return chance.happens(6) ? start - after / 4 : start + after
    }

    mutating func tell(
        _ kind: ModelKind,
        at time: Int,
        verified: Bool,
        _ chance: inout Chance,
        change: (inout ModelEvent) -> Void = { _ in }
    ) {
        var event = ModelEvent(
            app: fleet.app,
            notificationID: notification,
            deviceID: device,
            eventID: chance.uuid(),
            kind: kind,
            occurredAt: min(time, fleet.now + 3 * microsecondsPerHour),
            verified: verified
        )
        state(&event, &chance)
        change(&event)
        events.append(event)
    }

    /// What the event says of the delivery: the facts, less some, and sometimes something else.
    private func state(_ event: inout ModelEvent, _ chance: inout Chance) {
        let words = fleet.vocabulary
        event.campaign = chance.happens(75) ? facts.campaign : nil
        event.variant = chance.happens(75) ? facts.variant : nil
        event.category = chance.happens(75) ? facts.category : nil
        event.categoryVersion = chance.happens(75) ? facts.categoryVersion : nil
        event.platform = chance.happens(80) ? facts.platform : nil
        event.appVersion = chance.happens(75) ? facts.appVersion : nil
        if chance.happens(8) { event.campaign = chance.one(in: words.campaigns) }
        if chance.happens(8) { event.variant = chance.one(in: words.variants) }
        if chance.happens(8) { event.category = chance.one(in: words.categories) }
        if chance.happens(8) { event.categoryVersion = chance.one(of: 1, 2, 3, 9, 10) }
        if chance.happens(5) { event.platform = chance.one(in: words.platforms) }
        if chance.happens(5) { event.appVersion = chance.one(in: words.appVersions) }
    }
}
