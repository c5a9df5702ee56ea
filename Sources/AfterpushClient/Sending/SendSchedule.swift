/// Decides when to send. Times are seconds of a clock that nobody sets.
struct SendSchedule {
    let batchEvents: Int
    /// For which an event may wait for others.
    let delay: Double
    let backoff: Backoff

    /// Recorded since sending last began.
    private var waiting = 0
    private var alarm: Double?
    private var failures = 0
    /// No try before, because the last ones failed.
    private var heldUntil = 0.0
    /// No try before, because the collector said so.
    private(set) var forbiddenUntil = 0.0
    private(set) var isStopped = false

    init(batchEvents: Int, delay: Double, backoff: Backoff) {
        self.batchEvents = batchEvents
        self.delay = delay
        self.backoff = backoff
    }

    /// Looks for what an earlier process left.
    ///
    /// - Returns: Like all methods that do: seconds after which to call `rang`; nil if that is arranged for.
    mutating func started(at now: Double) -> Double? {
        setAlarm(now + delay, now)
    }

    mutating func recorded(at now: Double) -> Double? {
        guard !isStopped else { return nil }
        waiting += 1
        return setAlarm(max(waiting >= batchEvents ? now : now + delay, heldUntil, forbiddenUntil), now)
    }

    /// Whether to send now. Alarms that were overtaken by another ring for nothing.
    mutating func rang(at now: Double) -> Bool {
        guard let alarm, !isStopped, now >= alarm - 0.001 else { return false }
        self.alarm = nil
        waiting = 0
        return true
    }

    /// - Parameter jitter: from 0 to 1.
    mutating func ended(_ end: UploadResult, at now: Double, jitter: Double) -> Double? {
        switch end {
        case .empty:
            failures = 0
            heldUntil = 0
            return nil
        case .busy: return setAlarm(now + max(delay, 0.1), now)
        case .kept: return nil
        case .stopped:
            isStopped = true
            return nil
        case .failed(let retryAfter):
            failures += 1
            heldUntil = now + backoff.delay(after: failures, jitter: jitter)
            if let retryAfter { forbiddenUntil = now + retryAfter }
            alarm = nil
            return setAlarm(max(heldUntil, forbiddenUntil), now)
        }
    }

    /// Something was stored: what comes next has not failed before.
    mutating func succeeded() {
        failures = 0
        heldUntil = 0
    }

    /// The moment of the next try after failures.
    var nextTry: Double { max(heldUntil, forbiddenUntil) }

    private mutating func setAlarm(_ time: Double, _ now: Double) -> Double? {
        // Then only flushing sends.
        guard delay.isFinite else { return nil }
        if let alarm, alarm <= time { return nil }
        alarm = time
        return max(0, time - now)
    }
}
