import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Watches over the requests of a connection, or over the one of an HTTP/2 stream: that their bodies come in time, that
/// what can't be read is answered, and that a connection that is refused closes, its client having got its answer.
final class RequestTimeoutHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: HTTPLimits
    private let isStream: Bool
    private var connectionHandler: ConnectionTimeoutHandler?
    private var context: ChannelHandlerContext?
    private var pipelineState = PipelineState()
    private var bodyRate: MinimumBodyRate?
    private var timer: Scheduled<Void>?
    /// Something was unreadable: nothing after it is.
    private var hasFailed = false
    /// Of a stream that is answered, and whose body is dropped: how much more of it.
    private var left: Int?

    init(_ limits: HTTPLimits, isStream: Bool) {
        self.limits = limits
        self.isStream = isStream
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let connection = isStream ? context.channel.parent : context.channel
        connectionHandler = try? connection?.pipeline.syncOperations.handler(type: ConnectionTimeoutHandler.self)
        if isStream { connectionHandler?.streamOpened() } else { connectionHandler?.requestHandler = self }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if isStream { connectionHandler?.streamClosed() }
        timer?.cancel()
        timer = nil
        self.context = nil
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        switch unwrapInboundIn(data) {
        case .head:
            guard pipelineState.beginRequest() else { return }
            if !isStream { connectionHandler?.headersEnded() }
            bodyRate = MinimumBodyRate(limits, at: .now)
        case .body(let part):
            if left != nil { return drop(part.readableBytes) }
            guard pipelineState.isReading else { return }
            bodyRate?.receive(part.readableBytes)
            if !isStream { connectionHandler?.bodyReceived(part.readableBytes) }
        case .end:
            guard pipelineState.isReading else { return }
            pipelineState.endRequest()
            bodyRate = nil
            timer?.cancel()
            timer = nil
            if !isStream { connectionHandler?.requestEnded() }
            if left != nil { return }
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Wait for the next `read`: the reader of the body may have enough for now.
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
            pipelineState.takeNoMore()
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func checkBodyRate() {
        timer = nil
        guard let context, let bodyRate, pipelineState.isReading, !hasFailed, !pipelineState.isClosing else { return }
        let now = ContinuousClock.now
        switch bodyRate.check(at: now) {
        case .tooSlow: fail(.bodySlow)
        case .goOn(let instant):
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: .init(now.duration(to: instant))) {
                self.checkBodyRate()
            }
        }
    }

    // MARK: Faults

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let fault as RequestReadError: fail(fault)
        case HTTPParserError.headerOverflow: fail(.headersTooLarge)
        case is HTTPParserError, is HTTP1TypeConversionError: fail(.malformed)
        // More of what was unreadable.
        case is ByteToMessageDecoderError: break
        default: context.fireErrorCaught(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // A body that is cut off must not be taken for a whole one.
        if pipelineState.isReading, !hasFailed { fail(.malformed) }
        context.fireChannelInactive()
    }

    /// The headers of the next request take too long.
    func headersAreSlow() {
        fail(.headersSlow)
    }

    /// Its body is wrapped in more than any client has a use for.
    func bodyIsPadded() {
        fail(.malformed)
    }

    private func fail(_ fault: RequestReadError) {
        guard let context, !hasFailed, !pipelineState.isClosing else { return }
        hasFailed = true
        timer?.cancel()
        timer = nil
        if pipelineState.isReading { return context.fireErrorCaught(fault) }
        guard context.channel.isActive, pipelineState.beginRequest(), let request = fault.request else { return }
        connectionHandler?.headersEnded()
        context.fireChannelRead(wrapInboundOut(.head(request)))
        context.fireChannelRead(wrapInboundOut(.end(nil)))
        context.fireChannelReadComplete()
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var response) where response.status.kind != .informational:
            let closes = response.headerFields[.connection]?.lowercased() == "close"
            // HTTP/2 has no such header: there, a stream is what ends.
            response.headerFields[.connection] = pipelineState.beginAnswer(closes: closes) && !isStream ? "close" : nil
            context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .end where pipelineState.endAnswer():
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenComplete { _ in self.linger() }
            context.write(data, promise: written)
        default: context.write(data, promise: promise)
        }
    }

    /// The last answer is with the system. To close at once could destroy it before the client has read it.
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
