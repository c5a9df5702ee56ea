import Backoff
import Timing

/// Decides when to try to connect again, without a clock or a random source of its own.
///
/// While connections succeed, any number of callers can try. After a failure no caller can try during a random pause,
/// whose limit doubles with each failure, so that collectors don't reconnect at the same time. Then one caller tries.
struct ReconnectSchedule {
    private enum State {
        case healthy
        case waiting(until: ContinuousClock.Instant)
        case probing
    }

    private let backoff: ExponentialBackoff
    private var failures = 0
    private var state = State.healthy

    init(backoff: ExponentialBackoff = ExponentialBackoff(first: 0.1, limit: 5, jitter: 1)) {
        self.backoff = backoff
    }

    /// Returns whether to try now. A caller that gets true must call `recordSuccess` or `recordFailure`.
    mutating func beginAttempt(at now: ContinuousClock.Instant) -> Bool {
        switch self.state {
        case .healthy:
            return true
        case .waiting(let until):
            guard now >= until else { return false }
            self.state = .probing
            return true
        case .probing:
            return false
        }
    }

    mutating func recordSuccess() {
        self.failures = 0
        self.state = .healthy
    }

    /// Records a failed attempt; the next one can begin after a pause.
    ///
    /// - Parameter random: A random number from 0 to 1, for the pause.
    mutating func recordFailure(at now: ContinuousClock.Instant, random: Double) {
        // Several attempts that began before the first failure count as one failure.
        if case .waiting = self.state { return }
        self.failures += 1
        self.state = .waiting(until: now + .pause(self.backoff, after: self.failures, random: random))
    }
}
