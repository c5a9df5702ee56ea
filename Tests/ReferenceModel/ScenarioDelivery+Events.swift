import SeededRandom

// Adds the events of the delivery from the provider and the device.
extension ScenarioDelivery {
    mutating func addSends(_ random: inout SeededGenerator) {
        if random.happens(percent: 60) {
            // From a server or a local trigger, sometimes both, and sometimes long after the response.
            for _ in 1...random.one(of: 1, 1, 1, 2) {
                let at = random.happens(percent: 85) ? start : start + pace + random.number(1...7_200) * 1_000_000
                addProviderEvent(.sent, at: at, &random)
            }
        }
        if random.happens(percent: 12) {
            addProviderEvent(.failed, at: start + random.number(0...60) * 1_000_000, &random)
        }
    }

    /// Some devices are held out; a few of them were sent the notification nevertheless, or respond to it.
    mutating func addHoldout(_ random: inout SeededGenerator) {
        if random.happens(percent: 15) { events = [] }
        guard events.isEmpty || random.happens(percent: 2) else { return }
        addEvent(.held_out, at: random.happens(percent: 90) ? start : time(&random), verified: true, &random)
    }

    /// "Only the provider says so, or the app for a local trigger."
    private mutating func addProviderEvent(_ kind: ModelKind, at time: Int, _ random: inout SeededGenerator) {
        let verified = random.happens(percent: 80)
        let trigger = verified ? nil : random.one(of: "time_interval", "calendar", "location")
        addEvent(kind, at: time, verified: verified, &random) { $0.trigger = trigger }
    }

    mutating func addConfirmations(_ random: inout SeededGenerator) {
        let likelihoods: [(ModelKind, Int)] = [
            (.delivered, 55), (.delivered, 6), (.displayed, 15), (.read, 8), (.media_played, 3), (.media_paused, 3),
            (.attachment_failed, 3), (.extension_expired, 3), (.replaced, 8),
        ]
        for (kind, likelihood) in likelihoods where random.happens(percent: likelihood) {
            addEvent(kind, at: time(&random), verified: random.happens(percent: 30), &random)
        }
    }

    mutating func addResponses(_ random: inout SeededGenerator) {
        if random.happens(percent: 25) {
            let identifier = "com.apple.UNNotificationDefaultActionIdentifier"
            addResponse(.opened, random.happens(percent: 50) ? Identifier(identifier) : nil, nil, &random)
        }
        if random.happens(percent: 15) {
            let identifier = "com.apple.UNNotificationDismissActionIdentifier"
            addResponse(.dismissed, random.happens(percent: 50) ? Identifier(identifier) : nil, nil, &random)
        }
        guard random.happens(percent: 35) else { return }
        for _ in 1...random.one(of: 1, 1, 2, 4) {
            let action = self.action(&random)
            // The same action may occur several times as separate events.
            for _ in 1...random.one(of: 1, 1, 1, 3) {
                let text = random.happens(percent: 25) ? "Yes, \u{E9} and \u{1F389}" : nil
                addResponse(text == nil ? .action : .text_input, action, text, &random)
            }
        }
    }

    /// Returns mostly an action that some version of the delivery's category offers.
    private func action(_ random: inout SeededGenerator) -> Identifier {
        let versions = fleet.declarations.categories.filter { $0.category == facts.category }
        let offered = versions.flatMap(\.actions).map(\.id)
        let any = random.one(in: fleet.vocabulary.actions) ?? "action"
        return random.happens(percent: 80) ? random.one(in: offered) ?? any : any
    }

    private mutating func addResponse(
        _ kind: ModelKind,
        _ identifier: Identifier?,
        _ text: String?,
        _ random: inout SeededGenerator
    ) {
        // An identifier implies the kind, which the event may then omit.
        let statesKind = identifier == nil || random.happens(percent: 50)
        addEvent(kind, at: time(&random), verified: random.happens(percent: 30), &random) { event in
            event.actionIdentifier = identifier
            event.userText = text
            event.statesKind = statesKind
        }
    }

    /// Adds `converted` events around the ends of conversion windows, which begin at the anchor.
    mutating func addConversions(_ random: inout SeededGenerator) {
        guard random.happens(percent: 15) else { return }
        for _ in 1...random.one(of: 1, 1, 2, 3) {
            let seconds = random.one(of: -3_600, -1, 0, 60, 3_599, 3_600, 5 * 3_600, 24 * 3_600, 30 * 3_600, 72 * 3_600)
            let later = random.one(of: 0, 0, 0, 1, 1_000_000, 3 * microsecondsPerHour)
            let time = random.happens(percent: 20) ? self.time(&random) : start + seconds * 1_000_000 + later
            addEvent(.converted, at: time, verified: random.happens(percent: 40), &random)
        }
    }

    mutating func addOtherEvents(_ random: inout SeededGenerator) {
        // A delivery has at least one event; some have only this one.
        if random.happens(percent: 8) || events.isEmpty {
            let kind = random.one(of: ModelKind.converted, .replaced, .displayed, .converted)
            addEvent(kind, at: time(&random), verified: random.happens(percent: 30), &random)
        }
    }

    /// Adds an event with the id of another one: at another time, or at the same time for another delivery.
    mutating func repeatIdentifiers(_ random: inout SeededGenerator) {
        guard random.happens(percent: 8), let event = random.one(in: events) else { return }
        var again = event
        if random.happens(percent: 60) {
            again.occurredAt -= random.number(1...3_600_000_000)
        } else {
            again.notificationID = random.one(in: fleet.vocabulary.notifications)
            // An omitted id would be that of the receipt.
            again.statesIDs = true
        }
        events.append(again)
    }
}
