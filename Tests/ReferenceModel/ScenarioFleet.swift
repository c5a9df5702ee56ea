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
    mutating func events(_ count: Int, chance: inout Chance) -> [ModelEvent] {
        var events: [ModelEvent] = []
        while events.count < count {
            let delivery = chance.happens(12) ? deviceEvents(&chance) : deliveryEvents(&chance)
            // One identity, one content: were it otherwise, the outcome would depend on the order.
            events += delivery.filter { told.insert(EventIdentity($0)).inserted }
        }
        return events
    }

    private func deviceEvents(_ chance: inout Chance) -> [ModelEvent] {
        let kinds = ModelKind.allCases.filter(\.isAboutDeviceAlone)
        let device = chance.one(in: vocabulary.devices) ?? "device"
        return chance.some(chance.number(1...2), of: kinds).map { kind in
            var event = ModelEvent(
                app: app,
                notificationID: chance.happens(20) ? chance.one(in: vocabulary.notifications) : nil,
                deviceID: device,
                eventID: chance.uuid(),
                kind: kind,
                occurredAt: now - chance.number(0...(10 * 24 * 3600)) * 1_000_000,
                verified: chance.happens(20)
            )
            event.campaign = chance.happens(20) ? chance.one(in: vocabulary.campaigns) : nil
            event.platform = chance.one(in: vocabulary.platforms)
            return event
        }
    }

    private func deliveryEvents(_ chance: inout Chance) -> [ModelEvent] {
        var story = DeliveryStory(fleet: self, chance: &chance)
        story.tellSending(&chance)
        story.tellShowing(&chance)
        story.tellResponding(&chance)
        story.tellRest(&chance)
        story.giveReceipts(&chance)
        story.repeatIdentifiers(&chance)
        story.tellOpenings(&chance)
        return story.events
    }
}
