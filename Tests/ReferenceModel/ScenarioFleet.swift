import SeededRandom

/// The devices of one app of a scenario, and what they and the provider tell.
struct ScenarioFleet {
    let app: Identifier
    let vocabulary: Vocabulary
    let declarations: Declarations
    let now: Int

    private var told: Set<EventIdentity> = []

    init(app: Identifier, vocabulary: Vocabulary, declarations: Declarations, now: Int) {
        self.app = app
        self.vocabulary = vocabulary
        self.declarations = declarations
        self.now = now
    }

    /// About so many events, over deliveries that each have a few.
    mutating func events(_ count: Int, random: inout SeededGenerator) -> [ModelEvent] {
        var events: [ModelEvent] = []
        while events.count < count {
            let delivery = random.happens(percent: 12) ? deviceEvents(&random) : deliveryEvents(&random)
            // One identity, one content: were it otherwise, the outcome would depend on the order.
            events += delivery.filter { told.insert(EventIdentity($0)).inserted }
        }
        return events
    }

    private func deviceEvents(_ random: inout SeededGenerator) -> [ModelEvent] {
        let kinds = ModelKind.allCases.filter(\.isAboutDeviceAlone)
        let device = random.one(in: vocabulary.devices) ?? "device"
        return random.some(random.number(1...2), of: kinds).map { kind in
            var event = ModelEvent(
                app: app,
                notificationID: random.happens(percent: 20) ? random.one(in: vocabulary.notifications) : nil,
                deviceID: device,
                eventID: random.uuid(),
                kind: kind,
                occurredAt: now - random.number(0...(10 * 24 * 3600)) * 1_000_000,
                verified: random.happens(percent: 20)
            )
            event.campaign = random.happens(percent: 20) ? random.one(in: vocabulary.campaigns) : nil
            event.platform = random.one(in: vocabulary.platforms)
            return event
        }
    }

    private func deliveryEvents(_ random: inout SeededGenerator) -> [ModelEvent] {
        var story = DeliveryStory(fleet: self, random: &random)
        story.tellSending(&random)
        story.tellShowing(&random)
        story.tellResponding(&random)
        story.tellRest(&random)
        story.giveReceipts(&random)
        story.repeatIdentifiers(&random)
        story.tellOpenings(&random)
        return story.events
    }
}
