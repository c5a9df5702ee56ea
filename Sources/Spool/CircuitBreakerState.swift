import Backoff
import Timing

/// Decides whether groups are sent to PostgreSQL, without a clock or random numbers of its own.
///
/// After a failure no groups are sent until a probe succeeds. The pauses between probes grow, and up to half of each
/// is random so that collectors don't return in step.
struct CircuitBreakerState {
    enum Action: Equatable {
        /// The group is sent, because PostgreSQL is assumed to be available.
        case attempt
        /// The group is not sent, because PostgreSQL is unavailable.
        case bypass
    }

    /// The transition that a reported success or failure caused.
    enum Change: Equatable {
        case none, opened, closed
    }

    private let backoff = ExponentialBackoff(first: 0.25, limit: 3, jitter: 0.5)
    private var failures = 0
    /// Whether the latest failure was that PostgreSQL is a standby.
    private(set) var isStandby = false
    private var nextProbe: ContinuousClock.Instant?

    var action: Action { nextProbe == nil ? .attempt : .bypass }

    /// Returns the time until the next probe, or `nil` when the circuit breaker is closed.
    func pause(at now: ContinuousClock.Instant) -> Duration? {
        nextProbe.map { max(.zero, now.duration(to: $0)) }
    }

    mutating func recordSuccess() -> Change {
        defer { (failures, nextProbe, isStandby) = (0, nil, false) }
        return nextProbe == nil ? .none : .closed
    }

    /// Records that a group was not stored or a probe failed.
    ///
    /// - Parameters:
    ///   - random: A random number from 0 up to 1.
    ///   - isStandby: Whether it failed because PostgreSQL is a standby.
    mutating func recordFailure(
        at now: ContinuousClock.Instant, random: Double, isStandby: Bool = false
    ) -> Change {
        let wasClosed = nextProbe == nil
        self.isStandby = isStandby
        // Groups that were sent concurrently and fail together count as one failure.
        if let nextProbe, nextProbe > now { return .none }
        failures += 1
        nextProbe = now + .pause(backoff, after: failures, random: random)
        return wasClosed ? .opened : .none
    }
}
