/// A check of whether the client reads what is written to it.
struct WriteProgress {
    enum Verdict: Equatable {
        /// The system has accepted everything.
        case done
        /// The system has accepted nothing for the whole timeout.
        case stuck
        /// Bytes are waiting; the caller checks again at this time.
        case checkAgain(ContinuousClock.Instant)
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

    /// Compares the accepted bytes with those of the previous check.
    ///
    /// - Parameter waiting: the number of bytes that the system has not accepted yet.
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
        return now >= since + timeout ? .stuck : .checkAgain(min(since + timeout, now + timeout / 4))
    }
}
