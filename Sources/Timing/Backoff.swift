/// Decides when to try to connect again, without a clock or a random source of its own.
///
/// While healthy, any number of callers can try. After a failure, none can for a random part of a time that doubles
/// with each failure (full jitter, so that collectors don't return in step); then one tries for all.
package struct Backoff {
    private enum State {
        case healthy
        case waiting(until: ContinuousClock.Instant)
        case probing
    }

    private let base: Duration
    private let limit: Duration
    private var failures = 0
    private var state = State.healthy

    package init(base: Duration = .milliseconds(100), limit: Duration = .seconds(5)) {
        self.base = base
        self.limit = limit
    }

    /// Whether to try now; a caller that gets true must report `succeeded` or `failed`.
    package mutating func mayTry(at now: ContinuousClock.Instant) -> Bool {
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

    package mutating func succeeded() {
        self.failures = 0
        self.state = .healthy
    }

    /// - Parameter random: from 0 up to 1.
    package mutating func failed(at now: ContinuousClock.Instant, random: Double) {
        // Attempts that began together and fail together are one failure.
        if case .waiting = self.state { return }
        let ceiling = min(self.limit, self.base * (1 << min(self.failures, 20)))
        self.failures += 1
        self.state = .waiting(until: now + ceiling * random)
    }
}
