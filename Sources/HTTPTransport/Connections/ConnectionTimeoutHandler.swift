import NIOCore

/// The end of a connection's pipeline at the socket: what depends on bytes and time, whatever they mean.
///
/// It sees that headers come in time, that answers are taken in time, that a connection with many streams is not kept
/// open for nothing, and that nothing more is read of a connection that is given up than its answer needs.
final class ConnectionTimeoutHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Reading {
        /// Between requests.
        case idle
        case headers
        case body
        /// HTTP/2: streams have their own deadlines.
        case streams(open: Int)
        /// The connection is being closed: what still arrives is dropped, up to this many bytes.
        case dropping(left: Int)
    }

    /// Bytes that a body may be wrapped in at once, in the sizes and extensions of chunks.
    private static let padding = 64 * 1024

    private let limits: HTTPLimits
    private let connectionLimiter: ConnectionLimiter
    private var address: ClientAddress?
    private var reading = Reading.headers
    private var hasReceived = false
    /// Bytes that came for a body and are not of it.
    private var surplus = 0
    private var progress: WriteProgress
    private var readTimer: Scheduled<Void>?
    private var writeTimer: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    /// Answers for headers that are too slow; without one, the connection closes.
    weak var requestHandler: RequestTimeoutHandler?

    init(_ limits: HTTPLimits, _ connectionLimiter: ConnectionLimiter) {
        self.limits = limits
        self.connectionLimiter = connectionLimiter
        progress = WriteProgress(timeout: limits.writeTimeout)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        schedule(after: limits.headerTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    func channelActive(context: ChannelHandlerContext) {
        let address = ClientAddress(context.remoteAddress)
        guard connectionLimiter.open(address) else { return context.close(promise: nil) }
        self.address = address
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
        if let address { connectionLimiter.close(address) }
        address = nil
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .dropping(let left) = reading {
            let count = unwrapInboundIn(data).readableBytes
            reading = .dropping(left: left - count)
            if count >= left { reset(.talkative) }
            return
        }
        hasReceived = true
        if case .idle = reading { reading = .headers }
        if case .body = reading { surplus += unwrapInboundIn(data).readableBytes }
        context.fireChannelRead(data)
        // Most requests come in one piece, and need no timer.
        if case .headers = reading, readTimer == nil { schedule(after: limits.headerTimeout) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Not sooner: TLS keeps what it has decrypted until here.
        if surplus > Self.padding { requestHandler?.bodyIsPadded() }
        if case .dropping = reading { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .dropping = reading, event as? ChannelEvent == .inputClosed {
            return context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// The headers of a request are there.
    func headersEnded() {
        switch reading {
        // Between requests, if they came together with the end of the request before.
        case .headers, .idle: reading = .body
        case .body, .streams, .dropping: break
        }
        readTimer?.cancel()
        readTimer = nil
    }

    /// Chunks of a byte each come to six bytes for one.
    func bodyReceived(_ count: Int) {
        surplus = max(0, surplus - 8 * count)
    }

    func requestEnded() {
        surplus = 0
        if case .body = reading { reading = .idle }
    }

    /// It speaks HTTP/2.
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

    /// Drops what still comes, and closes when the client has its answer, or had the time to.
    func drop() {
        reading = .dropping(left: limits.lingerBytes)
        schedule(after: limits.lingerTimeout)
        // The previous reader may have stopped.
        context?.read()
    }

    private func reset(_ reason: ConnectionReset) {
        connectionLimiter.reset(reason)
        context?.close(promise: nil)
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
        progress.write(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if writeTimer == nil { checkWriting() }
    }

    private func checkWriting() {
        writeTimer = nil
        guard let context, let waiting = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes) else {
            return
        }
        let now = ContinuousClock.now
        switch progress.check(waiting: waiting, at: now) {
        case .done: break
        case .stuck: reset(.unread)
        case .goOn(let instant):
            writeTimer = context.eventLoop.assumeIsolated().scheduleTask(in: .init(now.duration(to: instant))) {
                self.checkWriting()
            }
        }
    }
}
