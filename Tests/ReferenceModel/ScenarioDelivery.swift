import SeededRandom

/// A delivery of a scenario while its events are generated.
struct ScenarioDelivery {
    let fleet: ScenarioFleet
    var events: [ModelEvent] = []

    let notification: Identifier
    let device: Identifier
    let start: Int
    /// The longest time between the start and an event.
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
        // The first names are declared and frequent.
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

    /// A time after the start, and sometimes before it: device clocks are wrong, and sends arrive late.
    func time(_ random: inout SeededGenerator) -> Int {
        if random.happens(percent: 4) { return start }
        let after = random.number(0...pace)
        return random.happens(percent: 6) ? start - after / 4 : start + after
    }

    mutating func addEvent(
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

    /// Sets the event's dimensions to the delivery's, sometimes omitting or changing some.
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

// Adds app openings around the time of the delivery's events.
extension ScenarioDelivery {
    mutating func addOpenings(_ random: inout SeededGenerator) {
        guard random.happens(percent: 35), let near = random.one(in: events) else { return }
        let seconds = random.one(of: 0, 1, 59, 60, 61, 3_600, 43_199, 43_200, 43_201, -1, -43_200, -50_000, -86_400)
        let odd = random.one(of: 0, 0, 0, 1, -1)
        var event = ModelEvent(
            app: fleet.app,
            notificationID: nil,
            deviceID: device,
            eventID: random.uuid(),
            kind: .app_opened,
            occurredAt: min(near.occurredAt + seconds * 1_000_000 + odd, fleet.now + 3 * microsecondsPerHour),
            verified: random.happens(percent: 30)
        )
        event.platform = random.happens(percent: 80) ? facts.platform : nil
        event.appVersion = random.happens(percent: 80) ? facts.appVersion : nil
        events.append(event)
    }
}

// Adds outcomes of the device after the delivery's events, and sometimes before them.
extension ScenarioDelivery {
    mutating func addOutcomes(_ random: inout SeededGenerator) {
        guard random.happens(percent: 30), let near = random.one(in: events) else { return }
        for _ in 1...random.number(1...2) {
            let seconds = random.one(of: 0, 1, 600, 86_400, 2 * 86_400, 2 * 86_400 + 1, 7 * 86_400, -1, -3_600)
            var event = ModelEvent(
                app: fleet.app,
                notificationID: nil,
                deviceID: device,
                eventID: random.uuid(),
                kind: .converted,
                occurredAt: min(near.occurredAt + seconds * 1_000_000, fleet.now + 3 * microsecondsPerHour),
                verified: random.happens(percent: 40)
            )
            event.name = random.one(of: nil, nil, "order", "sign-up", "")
            event.platform = random.happens(percent: 80) ? facts.platform : nil
            events.append(event)
        }
    }
}

// Adds receipts to the events.
extension ScenarioDelivery {
    /// Adds the payload's receipt to most events of some deliveries, and a forged one to a few.
    mutating func addReceipts(_ random: inout SeededGenerator) {
        guard random.happens(percent: 50) else { return }
        let receipt = self.receipt(&random)
        for index in events.indices where random.happens(percent: 75) && !events[index].kind.isAboutDeviceAlone {
            events[index].receipt = receipt
            if random.happens(percent: 4) {
                events[index].receipt?.forgery = random.one(in: ModelReceipt.Forgery.allCases)
            }
            if random.happens(percent: 3) { events[index].receipt?.deviceID = random.one(in: fleet.vocabulary.devices) }
            if random.happens(percent: 4) { expireReceipt(of: index, &random) }
            // The event may omit what the receipt contains.
            let isBound = events[index].receipt?.deviceID == events[index].deviceID
            let isNamed = events[index].receipt?.notificationID == events[index].notificationID
            events[index].statesIDs = !(isBound && isNamed && random.happens(percent: 40))
        }
    }

    private func receipt(_ random: inout SeededGenerator) -> ModelReceipt {
        let issuedAt = (start - random.number(0...7_200_000_000)) / 1_000_000 * 1_000_000
        var receipt = ModelReceipt(
            notificationID: notification, deviceID: random.happens(percent: 75) ? device : nil, issuedAt: issuedAt,
            expiresAt: issuedAt + 30 * 24 * microsecondsPerHour)
        if random.happens(percent: 70) { receipt.campaign = facts.campaign }
        if random.happens(percent: 70) { receipt.variant = facts.variant }
        if random.happens(percent: 70) { receipt.category = facts.category }
        if random.happens(percent: 50) { receipt.categoryVersion = facts.categoryVersion }
        if random.happens(percent: 8) { receipt.campaign = random.one(in: fleet.vocabulary.campaigns) }
        return receipt
    }

    /// Makes the receipt expire just before or just after the event.
    private mutating func expireReceipt(of index: Int, _ random: inout SeededGenerator) {
        let second = events[index].occurredAt / 1_000_000
        let end = second - random.one(of: 3_600, 62, 60, 58, 1)
        events[index].receipt?.issuedAt = (end - 3_600) * 1_000_000
        events[index].receipt?.expiresAt = end * 1_000_000
    }
}
