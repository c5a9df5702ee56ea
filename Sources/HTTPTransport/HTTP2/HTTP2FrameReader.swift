import NIOCore

/// Follows the frames in one direction of an HTTP/2 connection (RFC 9113, 4.1), without decoding them.
///
/// It reads the head of every frame, and the payload only of settings, of GOAWAY, and of what opens a window.
struct HTTP2FrameReader {
    enum Event: Equatable {
        /// A DATA frame, of which the head has been read. The number of its stream ends at this index of the buffer.
        case data(stream: Int, count: Int, isPadded: Bool, endIndex: Int)
        /// A HEADERS frame, of which the head has been read.
        case headers(stream: Int)
        /// A RST_STREAM frame, of which the head has been read.
        case reset(stream: Int)
        /// A PUSH_PROMISE frame, which only a server may send.
        case pushPromise
        /// A frame of a type that RFC 9113 doesn't define, and that is ignored.
        case unknown
        /// A window was opened by so many bytes; stream 0 is the connection.
        case windowUpdate(stream: Int, increment: Int)
        /// The initial window of all streams was changed to so many bytes.
        case initialWindow(Int)
        /// The client allows the response headers a table of so many bytes. The value ends at this index of the buffer.
        case headerTable(Int, endIndex: Int)
        /// Another setting.
        case otherSetting
        /// The connection ends, with this error code.
        case goAway(Int)
    }

    private enum FrameType: UInt64 {
        case data = 0
        case headers = 1
        case reset = 3
        case settings = 4
        case pushPromise = 5
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
        /// A type that needs no treatment of its own.
        case other = 0xFF
    }

    private static let headBytes = 9
    private static let settingBytes = 6
    private static let incrementBytes = 4
    /// The last stream and the error code, which other data can follow.
    private static let goAwayBytes = 8
    private static let lastDefinedType: UInt64 = 9
    private static let headerTableSetting: UInt64 = 1
    private static let initialWindowSetting: UInt64 = 4
    private static let acknowledges: UInt64 = 0x1
    private static let endsHeaders: UInt64 = 0x4
    private static let pads: UInt64 = 0x8

    /// The bytes that are left of the client's connection preface, which comes before the first frame.
    private var prefaceLeft: Int
    /// The type of the frame whose payload is being read, or `nil` in a head.
    private var type: FrameType?
    private var flags: UInt64 = 0
    private var stream = 0
    /// The bytes that are left of the frame's payload.
    private var left = 0
    /// The last bytes that were read of a head, setting or increment that is not complete yet, as an integer.
    private var number: UInt64 = 0
    private var numberBytes = 0
    private var length = 0
    private var isInHeaders = false

    /// The number of frames read, where a header block with all its frames is one.
    private(set) var completed = 0

    /// Creates a reader.
    ///
    /// - Parameter hasPreface: true for what a client sends, and false for what a server sends.
    init(hasPreface: Bool) {
        prefaceLeft = hasPreface ? 24 : 0
    }

    /// Whether a frame or header block has begun and not ended. DATA frames don't count once their head is complete.
    var isIncomplete: Bool {
        isInHeaders || (type == nil ? numberBytes > 0 : type != .data)
    }

    /// Reads the next bytes.
    mutating func read(_ bytes: ByteBuffer, _ report: (Event) -> Void) {
        var bytes = bytes
        Self.skip(&prefaceLeft, &bytes)
        while bytes.readableBytes > 0 {
            switch type {
            case nil:
                guard collect(Self.headBytes, &bytes) else { return }
                beginFrame(endIndex: bytes.readerIndex, report)
            case .settings where flags & Self.acknowledges == 0 && left >= Self.settingBytes - numberBytes:
                guard let setting = readNumber(Self.settingBytes, &bytes) else { return }
                let value = Int(setting & 0xFFFF_FFFF)
                switch setting >> 32 {
                case Self.headerTableSetting: report(.headerTable(value, endIndex: bytes.readerIndex))
                case Self.initialWindowSetting: report(.initialWindow(value))
                default: report(.otherSetting)
                }
            case .windowUpdate where left >= Self.incrementBytes - numberBytes:
                guard let increment = readNumber(Self.incrementBytes, &bytes) else { return }
                report(.windowUpdate(stream: stream, increment: Int(increment & 0x7FFF_FFFF)))
            case .goAway where left >= Self.goAwayBytes - numberBytes:
                guard let payload = readNumber(Self.goAwayBytes, &bytes) else { return }
                report(.goAway(Int(payload & 0xFFFF_FFFF)))
                type = .other
            default: Self.skip(&left, &bytes)
            }
            if type != nil, left == 0 { endFrame() }
        }
    }

    private static func skip(_ count: inout Int, _ bytes: inout ByteBuffer) {
        let skipped = min(count, bytes.readableBytes)
        bytes.moveReaderIndex(forwardBy: skipped)
        count -= skipped
    }

    /// Adds bytes to the number until it has as many as requested, and returns whether it has.
    private mutating func collect(_ count: Int, _ bytes: inout ByteBuffer) -> Bool {
        while numberBytes < count, let byte = bytes.readInteger(as: UInt8.self) {
            number = number << 8 | UInt64(byte)
            numberBytes += 1
            // A head is longer than the number, and begins with its length.
            if numberBytes == 3 { length = Int(number) }
        }
        return numberBytes == count
    }

    /// Reads a number of the payload, or returns `nil` if its last bytes have not arrived.
    private mutating func readNumber(_ count: Int, _ bytes: inout ByteBuffer) -> UInt64? {
        let before = bytes.readableBytes
        let isComplete = collect(count, &bytes)
        left -= before - bytes.readableBytes
        guard isComplete else { return nil }
        defer { (number, numberBytes) = (0, 0) }
        return number
    }

    private mutating func beginFrame(endIndex: Int, _ report: (Event) -> Void) {
        // The number holds the last eight bytes: the rest of the length, then type, flags and stream.
        let rawType = number >> 40 & 0xFF
        type = FrameType(rawValue: rawType) ?? .other
        flags = number >> 32 & 0xFF
        stream = Int(number & 0x7FFF_FFFF)
        left = length
        (number, numberBytes) = (0, 0)
        switch type {
        case .data:
            report(.data(stream: stream, count: length, isPadded: flags & Self.pads != 0, endIndex: endIndex))
        case .headers:
            isInHeaders = true
            report(.headers(stream: stream))
        case .reset: report(.reset(stream: stream))
        case .pushPromise: report(.pushPromise)
        default: if rawType > Self.lastDefinedType { report(.unknown) }
        }
    }

    private mutating func endFrame() {
        if type == .headers || type == .continuation, flags & Self.endsHeaders != 0 { isInHeaders = false }
        type = nil
        (number, numberBytes) = (0, 0)
        if !isInHeaders { completed += 1 }
    }
}
