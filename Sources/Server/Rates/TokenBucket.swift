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
