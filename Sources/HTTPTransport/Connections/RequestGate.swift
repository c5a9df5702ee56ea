import NIOCore

/// Gives the parser of HTTP/1.1 one request at a time: the next one once the response to the one before it is written.
///
/// A client may send many requests without waiting for responses, and a parser reads all that it is given. A read of 64
/// KiB can hold 1,600 requests, so a few hundred connections of one client would occupy an event loop for seconds,
/// while all other connections wait. With the gate, a connection takes as much time as one whose client waits for each
/// response.
///
/// It also limits the empty lines before a request, of which a server ignores some (RFC 9112, 2.2), but the parser any
/// number.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Reading {
        /// The empty lines and the headers of a request.
        case headers
        /// The bytes of a body that are still to come, or `nil` if it consists of chunks.
        case body(left: Int?)
        /// Nothing more, because the connection is being closed.
        case nothing
    }

    /// The most bytes that are searched for the end of headers, and are passed on if they don't hold it.
    private static let headerPiece = 1_024
    /// The same for bodies in chunks, in which requests may also end.
    private static let chunkPiece = 16 * 1_024
    /// The most bytes that wait. A client that closes its side can leave as much as the system's buffer holds.
    private static let mostWaiting = 1024 * 1024
    /// The most bytes of empty lines. Four can be the end of headers whose beginning came with the previous request.
    private static let mostEmpty = 16
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")

    private var reading = Reading.headers
    /// The bytes that the parser has not been given.
    private var waiting = ByteBuffer()
    /// The complete requests without a response. Two, if the end of one's headers came in two pieces.
    private var unanswered = 0
    private var isBetweenRequests = true
    private var emptyBytes = 0
    private var isPassing = false
    private var readIsDue = false
    private var inputIsClosed = false
    private var context: ChannelHandlerContext?
    private var connectionHandler: ConnectionTimeoutHandler?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connectionHandler = try? context.pipeline.syncOperations.handler(type: ConnectionTimeoutHandler.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        connectionHandler = nil
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeBuffer(&bytes) }
        pass(context)
        guard waiting.readableBytes > 0 else { return }
        if waiting.readableBytes > Self.mostWaiting { connectionHandler?.reset(.talkative) }
        connectionHandler?.headersWait()
    }

    func read(context: ChannelHandlerContext) {
        if waiting.readableBytes > 0 { readIsDue = true } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed, waiting.readableBytes > 0 else {
            return context.fireUserInboundEventTriggered(event)
        }
        inputIsClosed = true
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    /// Passes on what may be parsed now.
    private func pass(_ context: ChannelHandlerContext) {
        guard !isPassing else { return }
        isPassing = true
        defer { isPassing = false }
        while let piece = nextPiece() {
            guard hasFewEmptyLines(piece) else {
                stop()
                return context.fireErrorCaught(RequestReadError.malformed)
            }
            context.fireChannelRead(wrapInboundOut(piece))
        }
    }

    /// Returns the bytes up to the end of headers or of a body, or `nil` if nothing is there or nothing may be parsed.
    private func nextPiece() -> ByteBuffer? {
        guard waiting.readableBytes > 0 else { return nil }
        switch reading {
        case .headers:
            return unanswered == 0 ? waiting.readSlice(length: lengthToEmptyLine(within: Self.headerPiece)) : nil
        case .body(let left?):
            return waiting.readSlice(length: min(max(1, left), waiting.readableBytes))
        case .body(nil):
            return waiting.readSlice(length: lengthToEmptyLine(within: Self.chunkPiece))
        case .nothing:
            waiting.clear()
            return nil
        }
    }

    /// Returns the number of bytes up to the end of the first empty line, or `count` if that many bytes hold none.
    private func lengthToEmptyLine(within count: Int) -> Int {
        waiting.withUnsafeReadableBytes { bytes in
            let count = min(count, bytes.count)
            var place = 3
            while place < count {
                if bytes[place] != Self.lineFeed {
                    // A carriage return can be the first or the second of an empty line's end.
                    place += bytes[place] == Self.carriageReturn ? 1 : 4
                } else if bytes[place - 1] == Self.carriageReturn, bytes[place - 2] == Self.lineFeed,
                    bytes[place - 3] == Self.carriageReturn
                {
                    return place + 1
                } else {
                    place += 1
                }
            }
            return count
        }
    }

    private func hasFewEmptyLines(_ piece: ByteBuffer) -> Bool {
        guard isBetweenRequests else { return true }
        let bytes = piece.readableBytesView
        let text = bytes.firstIndex { $0 != Self.carriageReturn && $0 != Self.lineFeed }
        emptyBytes += bytes.distance(from: bytes.startIndex, to: text ?? bytes.endIndex)
        if emptyBytes > Self.mostEmpty { return false }
        if text != nil { isBetweenRequests = false }
        return true
    }

    // MARK: What the parser has read

    /// Notes that the headers of a request are read.
    ///
    /// - Parameter length: the length of its body, or `nil` if it comes in chunks.
    func headersEnded(length: Int?) {
        isBetweenRequests = false
        reading = .body(left: length)
    }

    func bodyReceived(_ count: Int) {
        if case .body(let left?) = reading { reading = .body(left: left - count) }
    }

    func requestEnded() {
        reading = .headers
        isBetweenRequests = true
        emptyBytes = 0
        unanswered += 1
    }

    /// Lets the next request pass, because a response was written.
    ///
    /// - Returns: Whether the connection is read again, because a `read` had waited for this.
    func responseEnded() -> Bool {
        guard unanswered > 0 else { return false }
        unanswered -= 1
        guard unanswered == 0, let context, waiting.readableBytes > 0 else { return false }
        pass(context)
        if waiting.readableBytes == 0, case .headers = reading, unanswered == 0 { connectionHandler?.headersBegan() }
        context.fireChannelReadComplete()
        guard waiting.readableBytes == 0 else { return false }
        if inputIsClosed {
            inputIsClosed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            return false
        }
        guard readIsDue else { return false }
        readIsDue = false
        context.read()
        return true
    }

    /// Drops what still arrives, because a request was unreadable.
    func stop() {
        reading = .nothing
        waiting.clear()
    }
}
