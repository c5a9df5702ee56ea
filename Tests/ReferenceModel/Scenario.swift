import SeededRandom

/// Apps with declarations, events and selections, all generated from one seed.
///
/// Nothing depends on the order of events: of those with the same identity and different content one is verified, and no
/// delivery has more than 32 verified actions. No event is more than three hours later than `now` or older than twelve
/// days.
package struct Scenario: Sendable {
    package let seed: UInt64
    /// Microseconds since the Unix epoch.
    package let now: Int
    package let apps: [Identifier]
    package let declarations: [Identifier: Declarations]
    /// The apps that require receipts for device events of deliveries.
    package let requiringReceipts: Set<Identifier>
    /// The events to post, each once.
    package internal(set) var posted: [ModelEvent]
    /// Those among them that a forger posts.
    package let forged: [ModelEvent]
    /// The accepted events as they count.
    package internal(set) var events: [ModelEvent]
    /// The selections; their `asOf` is `now` or up to some days before or after it.
    package let selections: [Selection]

    package init(seed: UInt64, now: Int) {
        self.seed = seed
        self.now = now
        var random = SeededGenerator(seed: seed)
        let vocabulary = Vocabulary(random: &random)
        // Apps are named after the seed, so that scenarios can share a database; everything else is the same in each
        // app.
        let apps = (1...random.number(2...3)).map { Identifier("model-\(seed)-\($0)") }
        self.apps = apps
        var declarations: [Identifier: Declarations] = [:]
        var events: [ModelEvent] = []
        let count = random.number(200...600)
        for (index, app) in apps.enumerated() {
            let declared = Declarations(vocabulary: vocabulary, now: now, random: &random)
            declarations[app] = declared
            var fleet = ScenarioFleet(app: app, vocabulary: vocabulary, declarations: declared, now: now)
            // The first app gets most events, so that its groups are large enough for rates.
            let share = index == 0 ? count * 7 / 10 : count * 3 / 10 / (apps.count - 1)
            events += fleet.events(share, random: &random)
        }
        self.declarations = declarations
        let requiring: Set<Identifier> = random.happens(percent: 30) ? Set(apps.suffix(1)) : []
        requiringReceipts = requiring
        let genuine = events.map(\.detailed)
        func accepted(_ events: [ModelEvent]) -> [ModelEvent] {
            events.filter { $0.rejection(requiresReceipt: requiring.contains($0.app)) == nil }.map(\.validated)
        }
        // A generator of its own, so that everything else stays the same for a seed.
        var forgery = SeededGenerator(seed: seed ^ 0xF04_6E2)
        let victims = accepted(genuine)
        let forged = apps.flatMap { app in
            ScenarioForger(app: app, vocabulary: vocabulary, now: now, genuine: victims)
                .events(forgery.happens(percent: 60) ? forgery.number(5...120) : 0, random: &forgery)
        }.map(\.detailed)
        self.forged = forged
        posted = genuine + forged
        self.events = accepted(posted)
        let any = (0..<20).map { index in
            // The first app is the largest and gets most selections.
            let app = index % 4 == 3 ? apps[1] : apps[0]
            return Selection(app: app, vocabulary: vocabulary, now: now, random: &random)
        }
        selections = any + apps.prefix(1).flatMap { Selection.plain(app: $0, now: now) }
    }

    /// The rejection code of contract.md for a posted event; nil if it is accepted.
    package func rejection(of event: ModelEvent) -> String? {
        event.rejection(requiresReceipt: requiringReceipts.contains(event.app))
    }

    /// The posted events, shuffled and divided into requests with one app and one key each, some of them repeated.
    ///
    /// About 10 % of the events and about 10 % of the requests are repeated exactly. Another `cut` divides the same
    /// events differently and must lead to the same reports. A request of verified events is posted with the send key.
    ///
    /// - Parameter part: the events to divide; by default all.
    package func requests(cut: UInt64 = 0, of part: [ModelEvent]? = nil) -> [[ModelEvent]] {
        let posted = part ?? posted
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
