/// The number of frames that an HTTP/2 client may send: so many in 30 seconds, two for each request, and one for a
/// number of bytes.
///
/// The defaults are for frames that ask for nothing: those that open windows or announce the end of the connection,
/// those of unknown types, and single settings, of which a frame can hold many.
///
/// NIO limits pings, frames with settings, resets and others in the same way. These here it takes without a limit. An
/// honest client opens windows for what it has read, once for each stream and once for the connection, some after every
/// 4 KiB. A browser can send a frame of an unknown type with each request.
///
/// Without requests and responses, it is as many in the same time as NIO allows of each of the others.
struct FrameAllowance {
    private static let period = Duration.seconds(30)
    private static let framesPerRequest = 2
    /// The most frames that bytes and requests allow in advance: those for 8 MiB that a client reads at its leisure.
    private static let mostEarned = 16 * 1024

    private let most: Double
    private let bytesPerFrame: Int
    private var left: Double
    private var refilledAt: ContinuousClock.Instant?
    private var earned = 0
    private var bytes = 0

    /// Creates an allowance of which nothing is spent.
    ///
    /// - Parameters:
    ///   - most: the frames in 30 seconds that need neither requests nor bytes.
    ///   - bytesPerFrame: the bytes that allow one more frame.
    init(most: Int = 200, bytesPerFrame: Int = 512) {
        self.most = Double(most)
        self.bytesPerFrame = bytesPerFrame
        left = Double(most)
    }

    mutating func addRequest() {
        earned = min(Self.mostEarned, earned + Self.framesPerRequest)
    }

    mutating func add(bytes count: Int) {
        bytes += count
        earned = min(Self.mostEarned, earned + bytes / bytesPerFrame)
        bytes %= bytesPerFrame
    }

    /// Counts frames, and returns false if they are too many.
    mutating func spend(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        let paid = min(count, earned)
        earned -= paid
        let refill = refilledAt.map { most * ($0.duration(to: now) / Self.period) } ?? 0
        refilledAt = now
        left = min(most, left + refill) - Double(count - paid)
        return left >= 0
    }
}
