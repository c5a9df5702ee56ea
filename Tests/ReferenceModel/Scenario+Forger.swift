import SeededRandom

/// A forger who has the public ingest key, knows every notification and device, and has no receipt that is bound to a
/// device.
///
/// It posts unverified events about the deliveries of an app: sends of local triggers, failures, confirmations and
/// responses with other dimensions and times, more actions than a delivery can have by name, copies of verified events
/// with another content, and events about deliveries and devices that do not exist.
struct ScenarioForger {
    private let app: Identifier
    private let vocabulary: Vocabulary
    private let now: Int
    private let genuine: [ModelEvent]

    /// - Parameter genuine: the accepted events of the app.
    init(app: Identifier, vocabulary: Vocabulary, now: Int, genuine: [ModelEvent]) {
        self.app = app
        self.vocabulary = vocabulary
        self.now = now
        self.genuine = genuine.filter { $0.app == app && $0.notificationID != nil }
    }

    func events(_ count: Int, random: inout SeededGenerator) -> [ModelEvent] {
        var forged: [ModelEvent] = []
        var copied: Set<EventIdentity> = []
        while forged.count < count {
            guard let victim = random.one(in: genuine) else { return forged }
            switch random.number(0...9) {
            case 0: forged += manyActions(of: victim, &random)
            // Copies of unverified events would make the outcome depend on the order.
            case 1 where victim.verified && copied.insert(EventIdentity(victim)).inserted:
                forged.append(copy(of: victim, &random))
            case 3: forged.append(event(.app_opened, of: victim, &random))
            case 4:
                var outcome = event(.converted, of: victim, &random)
                outcome.notificationID = nil
                outcome.receipt = nil
                forged.append(outcome)
            default:
                let kinds = ModelKind.allCases.filter { !$0.isAct }
                forged.append(event(random.one(in: kinds) ?? .delivered, of: victim, &random))
            }
        }
        return forged
    }

    private func event(_ kind: ModelKind, of victim: ModelEvent, _ random: inout SeededGenerator) -> ModelEvent {
        let isInvented = random.happens(percent: 10)
        var event = ModelEvent(
            app: app, notificationID: isInvented ? "forged" : victim.notificationID, deviceID: victim.deviceID,
            eventID: random.uuid(), kind: kind,
            occurredAt: now - random.number(-2 * 3600...11 * 24 * 3600) * 1_000_000, verified: false)
        state(&event, &random)
        if random.happens(percent: 25), !isInvented, !kind.isAboutDeviceAlone, let id = victim.notificationID {
            event.receipt = receipt(id, &random)
        }
        return event
    }

    /// A copy with the same identity and another content.
    private func copy(of victim: ModelEvent, _ random: inout SeededGenerator) -> ModelEvent {
        var event = ModelEvent(
            app: app, notificationID: victim.notificationID, deviceID: victim.deviceID, eventID: victim.eventID,
            kind: victim.kind.isAboutDeviceAlone ? .app_opened : random.one(of: .read, .opened, .dismissed, .sent),
            occurredAt: victim.occurredAt, verified: false)
        state(&event, &random)
        return event
    }

    private func manyActions(of victim: ModelEvent, _ random: inout SeededGenerator) -> [ModelEvent] {
        (0..<random.number(20...60)).map { number in
            var event = event(.action, of: victim, &random)
            event.notificationID = victim.notificationID
            event.receipt = nil
            event.actionIdentifier = random.happens(percent: 20) ? "(other)" : Identifier("!\(number)")
            return event
        }
    }

    private func state(_ event: inout ModelEvent, _ random: inout SeededGenerator) {
        if event.kind == .sent || event.kind == .failed { event.trigger = "time_interval" }
        event.campaign = random.happens(percent: 70) ? random.one(in: vocabulary.campaigns) : nil
        event.variant = random.happens(percent: 50) ? random.one(in: vocabulary.variants) : nil
        event.category = random.happens(percent: 60) ? random.one(in: vocabulary.categories) : nil
        event.categoryVersion = random.happens(percent: 30) ? random.number(1...4) : nil
        event.platform = random.happens(percent: 70) ? random.one(in: vocabulary.platforms) : nil
        event.appVersion = random.happens(percent: 60) ? random.one(in: vocabulary.appVersions) : nil
    }

    /// A receipt of the notification that is valid for any device, which its payload contains if a server binds none.
    private func receipt(_ notification: Identifier, _ random: inout SeededGenerator) -> ModelReceipt {
        let issuedAt = (now / 1_000_000 - random.number(3_600...20 * 24 * 3_600)) * 1_000_000
        return ModelReceipt(
            notificationID: notification, deviceID: nil, issuedAt: issuedAt,
            expiresAt: issuedAt + 40 * 24 * microsecondsPerHour)
    }
}
