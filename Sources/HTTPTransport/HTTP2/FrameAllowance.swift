/// The number of frames that an HTTP/2 client may send although they ask for nothing: those that open windows or announce
/// the end of the connection, those of unknown types, and single settings, of which a frame can hold many.
///
/// NIO limits pings, frames with settings, resets and others in the same way. These here it takes without a limit. An
/// honest client opens windows for what it has read, once for each stream and once for the connection, some after every
/// 4 KiB. A browser can send a frame of an unknown type with each request.
///
/// Without requests and responses, it is as many in the same time as NIO allows of each of the others.
struct FrameAllowance {
    private static let most = 200.0
    private static let period = Duration.seconds(30)
    /// The bytes of responses that allow one more frame.
    private static let bytesPerFrame = 512
    private static let framesPerRequest = 2
    /// The most frames that bytes and requests allow in advance: those for 8 MiB that a client reads at its leisure.
    private static let mostEarned = 16 * 1024

    private var left = most
    private var refilledAt: ContinuousClock.Instant?
    private var earned = 0
    private var bytes = 0

    mutating func addRequest() {
        earned = min(Self.mostEarned, earned + Self.framesPerRequest)
    }

    mutating func addResponse(bytes count: Int) {
        bytes += count
        earned = min(Self.mostEarned, earned + bytes / Self.bytesPerFrame)
        bytes %= Self.bytesPerFrame
    }

    /// Counts frames, and returns false if they are too many.
    mutating func spend(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        let paid = min(count, earned)
        earned -= paid
        let refill = refilledAt.map { Self.most * ($0.duration(to: now) / Self.period) } ?? 0
        refilledAt = now
        left = min(Self.most, left + refill) - Double(count - paid)
        return left >= 0
    }
}
