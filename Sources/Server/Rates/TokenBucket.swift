/// So much a second, and a burst on top; what was overdrawn is paid back first.
///
/// A cost is taken as long as anything is left, however large it is: a request is charged once its events are counted,
/// and is not thrown away then. The next one waits instead.
struct TokenBucket: Sendable {
    struct Rate: Sendable, Equatable {
        let perSecond: Double
        let burst: Double
    }

    private let rate: Rate
    private var level: Double
    private var at: ContinuousClock.Instant

    /// A full one.
    init(_ rate: Rate, at now: ContinuousClock.Instant) {
        self.rate = rate
        level = rate.burst
        at = now
    }

    /// Takes a cost, if anything is left.
    ///
    /// - Returns: nil if it was taken, else how long to wait.
    mutating func take(_ cost: Double, at now: ContinuousClock.Instant) -> Duration? {
        refill(at: now)
        guard level >= 1 else { return .seconds((1 - level) / rate.perSecond) }
        charge(cost, at: now)
        return nil
    }

    /// Takes a cost that was let pass, or gives it back if it is negative; the debt is a burst at most.
    mutating func charge(_ cost: Double, at now: ContinuousClock.Instant) {
        refill(at: now)
        level = min(rate.burst, max(-rate.burst, level - cost))
    }

    /// Whether it is as good as a new one.
    func isFull(at now: ContinuousClock.Instant) -> Bool {
        var copy = self
        copy.refill(at: now)
        return copy.level >= rate.burst
    }

    /// Whether it refuses.
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
