/// When to open a file again that failed: pauses that double, decided apart from the clock.
struct ReopenBackoff {
    private let limit: Duration = .seconds(30)
    private var pause: Duration = .zero
    private var next: ContinuousClock.Instant?

    func mayTry(at now: ContinuousClock.Instant) -> Bool {
        next.map { now >= $0 } ?? true
    }

    mutating func recordSuccess() {
        next = nil
    }

    /// What worked between two failures: the next pause is the shortest again.
    mutating func worked() {
        pause = .zero
    }

    mutating func recordFailure(at now: ContinuousClock.Instant) {
        pause = pause == .zero ? .milliseconds(500) : min(limit, pause * 2)
        next = now + pause
    }
}
