/// A bucket for each of many, in bounded memory: a full one is forgotten, since a new one is full as well.
struct BucketTable<Owner: Hashable & Sendable>: Sendable {
    private let rate: TokenBucket.Rate
    private let capacity: Int
    private var buckets: [Owner: TokenBucket] = [:]

    /// - Parameter rate: nil is no bound.
    init?(_ rate: TokenBucket.Rate?, capacity: Int = 65_536) {
        guard let rate else { return nil }
        self.rate = rate
        self.capacity = capacity
    }

    var count: Int { buckets.count }

    /// Takes a cost; how long to wait if nothing is left.
    mutating func take(_ cost: Double, from owner: Owner, at now: ContinuousClock.Instant) -> Duration? {
        makeRoom(at: now)
        return buckets[owner, default: TokenBucket(rate, at: now)].take(cost, at: now)
    }

    /// Takes a cost that was let pass already, or gives it back if it is negative.
    mutating func charge(_ cost: Double, to owner: Owner, at now: ContinuousClock.Instant) {
        makeRoom(at: now)
        buckets[owner, default: TokenBucket(rate, at: now)].charge(cost, at: now)
    }

    /// Removes full buckets; if that is not enough, all that are not empty; finally all.
    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard buckets.count >= capacity else { return }
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        // Half of the room has to be free, so that not every request sweeps.
        if buckets.count > capacity / 2 { buckets = buckets.filter { $0.value.isEmpty(at: now) } }
        if buckets.count > capacity / 2 { buckets = [:] }
    }
}
