/// Whether groups are still sent to PostgreSQL: a decision apart from clock and dice.
///
/// After a failure none are, until one that tries for all has succeeded. It tries after pauses that grow, and are random
/// within a half, so that collectors don't return in step.
struct CircuitBreakerState {
    enum Action: Equatable {
        /// PostgreSQL is believed to take groups.
        case attempt
        /// It is away: do without it.
        case bypass
    }

    /// What a report of success or failure changed.
    enum Change: Equatable {
        case none, opened, closed
    }

    private let shortest: Duration = .milliseconds(250)
    private let longest: Duration = .seconds(3)
    private var failures = 0
    private var nextProbe: ContinuousClock.Instant?

    var action: Action { nextProbe == nil ? .attempt : .bypass }

    /// How long the one that tries for all waits; nil if there is nothing to try for.
    func pause(at now: ContinuousClock.Instant) -> Duration? {
        nextProbe.map { max(.zero, now.duration(to: $0)) }
    }

    mutating func recordSuccess() -> Change {
        defer { (failures, nextProbe) = (0, nil) }
        return nextProbe == nil ? .none : .closed
    }

    /// A group, or the one that tries for all, was not taken.
    ///
    /// - Parameter random: from 0 up to 1.
    mutating func recordFailure(at now: ContinuousClock.Instant, random: Double) -> Change {
        let wasClosed = nextProbe == nil
        // Groups that were under way together and fail together are one failure.
        if let nextProbe, nextProbe > now { return .none }
        let ceiling = min(longest, shortest * (1 << min(failures, 10)))
        failures += 1
        nextProbe = now + ceiling * (0.5 + random / 2)
        return wasClosed ? .opened : .none
    }
}
