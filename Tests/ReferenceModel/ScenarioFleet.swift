import SeededRandom

/// The devices of one app of a scenario, with the events that they and the provider post.
struct ScenarioFleet {
    let app: Identifier
    let vocabulary: Vocabulary
    let declarations: Declarations
    let now: Int

    private var identities: Set<EventIdentity> = []

    init(app: Identifier, vocabulary: Vocabulary, declarations: Declarations, now: Int) {
        self.app = app
        self.vocabulary = vocabulary
        self.declarations = declarations
        self.now = now
    }

    /// Generates about `count` events of deliveries with a few events each.
    mutating func events(_ count: Int, random: inout SeededGenerator) -> [ModelEvent] {
        var events: [ModelEvent] = []
        while events.count < count {
            let delivery = random.happens(percent: 12) ? deviceEvents(&random) : deliveryEvents(&random)
            // Each identity occurs once, because otherwise the outcome would depend on the order.
            events += delivery.filter { identities.insert(EventIdentity($0)).inserted }
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
        var delivery = ScenarioDelivery(fleet: self, random: &random)
        delivery.addSends(&random)
        delivery.addConfirmations(&random)
        delivery.addResponses(&random)
        delivery.addConversions(&random)
        delivery.addHoldout(&random)
        delivery.addOtherEvents(&random)
        delivery.addReceipts(&random)
        delivery.repeatIdentifiers(&random)
        delivery.addOpenings(&random)
        delivery.addOutcomes(&random)
        return delivery.events
    }
}
