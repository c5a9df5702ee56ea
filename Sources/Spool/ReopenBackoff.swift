/// Decides when to reopen a file that failed, with pauses that double, without a clock of its own.
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

    /// Records that the file was used successfully: the next pause is the shortest again.
    mutating func worked() {
        pause = .zero
    }

    mutating func recordFailure(at now: ContinuousClock.Instant) {
        pause = pause == .zero ? .milliseconds(500) : min(limit, pause * 2)
        next = now + pause
    }
}
