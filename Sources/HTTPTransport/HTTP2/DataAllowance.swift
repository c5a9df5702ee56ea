/// The DATA frames that an HTTP/2 client may send, whatever has become of their streams, and the bytes that it may send
/// for streams that the server has reset.
///
/// A frame takes as long as several hundred bytes, however short it is, so a client may send many only if they are long
/// on average. Padding doesn't make them longer.
///
/// A client may send DATA until it knows that the server has reset the stream. NIO drops that without a limit, and opens
/// the connection's window again. But what is under way when a stream is reset fits into the window that the connection
/// has then, which is 64 KiB for all of its streams together.
struct DataAllowance {
    /// The most streams that a client can have open, and so not know to be reset.
    private static let mostStreams = 100
    /// The number of streams that NIO remembers to have reset. DATA for an earlier one is an error of the connection.
    private static let remembered = 31
    /// The most bytes that padding and its length take in a frame.
    private static let mostPadding = 256

    private let mostDropped: Int
    /// The streams that the server has reset, the last one at the end.
    private var resetStreams: [Int] = []
    /// The bytes that were dropped since the last reset.
    private var dropped = 0
    private var frames = FrameAllowance(most: 2_000, bytesPerFrame: 128)
    /// The number of frames that were received and are not counted yet.
    private(set) var received = 0

    /// Creates an allowance of which nothing is spent.
    ///
    /// - Parameter mostDropped: the bytes that may come for streams that were reset, after the last reset.
    init(mostDropped: Int) {
        self.mostDropped = mostDropped
    }

    mutating func addRequest() {
        frames.addRequest()
    }

    /// Notes that the server resets a stream.
    mutating func addReset(of stream: Int) {
        guard !resetStreams.contains(stream) else { return }
        if resetStreams.count == Self.mostStreams { resetStreams.removeFirst() }
        resetStreams.append(stream)
        dropped = 0
    }

    /// Notes a frame.
    ///
    /// - Parameter count: the length of its payload.
    /// - Returns: for a stream that was reset and that NIO doesn't remember, one that it does.
    mutating func receive(_ count: Int, isPadded: Bool, for stream: Int) -> Int? {
        received += 1
        frames.add(bytes: isPadded ? max(0, count - Self.mostPadding) : count)
        guard let index = resetStreams.lastIndex(of: stream) else { return nil }
        dropped += count
        return resetStreams.count - index > Self.remembered ? resetStreams.last : nil
    }

    /// Counts the frames that were received since the last call, and returns false if they are too many, or if too much
    /// was dropped.
    mutating func spend(at now: ContinuousClock.Instant) -> Bool {
        defer { received = 0 }
        return frames.spend(received, at: now) && dropped <= mostDropped
    }
}
