import SeededRandom

/// Apps, what they declared, events about them, and what to ask for: all from one seed.
///
/// Events are such that nothing depends on their order: no two have the same identity and different content, and no
/// delivery has more than 32 actions. None is over three hours ahead of `now`, or older than twelve days.
package struct Scenario: Sendable {
    package let seed: UInt64
    /// Microseconds since the Unix epoch.
    package let now: Int
    package let apps: [Identifier]
    package let declarations: [Identifier: Declarations]
    /// Those that take events of deliveries from devices only with a receipt.
    package let requiringReceipts: Set<Identifier>
    /// What is posted, each once.
    package let posted: [ModelEvent]
    /// What of it is believed, as it counts.
    package let events: [ModelEvent]
    /// Their `asOf` is `now`, or up to some days before or after it.
    package let selections: [Selection]

    package init(seed: UInt64, now: Int) {
        self.seed = seed
        self.now = now
        var random = SeededGenerator(seed: seed)
        let vocabulary = Vocabulary(random: &random)
        // Apps are named after the seed, so that scenarios can share a database; all else is the same in each app.
        let apps = (1...random.number(2...3)).map { Identifier("model-\(seed)-\($0)") }
        self.apps = apps
        var declarations: [Identifier: Declarations] = [:]
        var events: [ModelEvent] = []
        let count = random.number(200...600)
        for (index, app) in apps.enumerated() {
            let declared = Declarations(vocabulary: vocabulary, now: now, random: &random)
            declarations[app] = declared
            var fleet = ScenarioFleet(app: app, vocabulary: vocabulary, declarations: declared, now: now)
            // The first app gets most: its groups shall be large enough for rates.
            let share = index == 0 ? count * 7 / 10 : count * 3 / 10 / (apps.count - 1)
            events += fleet.events(share, random: &random)
        }
        self.declarations = declarations
        let requiring: Set<Identifier> = random.happens(percent: 30) ? Set(apps.suffix(1)) : []
        requiringReceipts = requiring
        posted = events.map(\.detailed)
        events = posted
        self.events = events.filter { $0.rejection(requiresReceipt: requiring.contains($0.app)) == nil }
            .map(\.believed)
        let any = (0..<20).map { index in
            // The first app, being the largest, is asked most.
            let app = index % 4 == 3 ? apps[1] : apps[0]
            return Selection(app: app, vocabulary: vocabulary, now: now, random: &random)
        }
        selections = any + apps.prefix(1).flatMap { Selection.plain(app: $0, now: now) }
    }

    /// Why a posted event is rejected, as contract.md's code; nil if it is believed.
    package func rejection(of event: ModelEvent) -> String? {
        event.rejection(requiresReceipt: requiringReceipts.contains(event.app))
    }

    /// What is posted, cut into requests, each of one app and one key: shuffled, some sent more than once.
    ///
    /// About 10 % of the events, and about 10 % of the requests, are repeated exactly. Another `cut` is another way to send
    /// the same events, and must lead to the same reports. A request of verified events is posted with the send key.
    package func requests(cut: UInt64 = 0) -> [[ModelEvent]] {
        var random = SeededGenerator(seed: seed ^ (cut &* 0x2545_F491_4F6C_DD1D) ^ 0x5EED)
        var requests: [[ModelEvent]] = []
        for app in apps {
            for verified in [true, false] {
                let own = posted.filter { $0.app == app && $0.verified == verified }
                let again = random.some(own.count / 10, of: own)
                var rest = random.shuffled(own + again)[...]
                while !rest.isEmpty {
                    let size = random.happens(percent: 20) ? 1 : random.number(1...40)
                    requests.append(Array(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                }
            }
        }
        return random.shuffled(requests + random.some(requests.count / 10, of: requests))
    }
}
