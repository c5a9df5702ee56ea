/// The cached keys by their SHA-256 hash: decides who queries the database, without a clock or a database.
struct APIKeyCacheState {
    enum Lookup: Equatable {
        /// The grant of the key, or `nil` if the key is not valid.
        case cached(APIKeyGrant?)
        /// The key was valid before. The caller queries the database and calls `remember`. If the query fails, this
        /// grant is still valid.
        case query(else: APIKeyGrant?)
        /// The key was never found valid, or not since it was found invalid. Anyone can make up such keys, so the caller
        /// bounds these queries. It then calls `remember`.
        case neverVerified
    }

    private struct Entry {
        let grant: APIKeyGrant
        let foundAt: ContinuousClock.Instant
        /// The time before which no second query starts.
        var quietUntil: ContinuousClock.Instant
    }

    private let freshness: Duration
    private let maximumStaleness: Duration
    private let capacity: Int
    /// The keys that were found valid. An old entry grants nothing, but shows that somebody really has this key.
    private var good: [[UInt8]: Entry] = [:]
    /// The invalid keys, kept apart so that they can't evict valid ones.
    private var unknown: [[UInt8]: ContinuousClock.Instant] = [:]

    init(freshness: Duration, maximumStaleness: Duration, capacity: Int) {
        self.freshness = freshness
        self.maximumStaleness = maximumStaleness
        self.capacity = capacity
    }

    /// Returns the cached result, or makes the caller query the database.
    mutating func lookUp(_ hash: [UInt8], at now: ContinuousClock.Instant) -> Lookup {
        if let entry = good[hash] {
            let age = entry.foundAt.duration(to: now)
            guard age < maximumStaleness else { return .query(else: nil) }
            if age < freshness || now < entry.quietUntil { return .cached(entry.grant) }
            // While one caller queries, the others use the cached grant. If its result never comes, another one queries.
            good[hash]?.quietUntil = now + freshness
            return .query(else: entry.grant)
        }
        if let foundAt = unknown[hash], foundAt.duration(to: now) < freshness { return .cached(nil) }
        return .neverVerified
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
