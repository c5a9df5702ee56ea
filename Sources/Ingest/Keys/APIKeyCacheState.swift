/// The cached keys by their SHA-256 hash: decides who queries the database, without a clock or a database.
struct APIKeyCacheState {
    enum Lookup: Equatable {
        /// The grant of the key, or `nil` if the key is not valid.
        case cached(APIKeyGrant?)
        /// The key was valid before. The caller queries the database and calls `remember`. If the query fails, this
        /// grant is still valid.
        case query(else: APIKeyGrant?)
        /// The key was valid before, but has not been looked up for so long that it may have been revoked long ago.
        /// Another caller queries the database, and this one waits for the result of a query, too, such as the next one
        /// for keys that were never found valid. If that fails, this grant is still valid.
        case confirm(else: APIKeyGrant)
        /// The key was never found valid, or not since it was found invalid. Anyone can make up such keys, so the caller
        /// bounds these queries. It then calls `remember`.
        case neverVerified
    }

    private struct Entry {
        let grant: APIKeyGrant
        let foundAt: ContinuousClock.Instant
        /// The time before which no query starts, because the key was looked up.
        var quietUntil: ContinuousClock.Instant
        /// Whether the key was not looked up for long when the last query started, because it was not used, or because the
        /// collector was suspended.
        var wasNeglected = false
    }

    private let freshness: Duration
    private let maximumStaleness: Duration
    private let capacity: Int
    /// The keys that were found valid. An old entry grants nothing, but shows that somebody really has this key.
    private var good: [[UInt8]: Entry] = [:]
    private var evictionOrder = KeyEvictionOrder()
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
            guard entry.foundAt.duration(to: now) < maximumStaleness else { return .query(else: nil) }
            if now < entry.quietUntil { return entry.wasNeglected ? .confirm(else: entry.grant) : .cached(entry.grant) }
            // While one caller queries, the others use the cached grant. If its result never comes, another one queries.
            good[hash]?.wasNeglected = now >= entry.quietUntil + freshness
            good[hash]?.quietUntil = now + freshness
            return .query(else: entry.grant)
        }
        if let foundAt = unknown[hash], foundAt.duration(to: now) < freshness { return .cached(nil) }
        return .neverVerified
    }

    mutating func remember(_ grant: APIKeyGrant?, _ hash: [UInt8], at now: ContinuousClock.Instant) {
        if let grant {
            if good[hash]?.grant.appID != grant.appID {
                removeGood(hash)
                if good.count >= capacity, let oldest = evictionOrder.first(for: grant.appID) { removeGood(oldest) }
            }
            good[hash] = Entry(grant: grant, foundAt: now, quietUntil: now + freshness)
            evictionOrder.append(hash, of: grant.appID)
            unknown[hash] = nil
        } else {
            removeGood(hash)
            if unknown.count >= capacity { unknown.removeAll(keepingCapacity: true) }
            unknown[hash] = now
        }
    }

    private mutating func removeGood(_ hash: [UInt8]) {
        guard let entry = good.removeValue(forKey: hash) else { return }
        evictionOrder.remove(hash, of: entry.grant.appID)
    }
}
