/// A check of whether the frames of an HTTP/2 client arrive fast enough.
///
/// Header blocks and all other frames except DATA have the time that the headers of an HTTP/1.1 request have, from
/// their first byte to their last. DATA is held to the limits of a body.
struct HeaderBlockProgress {
    enum Verdict: Equatable {
        /// No frame is incomplete.
        case done
        case tooSlow
        /// A frame is incomplete; the caller checks again at this time.
        case checkAgain(ContinuousClock.Instant)
    }

    private let timeout: Duration
    private var since: ContinuousClock.Instant?
    private var completed = 0

    init(timeout: Duration) {
        self.timeout = timeout
    }

    /// Notes what has been received.
    ///
    /// - Parameters:
    ///   - completed: the number of complete frames, where a header block with all its frames is one.
    ///   - isIncomplete: whether another frame has begun.
    mutating func receive(completed: Int, isIncomplete: Bool, at now: ContinuousClock.Instant) {
        if !isIncomplete {
            since = nil
        } else if since == nil || completed != self.completed {
            since = now
        }
        self.completed = completed
    }

    func check(at now: ContinuousClock.Instant) -> Verdict {
        guard let since else { return .done }
        return now >= since + timeout ? .tooSlow : .checkAgain(since + timeout)
    }
}
