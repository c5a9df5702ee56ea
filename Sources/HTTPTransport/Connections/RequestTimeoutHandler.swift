import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Enforces limits on the requests of an HTTP/1.1 connection, or on the request of an HTTP/2 stream.
///
/// Bodies must arrive in time, and unreadable requests get an error response. A refused connection is closed only after
/// its client had time to read the response.
final class RequestTimeoutHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: HTTPLimits
    private let gate: RequestGate?
    private var isStream: Bool { gate == nil }
    private var connectionHandler: ConnectionTimeoutHandler?
    /// The handler of the stream's connection, and the stream's number.
    private var stream: (handler: HTTP2TimeoutHandler, id: Int)?
    private var context: ChannelHandlerContext?
    private var pipelineState = PipelineState()
    private var bodyRate: MinimumBodyRate?
    private var timer: Scheduled<Void>?
    /// Whether a request was unreadable, so that nothing after it can be read either.
    private var hasFailed = false
    /// Whether the stream is one too many of its address.
    private var isRefused = false
    /// Whether a request has been read to its end.
    private var isComplete = false
    /// The bytes to drop of the rest of a body after its stream was answered, or `nil` before that.
    private var left: Int?

    /// Creates a handler.
    ///
    /// - Parameter gate: the gate of an HTTP/1.1 connection, or `nil` for a stream of HTTP/2.
    init(_ limits: HTTPLimits, gate: RequestGate? = nil) {
        self.limits = limits
        self.gate = gate
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let connection = isStream ? context.channel.parent : context.channel
        connectionHandler = try? connection?.pipeline.syncOperations.handler(type: ConnectionTimeoutHandler.self)
        guard isStream else {
            connectionHandler?.requestHandler = self
            return
        }
        connectionHandler?.streamOpened()
        guard let handler = connectionHandler?.http2Handler,
            let id = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        else { return }
        isRefused = !handler.streamOpened(Int(id), self)
        stream = (handler, Int(id))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if isStream { connectionHandler?.streamClosed() }
        if isStream, isComplete { connectionHandler?.responseEnded() }
        if let stream { stream.handler.streamClosed(stream.id) }
        stream = nil
        timer?.cancel()
        timer = nil
        self.context = nil
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if left != nil, case .body(let part) = unwrapInboundIn(data) { return drop(part.readableBytes) }
        guard !hasFailed else { return }
        if isRefused { return refuse() }
        switch unwrapInboundIn(data) {
        case .head(let request):
            if isStream, !request.isClear { return fail(.malformed) }
            gate?.headersEnded(length: request.bodyLength)
            guard pipelineState.beginRequest() else { return }
            if !isStream { connectionHandler?.headersEnded() }
            bodyRate = MinimumBodyRate(limits, at: .now)
        case .body(let part):
            guard pipelineState.isReading else { return }
            gate?.bodyReceived(part.readableBytes)
            bodyRate?.receive(part.readableBytes)
            if bodyRate?.isFragmented == true { return fail(.malformed) }
            if !isStream { connectionHandler?.bodyReceived(part.readableBytes) }
        case .end:
            guard pipelineState.isReading else { return }
            pipelineState.endRequest()
            gate?.requestEnded()
            bodyRate = nil
            timer?.cancel()
            timer = nil
            if !isStream { connectionHandler?.requestEnded() }
            if left != nil { return }
            connectionHandler?.responseIsDue()
            isComplete = true
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Until the next `read`, because the reader of the body may have enough for now.
        bodyRate?.pause(at: .now)
        context.fireChannelReadComplete()
        if left != nil { return context.read() }
        if pipelineState.isReading, !hasFailed, timer == nil { checkBodyRate() }
    }

    func read(context: ChannelHandlerContext) {
        bodyRate?.resume(at: .now)
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is RequestSmugglingFilter.LastRequest: pipelineState.nextIsLast()
        case is ChannelShouldQuiesceEvent:
            pipelineState.stopAccepting()
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let body = event as? DecompressedBody else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
        guard pipelineState.isReadingCurrent else { return }
        bodyRate?.decompress(to: body.count)
        // The deadline is now earlier than the one that the timer was set for.
        if timer != nil {
            timer?.cancel()
            checkBodyRate()
        }
    }

    private func checkBodyRate() {
        timer = nil
        guard let context, let bodyRate, pipelineState.isReading, !hasFailed, !pipelineState.isClosing else { return }
        let now = ContinuousClock.now
        switch bodyRate.check(at: now) {
        case .tooSlow: fail(.bodySlow)
        case .checkAgain(let instant):
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: .init(now.duration(to: instant))) {
                self.checkBodyRate()
            }
        }
    }

    // MARK: Errors

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let fault as RequestReadError: fail(fault)
        case HTTPParserError.headerOverflow: fail(.headersTooLarge)
        case is HTTPParserError, is HTTP1TypeConversionError: fail(.malformed)
        // More bytes after those that were unreadable.
        case is ByteToMessageDecoderError: break
        default: context.fireErrorCaught(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // A truncated body must not pass for a complete one.
        if pipelineState.isReading, !hasFailed { fail(.malformed) }
        // Hummingbird's handler in between keeps `channelInactive` to itself.
        context.fireUserInboundEventTriggered(RequestTurnHandler.Ended())
        context.fireChannelInactive()
    }

    /// Fails the next request, because its headers take too long.
    func headersAreSlow() {
        fail(.headersSlow)
    }

    /// Fails the request, because its body has more chunk framing than any client needs.
    func bodyIsPadded() {
        fail(.malformed)
    }

    private func fail(_ fault: RequestReadError) {
        guard let context, !hasFailed, !pipelineState.isClosing else { return }
        hasFailed = true
        gate?.stop()
        timer?.cancel()
        timer = nil
        if pipelineState.isReading { return context.fireErrorCaught(fault) }
        guard context.channel.isActive, pipelineState.beginRequest(), let request = fault.request else { return }
        connectionHandler?.headersEnded()
        context.fireChannelRead(wrapInboundOut(.head(request)))
        context.fireChannelRead(wrapInboundOut(.end(nil)))
        context.fireChannelReadComplete()
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var response) where response.status.kind != .informational:
            let stated = response.headerFields[.connection]
            let closes = pipelineState.beginAnswer(closes: stated?.lowercased() == "close")
            // HTTP/2 has no such header, because only the stream ends.
            let header = closes && !isStream ? "close" : nil
            guard header != stated else { return context.write(data, promise: promise) }
            response.headerFields[.connection] = header
            context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .end where pipelineState.isClosing:
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenComplete { _ in self.linger() }
            context.write(data, promise: written)
        case .body(let part):
            if let stream, !stream.handler.responseWritten(part.readableBytes, to: stream.id) {
                promise?.fail(ChannelError.outputClosed)
                return responseIsUnread()
            }
            context.write(data, promise: promise)
        case .end:
            if !isStream { connectionHandler?.responseEnded() }
            context.write(data, promise: promise)
            // The read that waited came through this handler before the next request did.
            if gate?.responseEnded() == true { bodyRate?.resume(at: .now) }
        default: context.write(data, promise: promise)
        }
    }

    /// Ends the stream, because its client does not take the response.
    func responseIsUnread() {
        guard let context else { return }
        connectionHandler?.count(.unread)
        // The responder ends now, even if the reset has to wait for the socket.
        context.fireErrorCaught(ChannelError.outputClosed)
        context.fireUserInboundEventTriggered(ChannelEvent.outputClosed)
        context.close(promise: nil)
    }

    /// Resets the stream before anything of its request is worked on, which tells the client that it may send it again
    /// (RFC 9113, 8.7).
    private func refuse() {
        guard let context, let stream else { return }
        hasFailed = true
        connectionHandler?.count(.streamLimit)
        let frame = HTTP2Frame(streamID: HTTP2StreamID(stream.id), payload: .rstStream(.refusedStream))
        context.channel.parent?.writeAndFlush(frame, promise: nil)
    }

    /// Drops the rest of the request before closing, once the last response has been handed to the system. Closing
    /// immediately could destroy the response before the client has read it.
    private func linger() {
        guard let context else { return }
        if isStream {
            guard pipelineState.isReading else { return }
            left = limits.lingerBytes
            timer?.cancel()
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: .init(limits.lingerTimeout)) {
                self.context?.close(promise: nil)
            }
            context.read()
        } else {
            connectionHandler?.drop()
            context.close(mode: .output, promise: nil)
        }
    }

    private func drop(_ count: Int) {
        guard let left else { return }
        self.left = left - count
        if count >= left { context?.close(promise: nil) }
    }
}

extension HTTPRequest {
    /// The length of the body that follows the headers, or `nil` if it comes in chunks.
    fileprivate var bodyLength: Int? {
        headerFields.contains(.transferEncoding) ? nil : headerFields.value(of: .contentLength).flatMap { Int($0) } ?? 0
    }
}
