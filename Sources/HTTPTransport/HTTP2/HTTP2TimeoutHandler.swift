import NIOCore

/// The handler between TLS and HTTP/2, which enforces the limits that the handler next to the socket can't see.
///
/// It closes connections whose frames arrive too slowly, and streams whose client opens no flow control window for
/// their responses. It also bounds the response bytes and the header table that a connection keeps in memory, the frames
/// that ask for nothing, those with DATA, what comes for streams that were reset, the streams of all connections of an
/// address, and those of a connection that are refused.
final class HTTP2TimeoutHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The most bytes of response headers that are kept for compression. It is the size that connections begin with.
    private static let headerTableBytes = 4096

    private var received = HTTP2FrameReader(hasPreface: true)
    private var sent = HTTP2FrameReader(hasPreface: false)
    /// The time between two checks of the backlog while no stream waits for a window.
    private let interval: Duration
    private var headers: HeaderBlockProgress
    private var backlog: ResponseBacklog
    private var allowance = FrameAllowance()
    private var dataAllowance: DataAllowance
    /// Bounds the refused streams of the connection, which nothing else does: each is gone as soon as it is refused.
    private var refusals = FrameAllowance()
    private var hasTooManyRefusals = false
    private let shares: StreamShares
    /// On whose account the streams are, if they are bounded.
    private var account: ClientAddress?
    /// The last stream that the client has opened.
    private var lastStream = 0
    private var requests: [Int: RequestTimeoutHandler] = [:]
    private var connectionHandler: ConnectionTimeoutHandler?
    private var context: ChannelHandlerContext?
    private var isReady = false
    /// Whether a GOAWAY frame was sent.
    private(set) var hasSentGoAway = false
    /// Whether a GOAWAY frame with an error was sent.
    private var hasFailed = false
    private var readTimer: Scheduled<Void>?
    private var writeTimer: Scheduled<Void>?

    init(_ limits: HTTPLimits, _ shares: StreamShares) {
        self.shares = shares
        interval = min(limits.writeTimeout / 4, .seconds(1))
        headers = HeaderBlockProgress(timeout: limits.headerTimeout)
        backlog = ResponseBacklog(limits)
        dataAllowance = DataAllowance(mostDropped: limits.lingerBytes)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connectionHandler = try? context.pipeline.syncOperations.handler(type: ConnectionTimeoutHandler.self)
        connectionHandler?.http2Handler = self
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
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
        if let account { shares.close(requests.count, of: account) }
        requests = [:]
        connectionHandler?.http2Handler = nil
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var increments: [(stream: Int, count: Int)] = []
        // The last one, because each replaces those before, and costs time for every stream.
        var initialWindow: Int?
        var bytes = unwrapInboundIn(data)
        let start = bytes.readerIndex
        var isSplit = false
        var useless = 0
        var isPush = false
        received.read(bytes) { event in
            switch event {
            case .data(let stream, let count, let isPadded, let end):
                // NIO would close the connection because of what its client sent before it knew of the reset. It still
                // does if the frame's head came in two pieces, of which the first one has been passed on.
                guard let known = dataAllowance.receive(count, isPadded: isPadded, for: stream) else { break }
                let index = end - MemoryLayout<UInt32>.size
                if index >= start { bytes.setInteger(UInt32(clamping: known), at: index) }
            case .headers(let stream):
                lastStream = max(lastStream, stream)
                allowance.addRequest()
                dataAllowance.addRequest()
            // NIO limits these.
            case .reset: break
            case .pushPromise: isPush = true
            // NIO limits frames with settings, of which one can hold thousands. Each window costs time for every stream.
            case .unknown, .goAway, .otherSetting: useless += 1
            case .headerTable(let size, let end):
                useless += 1
                // NIO would let the table of this connection grow to what the client allows, up to 4 GiB. A server may
                // use less without saying so.
                guard size > Self.headerTableBytes else { break }
                let index = end - MemoryLayout<UInt32>.size
                if index >= start {
                    bytes.setInteger(UInt32(Self.headerTableBytes), at: index)
                } else {
                    isSplit = true
                }
            case .windowUpdate(let stream, let increment):
                useless += 1
                increments.append((stream, increment))
            case .initialWindow(let size):
                useless += 1
                initialWindow = size
            }
        }
        if isPush { return fail(code: 0x1, .protocolError) }
        if useless > 0, !allowance.spend(useless, at: .now) { return fail(code: 0xB, .flood) }
        if dataAllowance.received > 0, !dataAllowance.spend(at: .now) { return fail(code: 0xB, .flood) }
        // The first bytes of the value have been passed on. No ordinary client sends a setting in pieces.
        if isSplit {
            connectionHandler?.reset(.protocolError)
            return
        }
        if !isReady, received.completed > 0 {
            // The preface and the settings are complete. Their time was that of the handler next to the socket.
            isReady = true
            connectionHandler?.beginStreams()
        }
        // Most frames arrive in one piece and need no timer.
        if isReady, received.isIncomplete || readTimer != nil { checkHeaders() }
        context.fireChannelRead(wrapInboundOut(bytes))
        // Not while NIO's handler opens streams.
        if hasTooManyRefusals { return fail(code: 0xB, .flood) }
        // Not earlier, because the windows can be those of streams that open with the same bytes.
        if let initialWindow { backlog.setInitialWindow(initialWindow, at: .now) }
        for (stream, count) in increments { backlog.openWindow(stream, by: count, at: .now) }
    }

    /// Ends the connection with a GOAWAY frame (RFC 9113, 6.8).
    private func fail(code: UInt32, _ reason: ConnectionReset) {
        guard let context, !hasFailed else { return }
        hasSentGoAway = true
        hasFailed = true
        // Length, type, flags and stream of the frame; then its payload.
        var frame = ByteBuffer(bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0])
        frame.writeInteger(UInt32(clamping: lastStream))
        frame.writeInteger(code)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        connectionHandler?.reset(reason)
    }

    private func checkHeaders() {
        let now = ContinuousClock.now
        headers.receive(completed: received.completed, isIncomplete: received.isIncomplete, at: now)
        guard readTimer == nil else { return }
        switch headers.check(at: now) {
        case .done: break
        case .tooSlow: connectionHandler?.reset(.silent)
        case .checkAgain(let instant):
            readTimer = schedule(now.duration(to: instant)) { handler in
                handler.readTimer = nil
                handler.checkHeaders()
            }
        }
    }

    private func schedule(_ time: Duration, _ action: @escaping (HTTP2TimeoutHandler) -> Void) -> Scheduled<Void>? {
        context?.eventLoop.assumeIsolated().scheduleTask(in: .init(time)) { action(self) }
    }

    // MARK: Streams

    /// Notes a new stream, or returns `false` if the client's address has too many of them.
    func streamOpened(_ id: Int, _ request: RequestTimeoutHandler) -> Bool {
        guard let context else { return false }
        if account == nil { account = shares.account(of: ClientAddress(context.remoteAddress)) }
        if let account, !shares.open(account) {
            if !refusals.spend(1, at: .now) { hasTooManyRefusals = true }
            return false
        }
        requests[id] = request
        backlog.open(id)
        return true
    }

    func streamClosed(_ id: Int) {
        guard requests.removeValue(forKey: id) != nil else { return }
        if let account { shares.close(1, of: account) }
        backlog.close(id, at: .now)
    }

    /// Counts bytes of a response, or returns false if the client leaves too many bytes of this connection unread.
    func responseWritten(_ count: Int, to id: Int) -> Bool {
        guard backlog.add(count, to: id, at: .now) else {
            backlog.abandon(id)
            return false
        }
        watchBacklog()
        return true
    }

    // MARK: Writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        sent.read(unwrapOutboundIn(data)) { event in
            switch event {
            case .data(let stream, let count, _, _):
                backlog.send(count, of: stream, at: .now)
                allowance.add(bytes: count)
            case .reset(let stream): dataAllowance.addReset(of: stream)
            case .goAway(let code):
                hasSentGoAway = true
                guard !hasFailed, let reason = ConnectionReset(goAway: code) else { break }
                hasFailed = true
                connectionHandler?.count(reason)
            case .windowUpdate, .initialWindow, .headerTable, .otherSetting, .headers, .pushPromise, .unknown: break
            }
        }
        context.write(data, promise: promise)
    }

    /// The number of streams whose responses wait only for the client to open a window.
    var blockedStreams: Int { backlog.blockedStreams }

    /// Checks the backlog from time to time while it is not empty. Most responses are gone before the first check.
    private func watchBacklog() {
        if writeTimer == nil, backlog.waiting > 0 { checkBacklog(after: interval) }
    }

    private func checkBacklog(after time: Duration) {
        writeTimer = schedule(time) { handler in
            handler.writeTimer = nil
            handler.checkBacklog()
        }
    }

    private func checkBacklog() {
        connectionHandler?.responseWaits()
        // Which may have closed the connection.
        guard context != nil else { return }
        let now = ContinuousClock.now
        switch backlog.check(at: now) {
        case .done: watchBacklog()
        case .allStuck: connectionHandler?.reset(.unread)
        case .stuck(let streams):
            for id in streams {
                backlog.abandon(id)
                requests[id]?.responseIsUnread()
            }
            checkBacklog(after: interval)
        case .checkAgain(let instant): checkBacklog(after: now.duration(to: min(instant, now + interval)))
        }
    }
}
