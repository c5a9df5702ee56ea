/// A token bucket for each owner, in bounded memory. Full buckets can be removed, because a new one is full, too.
struct BucketTable<Owner: Hashable & Sendable>: Sendable {
    private let rate: TokenBucket.Rate
    private let capacity: Int
    private var buckets: [Owner: TokenBucket] = [:]

    /// Creates an empty table, or returns `nil` without a rate, which means no limit.
    init?(_ rate: TokenBucket.Rate?, capacity: Int = 65_536) {
        guard let rate else { return nil }
        self.rate = rate
        self.capacity = capacity
    }

    var count: Int { buckets.count }

    /// Takes a cost, or returns how long to wait if the owner's bucket is empty.
    mutating func take(_ cost: Double, from owner: Owner, at now: ContinuousClock.Instant) -> Duration? {
        makeRoom(at: now)
        return buckets[owner, default: TokenBucket(rate, at: now)].take(cost, at: now)
    }

    /// Takes a cost of an admitted request, or gives it back if it is negative.
    mutating func charge(_ cost: Double, to owner: Owner, at now: ContinuousClock.Instant) {
        makeRoom(at: now)
        buckets[owner, default: TokenBucket(rate, at: now)].charge(cost, at: now)
    }

    /// Removes full buckets; if that is not enough, all that are not empty; finally all.
    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard buckets.count >= capacity else { return }
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        // Half of the capacity must be free afterwards, so that not every request sweeps.
        if buckets.count > capacity / 2 { buckets = buckets.filter { $0.value.isEmpty(at: now) } }
        if buckets.count > capacity / 2 { buckets = [:] }
    }
}
