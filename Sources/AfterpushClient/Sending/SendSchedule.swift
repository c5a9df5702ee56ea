import Backoff

/// The reason for which sending has ended for now.
enum UploadResult: Equatable, Sendable {
    /// The queue is empty.
    case empty
    /// The queue is in use: another instance is sending.
    case busy
    /// A request has failed. It may be repeated, but not before as many seconds as the collector asked for.
    case failed(retryAfter: Double?)
    /// A request has failed, and a retry is unlikely to end better.
    case postponed
    /// The collector refuses the key.
    case keyRefused
}

/// Decides when to send. All times are in seconds of a monotonic clock.
///
/// Methods that return seconds ask the caller to call ``timerFired(at:)`` after them. They return nil if no further timer
/// is needed.
struct SendSchedule {
    let batchEvents: Int
    /// The time that an event waits for others.
    let delay: Double
    let backoff: ExponentialBackoff

    /// The number of events recorded since sending last began.
    private var waiting = 0
    private var timer: Double?
    private var failures = 0
    /// The end of the wait after failures.
    private var backoffEnd = 0.0
    /// The end of the wait that the collector asked for. Not even `flush` sends before.
    private(set) var retryAfterEnd = 0.0
    private(set) var isKeyRefused = false

    init(batchEvents: Int, delay: Double, backoff: ExponentialBackoff) {
        self.batchEvents = batchEvents
        self.delay = delay
        self.backoff = backoff
    }

    /// The time before which no request is repeated.
    var nextAttempt: Double { max(backoffEnd, retryAfterEnd) }

    /// Schedules sending of what an earlier process has left.
    mutating func started(at now: Double) -> Double? {
        setTimer(now + delay, now)
    }

    mutating func eventRecorded(at now: Double) -> Double? {
        guard !isKeyRefused else { return nil }
        waiting += 1
        return setTimer(max(waiting >= batchEvents ? now : now + delay, nextAttempt), now)
    }

    /// Returns whether to send now. A timer that an earlier one has replaced fires without effect.
    mutating func timerFired(at now: Double) -> Bool {
        guard let timer, !isKeyRefused, now >= timer - 0.001 else { return false }
        self.timer = nil
        waiting = 0
        return true
    }

    /// Forgets earlier failures, because the collector has accepted a batch.
    mutating func batchAccepted() {
        failures = 0
        backoffEnd = 0
    }

    /// Schedules the next attempt.
    ///
    /// - Parameter jitter: A random number from 0 to 1.
    mutating func ended(_ result: UploadResult, at now: Double, jitter: Double) -> Double? {
        switch result {
        case .empty:
            failures = 0
            backoffEnd = 0
            return nil
        case .busy: return setTimer(now + max(delay, 0.1), now)
        case .postponed: return nil
        case .keyRefused:
            isKeyRefused = true
            return nil
        case .failed(let retryAfter):
            failures += 1
            backoffEnd = now + backoff.pause(after: failures, random: jitter)
            if let retryAfter { retryAfterEnd = now + retryAfter }
            timer = nil
            return setTimer(nextAttempt, now)
        }
    }

    private mutating func setTimer(_ time: Double, _ now: Double) -> Double? {
        // With an infinite delay, only `flush` sends.
        guard delay.isFinite else { return nil }
        if let timer, timer <= time { return nil }
        timer = time
        return max(0, time - now)
    }
}
