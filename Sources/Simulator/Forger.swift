import AfterpushWire

/// Somebody who posts what did not happen: an event of each kind of forgery, each for another's delivery.
struct Forger {
    let device: SimulatedDevice
    let mint: ReceiptSigner?
    var dice: RandomSource

    /// - Parameters:
    ///   - stories: of all devices.
    ///   - end: of the plan.
    ///   - claimed: called for what the collector will take for true, with its delivery's place.
    mutating func forge(
        _ stories: [DeliveryStory], until end: Timestamp, claimed: (_ story: Int, _ happening: SimulatedEvent) -> Void
    ) -> [Forgery] {
        var forgeries: [Forgery] = []
        for kind in Forgery.Kind.allCases {
            guard let victim = victim(among: stories, until: end) else { continue }
            let story = stories[victim]
            let time = story.send.time.advanced(by: dice.number(in: 30..<story.send.time.seconds(until: end)))
            let tap = Self.tap(story.campaign, at: time)
            let id = dice.uuid(at: time)
            guard let forgery = Forgery(kind, tap, of: story, by: device.id, mint, id) else { continue }
            forgeries.append(forgery)
            if kind == .unsigned { claimed(victim, tap) }
        }
        return forgeries
    }

    /// A delivery of somebody else, sent a while ago.
    private mutating func victim(among stories: [DeliveryStory], until end: Timestamp) -> Int? {
        for _ in 0..<20 where !stories.isEmpty {
            let place = Int.random(in: 0..<stories.count, using: &dice)
            let story = stories[place]
            let isOld = story.send.time.seconds(until: end) > 60
            if story.send.kind == .sent, isOld, story.device.id != device.id { return place }
        }
        return nil
    }

    /// What is worth most: the goal, if that is a button.
    private static func tap(_ campaign: PlannedCampaign, at time: Timestamp) -> SimulatedEvent {
        let buttons = campaign.variants.flatMap(\.actions).map(\.id)
        guard let goal = campaign.goals.first(where: buttons.contains) else { return SimulatedEvent(.opened, time) }
        var tap = SimulatedEvent(.action, time)
        tap.action = goal
        return tap
    }
}
