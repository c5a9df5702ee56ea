/// A token bucket with a rate per second, a burst, and debts that are paid back first.
///
/// A cost of any size is taken while a token is left, because a request is charged only after its events are counted
/// and isn't refused then. The next request waits instead.
struct TokenBucket: Sendable {
    struct Rate: Sendable, Equatable {
        let perSecond: Double
        let burst: Double
    }

    private let rate: Rate
    private var level: Double
    private var at: ContinuousClock.Instant

    /// Creates a full bucket.
    init(_ rate: Rate, at now: ContinuousClock.Instant) {
        self.rate = rate
        level = rate.burst
        at = now
    }

    /// Takes a cost, if at least one token is left.
    ///
    /// - Returns: `nil` if it was taken, otherwise how long to wait.
    mutating func take(_ cost: Double, at now: ContinuousClock.Instant) -> Duration? {
        refill(at: now)
        guard level >= 1 else { return .seconds((1 - level) / rate.perSecond) }
        charge(cost, at: now)
        return nil
    }

    /// Takes a cost of an admitted request, or gives it back if it is negative. The debt is at most a burst.
    mutating func charge(_ cost: Double, at now: ContinuousClock.Instant) {
        refill(at: now)
        level = min(rate.burst, max(-rate.burst, level - cost))
    }

    /// Whether the bucket is full, like a new one.
    func isFull(at now: ContinuousClock.Instant) -> Bool {
        var copy = self
        copy.refill(at: now)
        return copy.level >= rate.burst
    }

    /// Whether the bucket refuses any cost.
    func isEmpty(at now: ContinuousClock.Instant) -> Bool {
        var copy = self
        copy.refill(at: now)
        return copy.level < 1
    }

    private mutating func refill(at now: ContinuousClock.Instant) {
        guard now > at else { return }
        let seconds = at.duration(to: now) / .seconds(1)
        level = min(rate.burst, level + seconds * rate.perSecond)
        at = now
    }
}

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
