/// A check of whether the client reads what is written to it.
struct WriteProgress {
    enum Verdict: Equatable {
        /// Nothing waits for the client.
        case done
        /// The client has read nothing for the whole timeout, or too little.
        case stuck
        /// Bytes are waiting; the caller checks again at this time.
        case checkAgain(ContinuousClock.Instant)
    }

    /// A client that reads less than this in a second, and nothing for two, holds its responses up.
    private static let usual = (rate: 16 * 1024, timeout: Duration.seconds(2))

    private let timeout: Duration
    private let interval: Duration
    /// The time within which the client must read something that waits at the socket.
    private var socketTime: ReadingTime
    /// The time until the client holds up its responses, at the socket or by windows of HTTP/2.
    private var usualTime = ReadingTime(rate: usual.rate)
    private var taken: Int?
    private var checkedAt: ContinuousClock.Instant?
    /// The bytes per second that the client read between the last two checks, if it holds its responses up.
    private(set) var heldUpPace: Int?

    init(_ limits: HTTPLimits) {
        timeout = limits.writeTimeout
        interval = min(timeout / 4, .seconds(1))
        socketTime = ReadingTime(rate: limits.writeRate)
    }

    /// Compares what the client has read with the previous check.
    ///
    /// - Parameters:
    ///   - waiting: the number of bytes that wait at the socket.
    ///   - taken: the number of bytes that the client has read so far.
    ///   - isHeldUp: whether bytes wait only for the client, at the socket or elsewhere.
    mutating func check(waiting: Int, taken: Int, isHeldUp: Bool, at now: ContinuousClock.Instant) -> Verdict {
        let count = max(0, taken - (self.taken ?? taken))
        let time = checkedAt.map { $0.duration(to: now) } ?? .zero
        (self.taken, checkedAt) = (taken, now)
        if isHeldUp, usualTime.end(max: Self.usual.timeout, read: count, at: now) <= now {
            heldUpPace = Int(Double(count) / max(0.001, time / .seconds(1)))
        } else {
            heldUpPace = nil
        }
        if !isHeldUp { usualTime.reset() }
        guard waiting > 0 else {
            socketTime.reset()
            if isHeldUp { return .checkAgain(now + interval) }
            checkedAt = nil
            return .done
        }
        let end = socketTime.end(max: timeout, read: count, at: now)
        return now >= end ? .stuck : .checkAgain(min(end, now + interval))
    }
}

/// The time that a client has for reading, while bytes wait for it.
///
/// Whatever it reads extends that time by what it takes at a minimum rate, up to a maximum. So a client that reads a byte
/// now and then runs out of time, and one that reads faster on average does not, if its pauses are shorter than that.
struct ReadingTime {
    /// The minimum rate in bytes per second; with 0, each byte gives all the time.
    private let rate: Int
    private var deadline: ContinuousClock.Instant?

    init(rate: Int) {
        self.rate = rate
    }

    /// Gives all the time again, because nothing waits for the client.
    mutating func reset() {
        deadline = nil
    }

    /// Returns the time at which the client must have read more.
    ///
    /// - Parameters:
    ///   - limit: the most time that the client can have.
    ///   - count: the bytes that it has read since the last call.
    mutating func end(max limit: Duration, read count: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant
    {
        // What it was late counts only once, or a client that was slow for an hour would have to make up for it.
        let end = max(deadline ?? now + limit, now - limit)
        let gain = rate > 0 ? .seconds(1) * (Double(count) / Double(rate)) : count > 0 ? limit * 2 : .zero
        let extended = min(now + limit, end + gain)
        deadline = extended
        return extended
    }
}
