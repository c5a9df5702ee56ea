/// Whether a body comes fast enough.
///
/// The clock stops while nothing is read, so a busy collector does not blame the sender.
struct MinimumBodyRate {
    enum Verdict: Equatable {
        case tooSlow
        /// Ask again then.
        case goOn(ContinuousClock.Instant)
    }

    private let timeout: Duration
    private let grace: Duration
    private let rate: Int
    private var start: ContinuousClock.Instant
    private var pausedAt: ContinuousClock.Instant?
    private var received = 0

    init(_ limits: HTTPLimits, at now: ContinuousClock.Instant) {
        timeout = limits.bodyTimeout
        grace = limits.bodyGrace
        rate = limits.bodyRate
        start = now
    }

    mutating func receive(_ count: Int) {
        received += count
    }

    /// Nothing is read from now on.
    mutating func pause(at now: ContinuousClock.Instant) {
        if pausedAt == nil { pausedAt = now }
    }

    mutating func resume(at now: ContinuousClock.Instant) {
        guard let pausedAt else { return }
        start += pausedAt.duration(to: now)
        self.pausedAt = nil
    }

    func check(at now: ContinuousClock.Instant) -> Verdict {
        if pausedAt != nil { return .goOn(now + .milliseconds(250)) }
        // What has come pays for so much time.
        let due = rate > 0 ? grace + .seconds(1) * (Double(received) / Double(rate)) : timeout
        let end = start + min(timeout, due)
        return now >= end ? .tooSlow : .goOn(end)
    }
}
