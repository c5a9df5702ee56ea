import NIOCore

/// The handler next to the socket, which enforces limits on bytes and time regardless of the protocol above it.
///
/// It closes connections whose headers arrive too slowly, whose client doesn't read its responses or reads them too
/// slowly, or that speak HTTP/2 and have no open streams for too long. After the last response it drops what the client
/// still sends, up to a limit. What waits within HTTP/2 isn't visible here; see `HTTP2TimeoutHandler`.
final class ConnectionTimeoutHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Reading {
        /// The connection is between requests.
        case idle
        case headers
        case body
        /// The connection speaks HTTP/2, whose streams have their own deadlines.
        case streams(open: Int)
        /// The connection is being closed: what still arrives is dropped, up to this many bytes. What comes then is not
        /// read: to close the connection because of it could destroy a response that the client has not read yet.
        case dropping(left: Int)
    }

    /// An event that closes the connection to make room for others, unless it is at work again.
    private struct CloseIfSpare {}

    /// The most bytes of chunk sizes and chunk extensions that are accepted at once.
    private static let padding = 64 * 1024

    private let limits: HTTPLimits
    private let connectionLimiter: ConnectionLimiter
    /// The number by which the limiter knows the connection.
    private var id: Int?
    /// The number of requests that are complete and whose responses have not ended.
    private var unanswered = 0
    private var reading = Reading.headers
    private var hasReceived = false
    /// The bytes that were received for a body and are not part of its content.
    private var surplus = 0
    private var progress: WriteProgress
    /// The bytes that were written to the socket.
    private var written = 0
    /// The client's address, if it has closed its side and waits for a response, or is gone.
    private var halfClosed: ClientAddress?
    /// Whether the responses wait only for a client that reads them slowly.
    private var isHeldUp = false
    private var readTimer: Scheduled<Void>?
    private var writeTimer: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    /// The handler that answers a request whose headers are too slow. Without one, the connection is closed.
    weak var requestHandler: RequestTimeoutHandler?
    /// The handler of the frames while the connection speaks HTTP/2. A weak reference would slow its reference counting.
    var http2Handler: HTTP2TimeoutHandler?

    init(_ limits: HTTPLimits, _ connectionLimiter: ConnectionLimiter) {
        self.limits = limits
        self.connectionLimiter = connectionLimiter
        progress = WriteProgress(limits)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // Other connections come in between the reads of a client that sends much.
        try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        schedule(after: limits.headerTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        id = connectionLimiter.open(ClientAddress(context.remoteAddress)) {
            // Not at once, because this connection's last response may not have been handed to the system yet.
            channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(CloseIfSpare()) }
        }
        guard id != nil else { return context.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    private func stop() {
        readTimer?.cancel()
        writeTimer?.cancel()
        readTimer = nil
        writeTimer = nil
        context = nil
        if let id { connectionLimiter.close(id) }
        id = nil
        endHalfClosed()
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .dropping(let left) = reading {
            reading = .dropping(left: max(0, left - unwrapInboundIn(data).readableBytes))
            return
        }
        hasReceived = true
        if case .idle = reading { reading = .headers }
        if case .body = reading { surplus += unwrapInboundIn(data).readableBytes }
        context.fireChannelRead(data)
        // Most requests arrive in one piece and need no timer.
        if case .headers = reading, readTimer == nil { schedule(after: limits.headerTimeout) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Not earlier, because TLS passes on what it has decrypted only here.
        if surplus > Self.padding { requestHandler?.bodyIsPadded() }
        if case .dropping = reading { read(context: context) }
    }

    func read(context: ChannelHandlerContext) {
        if case .dropping(left: 0) = reading { return }
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is CloseIfSpare {
            if unanswered == 0 { reset(.totalLimit) } else if isHeldUp { reset(.heldUp) }
            return
        }
        if event as? ChannelEvent == .inputClosed {
            if case .dropping = reading { return context.close(promise: nil) }
            if unanswered > 0, halfClosed == nil {
                let address = ClientAddress(context.remoteAddress)
                guard connectionLimiter.beginHalfClosed(address) else { return reset(.flood) }
                halfClosed = address
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Stops the timer, because the next request is not read until the previous one is answered.
    func headersWait() {
        guard case .headers = reading else { return }
        reading = .idle
        readTimer?.cancel()
        readTimer = nil
    }

    /// Starts the timer, because the beginning of a request's headers is read.
    func headersBegan() {
        guard case .idle = reading else { return }
        reading = .headers
        schedule(after: limits.headerTimeout)
    }

    /// Stops the timer, because the headers of a request are complete.
    func headersEnded() {
        switch reading {
        // Idle, if the headers arrived together with the end of the previous request.
        case .headers, .idle: reading = .body
        case .body, .streams, .dropping: break
        }
        readTimer?.cancel()
        readTimer = nil
    }

    /// Subtracts content from the surplus. The factor leaves room for chunks of one byte, which take six bytes each.
    func bodyReceived(_ count: Int) {
        surplus = max(0, surplus - 8 * count)
    }

    func requestEnded() {
        surplus = 0
        if case .body = reading { reading = .idle }
    }

    /// Notes that a request is complete. The connection is not idle until the response ends.
    func responseIsDue() {
        unanswered += 1
        if unanswered == 1, let id { connectionLimiter.set(id, .busy) }
    }

    /// Notes that a response has ended, or that its stream has.
    func responseEnded() {
        guard unanswered > 0 else { return }
        unanswered -= 1
        guard unanswered == 0, let id else { return }
        endHalfClosed()
        isHeldUp = false
        connectionLimiter.set(id, .idle)
    }

    private func endHalfClosed() {
        if let halfClosed { connectionLimiter.endHalfClosed(halfClosed) }
        halfClosed = nil
    }

    /// Switches to HTTP/2, once its preface was read: the connection times out while it has no streams.
    func beginStreams() {
        reading = .streams(open: 0)
        schedule(after: limits.idleTimeout + .seconds(15))
    }

    func streamOpened() {
        if case .streams(let open) = reading { reading = .streams(open: open + 1) }
        readTimer?.cancel()
        readTimer = nil
    }

    func streamClosed() {
        guard case .streams(let open) = reading else { return }
        reading = .streams(open: open - 1)
        if open == 1 { schedule(after: limits.idleTimeout + .seconds(15)) }
    }

    /// Drops what still arrives, up to a limit, and closes the connection when the client does or when the linger timeout
    /// has passed.
    func drop() {
        reading = .dropping(left: limits.lingerBytes)
        schedule(after: limits.lingerTimeout)
        // The previous reader may have stopped.
        context?.read()
    }

    /// Closes the connection without a response.
    func reset(_ reason: ConnectionReset) {
        connectionLimiter.reset(reason)
        context?.close(promise: nil)
    }

    /// Counts a stream that is reset, or a connection that HTTP/2 itself closes, without a complete response.
    func count(_ reason: ConnectionReset) {
        connectionLimiter.reset(reason)
    }

    private func schedule(after time: Duration) {
        readTimer?.cancel()
        readTimer = context?.eventLoop.assumeIsolated().scheduleTask(in: .init(time)) { self.readTimeIsUp() }
    }

    private func readTimeIsUp() {
        readTimer = nil
        switch reading {
        case .headers:
            if hasReceived, let requestHandler { requestHandler.headersAreSlow() } else { reset(.silent) }
        case .streams(let open) where open > 0: break
        case .streams: reset(.silent)
        case .dropping: reset(.talkative)
        case .idle, .body: break
        }
    }

    // MARK: Writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if writeTimer == nil { checkWriting() }
    }

    /// Begins to watch whether the client reads, because bytes of responses wait for a window of HTTP/2.
    func responseWaits() {
        if writeTimer == nil { checkWriting() }
    }

    private func checkWriting() {
        writeTimer = nil
        guard let context, let waiting = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes) else {
            return
        }
        let now = ContinuousClock.now
        let waitsForWindows = http2Handler.map { $0.blockedStreams >= max(1, unanswered) } ?? false
        let taken = waiting > 0 || waitsForWindows ? context.channel.acknowledgedBytes : nil
        let verdict = progress.check(
            waiting: waiting, taken: taken ?? written - waiting, isHeldUp: waiting > 0 || waitsForWindows, at: now)
        setHeldUp(pace: progress.heldUpPace)
        switch verdict {
        case .done: break
        case .stuck: reset(.unread)
        case .checkAgain(let instant):
            writeTimer = context.eventLoop.assumeIsolated().scheduleTask(in: .init(now.duration(to: instant))) {
                self.checkWriting()
            }
        }
    }

    private func setHeldUp(pace: Int?) {
        guard let id, unanswered > 0, isHeldUp || pace != nil else { return }
        isHeldUp = pace != nil
        connectionLimiter.set(id, pace.map { .heldUp(pace: $0) } ?? .busy)
    }
}
