// What happens to the delivery, and who tells it.
extension DeliveryStory {
    mutating func tellSending(_ chance: inout Chance) {
        if chance.happens(60) {
            // A send key, or a local trigger; at times both, and at times long after the response.
            for _ in 1...chance.one(of: 1, 1, 1, 2) {
                let at = chance.happens(85) ? start : start + pace + chance.number(1...7_200) * 1_000_000
                tellFromProvider(.sent, at: at, &chance)
            }
        }
        if chance.happens(12) {
            tellFromProvider(.failed, at: start + chance.number(0...60) * 1_000_000, &chance)
        }
    }

    /// "Only the provider says so, or the app for a local trigger."
    private mutating func tellFromProvider(_ kind: ModelKind, at time: Int, _ chance: inout Chance) {
        let verified = chance.happens(80)
        let trigger = verified ? nil : chance.one(of: "time_interval", "calendar", "location")
        tell(kind, at: time, verified: verified, &chance) { $0.trigger = trigger }
    }

    mutating func tellShowing(_ chance: inout Chance) {
        let likelihoods: [(ModelKind, Int)] = [
            (.delivered, 55), (.delivered, 6), (.displayed, 15), (.read, 8), (.media_played, 3), (.media_paused, 3),
            (.attachment_failed, 3), (.extension_expired, 3), (.replaced, 8),
        ]
        for (kind, likelihood) in likelihoods where chance.happens(likelihood) {
            tell(kind, at: time(&chance), verified: chance.happens(30), &chance)
        }
    }

    mutating func tellResponding(_ chance: inout Chance) {
        if chance.happens(25) {
            let identifier = "com.apple.UNNotificationDefaultActionIdentifier"
            tellResponse(.opened, chance.happens(50) ? Identifier(identifier) : nil, nil, &chance)
        }
        if chance.happens(15) {
            let identifier = "com.apple.UNNotificationDismissActionIdentifier"
            tellResponse(.dismissed, chance.happens(50) ? Identifier(identifier) : nil, nil, &chance)
        }
        guard chance.happens(35) else { return }
        for _ in 1...chance.one(of: 1, 1, 2, 4) {
            let action = self.action(&chance)
            // The same action may come more than once, each time as an event of its own.
            for _ in 1...chance.one(of: 1, 1, 1, 3) {
                let text = chance.happens(25) ? "Yes, \u{E9} and \u{1F389}" : nil
                tellResponse(text == nil ? .action : .text_input, action, text, &chance)
            }
        }
    }

    /// Mostly what some version of its category offers.
    private func action(_ chance: inout Chance) -> Identifier {
        let versions = fleet.declarations.categories.filter { $0.category == facts.category }
        let offered = versions.flatMap(\.actions).map(\.id)
        let any = chance.one(in: fleet.vocabulary.actions) ?? "action"
        return chance.happens(80) ? chance.one(in: offered) ?? any : any
    }

    private mutating func tellResponse(
        _ kind: ModelKind,
        _ identifier: Identifier?,
        _ text: String?,
        _ chance: inout Chance
    ) {
        // An identifier implies the kind, which may then stay unsaid.
        let statesKind = identifier == nil || chance.happens(50)
        tell(kind, at: time(&chance), verified: chance.happens(30), &chance) { event in
            event.actionIdentifier = identifier
            event.userText = text
            event.statesKind = statesKind
        }
    }

    mutating func tellRest(_ chance: inout Chance) {
        // Whatever else there is, a delivery has an event; some have nothing but this.
        if chance.happens(8) || events.isEmpty {
            let kind = chance.one(of: ModelKind.converted, .replaced, .displayed, .converted)
            tell(kind, at: time(&chance), verified: chance.happens(30), &chance)
        }
    }

    /// One id at several times is several events; one id at one time is one event only within its delivery.
    mutating func repeatIdentifiers(_ chance: inout Chance) {
        guard chance.happens(8), let event = chance.one(in: events) else { return }
        var again = event
        if chance.happens(60) {
            again.occurredAt -= chance.number(1...3_600_000_000)
        } else {
            again.notificationID = chance.one(in: fleet.vocabulary.notifications)
            // Unsaid, it would be the receipt's.
            again.statesIDs = true
        }
        events.append(again)
    }
}
