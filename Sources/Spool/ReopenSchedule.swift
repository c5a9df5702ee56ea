import Backoff
import Timing

/// Decides when to open a file again that failed, without a clock of its own.
///
/// The pauses double with each failure. Opening the file is not enough to reset them: a file can open and then fail.
struct ReopenSchedule {
    private let backoff = ExponentialBackoff(first: 0.5, limit: 30, jitter: 0)
    private var failures = 0
    private var nextAttempt: ContinuousClock.Instant?

    /// Returns whether the pause after the last failure is over.
    func permitsAttempt(at now: ContinuousClock.Instant) -> Bool {
        nextAttempt.map { now >= $0 } ?? true
    }

    mutating func recordOpening() {
        nextAttempt = nil
    }

    /// Records that the file was used without failure: the next pause is the shortest again.
    mutating func recordUse() {
        failures = 0
    }

    mutating func recordFailure(at now: ContinuousClock.Instant) {
        failures += 1
        nextAttempt = now + .pause(backoff, after: failures, random: 1)
    }
}
