/// What is remembered of keys, by their SHA-256, and who asks for news of them: decided without clock or database.
struct APIKeyCacheState {
    enum Look: Equatable {
        /// What the key stands for; nil if it is not good.
        case known(APIKeyGrant?)
        /// Ask, and say what came of it; if that fails, this is still good.
        case ask(else: APIKeyGrant?)
    }

    private struct Entry {
        let grant: APIKeyGrant
        let foundAt: ContinuousClock.Instant
        /// Until when nobody else asks: one question at a time is enough.
        var quietUntil: ContinuousClock.Instant
    }

    private let freshness: Duration
    private let maximumStaleness: Duration
    private let capacity: Int
    private var good: [[UInt8]: Entry] = [:]
    /// Made-up keys have a place of their own, so that they can't drive good ones out.
    private var unknown: [[UInt8]: ContinuousClock.Instant] = [:]

    init(freshness: Duration, maximumStaleness: Duration, capacity: Int) {
        self.freshness = freshness
        self.maximumStaleness = maximumStaleness
        self.capacity = capacity
    }

    /// Whether a key was good lately.
    func knows(_ hash: [UInt8], at now: ContinuousClock.Instant) -> Bool {
        good[hash].map { $0.foundAt.duration(to: now) < maximumStaleness } ?? false
    }

    mutating func look(_ hash: [UInt8], at now: ContinuousClock.Instant) -> Look {
        if let entry = good[hash], entry.foundAt.duration(to: now) < maximumStaleness {
            if entry.foundAt.duration(to: now) < freshness || now < entry.quietUntil { return .known(entry.grant) }
            // While one asks the others go on with what is known; if its answer never comes another one asks.
            good[hash]?.quietUntil = now + freshness
            return .ask(else: entry.grant)
        }
        if let foundAt = unknown[hash], foundAt.duration(to: now) < freshness { return .known(nil) }
        return .ask(else: nil)
    }

    mutating func remember(_ grant: APIKeyGrant?, _ hash: [UInt8], at now: ContinuousClock.Instant) {
        if let grant {
            if good.count >= capacity, good[hash] == nil { good.removeAll(keepingCapacity: true) }
            good[hash] = Entry(grant: grant, foundAt: now, quietUntil: now)
            unknown[hash] = nil
        } else {
            good[hash] = nil
            if unknown.count >= capacity { unknown.removeAll(keepingCapacity: true) }
            unknown[hash] = now
        }
    }
}
