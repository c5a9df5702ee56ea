import SeededRandom

// What happens to the delivery, and who tells it.
extension DeliveryStory {
    mutating func tellSending(_ random: inout SeededGenerator) {
        if random.happens(percent: 60) {
            // A send key, or a local trigger; at times both, and at times long after the response.
            for _ in 1...random.one(of: 1, 1, 1, 2) {
                let at = random.happens(percent: 85) ? start : start + pace + random.number(1...7_200) * 1_000_000
                tellFromProvider(.sent, at: at, &random)
            }
        }
        if random.happens(percent: 12) {
            tellFromProvider(.failed, at: start + random.number(0...60) * 1_000_000, &random)
        }
    }

    /// "Only the provider says so, or the app for a local trigger."
    private mutating func tellFromProvider(_ kind: ModelKind, at time: Int, _ random: inout SeededGenerator) {
        let verified = random.happens(percent: 80)
        let trigger = verified ? nil : random.one(of: "time_interval", "calendar", "location")
        tell(kind, at: time, verified: verified, &random) { $0.trigger = trigger }
    }

    mutating func tellShowing(_ random: inout SeededGenerator) {
        let likelihoods: [(ModelKind, Int)] = [
            (.delivered, 55), (.delivered, 6), (.displayed, 15), (.read, 8), (.media_played, 3), (.media_paused, 3),
            (.attachment_failed, 3), (.extension_expired, 3), (.replaced, 8),
        ]
        for (kind, likelihood) in likelihoods where random.happens(percent: likelihood) {
            tell(kind, at: time(&random), verified: random.happens(percent: 30), &random)
        }
    }

    mutating func tellResponding(_ random: inout SeededGenerator) {
        if random.happens(percent: 25) {
            let identifier = "com.apple.UNNotificationDefaultActionIdentifier"
            tellResponse(.opened, random.happens(percent: 50) ? Identifier(identifier) : nil, nil, &random)
        }
        if random.happens(percent: 15) {
            let identifier = "com.apple.UNNotificationDismissActionIdentifier"
            tellResponse(.dismissed, random.happens(percent: 50) ? Identifier(identifier) : nil, nil, &random)
        }
        guard random.happens(percent: 35) else { return }
        for _ in 1...random.one(of: 1, 1, 2, 4) {
            let action = self.action(&random)
            // The same action may come more than once, each time as an event of its own.
            for _ in 1...random.one(of: 1, 1, 1, 3) {
                let text = random.happens(percent: 25) ? "Yes, \u{E9} and \u{1F389}" : nil
                tellResponse(text == nil ? .action : .text_input, action, text, &random)
            }
        }
    }

    /// Mostly what some version of its category offers.
    private func action(_ random: inout SeededGenerator) -> Identifier {
        let versions = fleet.declarations.categories.filter { $0.category == facts.category }
        let offered = versions.flatMap(\.actions).map(\.id)
        let any = random.one(in: fleet.vocabulary.actions) ?? "action"
        return random.happens(percent: 80) ? random.one(in: offered) ?? any : any
    }

    private mutating func tellResponse(
        _ kind: ModelKind,
        _ identifier: Identifier?,
        _ text: String?,
        _ random: inout SeededGenerator
    ) {
        // An identifier implies the kind, which may then stay unsaid.
        let statesKind = identifier == nil || random.happens(percent: 50)
        tell(kind, at: time(&random), verified: random.happens(percent: 30), &random) { event in
            event.actionIdentifier = identifier
            event.userText = text
            event.statesKind = statesKind
        }
    }

    mutating func tellRest(_ random: inout SeededGenerator) {
        // Whatever else there is, a delivery has an event; some have nothing but this.
        if random.happens(percent: 8) || events.isEmpty {
            let kind = random.one(of: ModelKind.converted, .replaced, .displayed, .converted)
            tell(kind, at: time(&random), verified: random.happens(percent: 30), &random)
        }
    }

    /// One id at several times is several events; one id at one time is one event only within its delivery.
    mutating func repeatIdentifiers(_ random: inout SeededGenerator) {
        guard random.happens(percent: 8), let event = random.one(in: events) else { return }
        var again = event
        if random.happens(percent: 60) {
            again.occurredAt -= random.number(1...3_600_000_000)
        } else {
            again.notificationID = random.one(in: fleet.vocabulary.notifications)
            // Unsaid, it would be the receipt's.
            again.statesIDs = true
        }
        events.append(again)
    }
}
