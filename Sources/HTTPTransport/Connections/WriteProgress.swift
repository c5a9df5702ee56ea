/// Whether the other side takes what is written to it.
struct WriteProgress {
    enum Verdict: Equatable {
        /// Everything was taken.
        case done
        case stuck
        /// Ask again then.
        case goOn(ContinuousClock.Instant)
    }

    private let timeout: Duration
    private var written = 0
    private var taken = 0
    private var takenAt: ContinuousClock.Instant?

    init(timeout: Duration) {
        self.timeout = timeout
    }

    mutating func write(_ count: Int) {
        written += count
    }

    /// - Parameter waiting: the bytes that the system has not taken yet.
    mutating func check(waiting: Int, at now: ContinuousClock.Instant) -> Verdict {
        guard waiting > 0 else {
            takenAt = nil
            return .done
        }
        let since: ContinuousClock.Instant
        if let takenAt, written - waiting <= taken {
            since = takenAt
        } else {
            since = now
        }
        taken = written - waiting
        takenAt = since
        return now >= since + timeout ? .stuck : .goOn(min(since + timeout, now + timeout / 4))
    }
}
