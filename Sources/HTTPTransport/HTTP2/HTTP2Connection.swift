import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOHTTP2

/// An HTTP/2 connection that has a `ConnectionTimeoutHandler`: Hummingbird's pipeline with guards around the frames.
struct HTTP2Connection: ServerChildChannel {
    typealias Value = HTTP2Channel.Value

    private let limits: HTTPLimits
    private let shares: StreamShares
    private let http2: HTTP2Channel

    init(
        responder: @escaping HTTPChannelHandler.Responder, limits: HTTPLimits, abandoned: AbandonedRequests,
        shares: StreamShares, turns: RequestTurns
    ) {
        self.limits = limits
        self.shares = shares
        // NIO's own limits apply to the rest: 100 streams, 16 KiB of headers, 200 resets or pings in 30 seconds.
        http2 = HTTP2Channel(
            responder: abandoned.guarding(responder),
            configuration: .init(
                idleTimeout: limits.idleTimeout, gracefulCloseTimeout: limits.writeTimeout,
                streamConfiguration: .init(
                    additionalChannelHandlers: [RequestTimeoutHandler(limits), RequestTurnHandler(turns)])))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(HTTP2TimeoutHandler(limits, shares))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http2.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let timeouts = try pipeline.handler(type: HTTP2TimeoutHandler.self)
            let frames = try pipeline.handler(type: NIOHTTP2Handler.self)
            try pipeline.addHandler(HTTP2ConnectionFilter(timeouts), position: .after(frames))
            return value
        }
    }

    func handle(value: Value, logger: Logger) async {
        await http2.handle(value: value, logger: logger)
    }
}

/// Keeps errors of single streams and pings from Hummingbird's connection manager.
///
/// The manager closes the connection on any error. NIO has reset the stream before it reports the error (RFC 9113,
/// 5.4.2), and the other streams can be those of other clients, behind a proxy. Before NIO reports an error of the
/// connection, it sends GOAWAY.
///
/// The manager also closes connections that ping more than about three times in 30 seconds. But some clients do so to
/// notice a dead connection. NIO answers pings, and ends the connection after 200 of them in 30 seconds.
private final class HTTP2ConnectionFilter: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private let timeouts: HTTP2TimeoutHandler

    init(_ timeouts: HTTP2TimeoutHandler) {
        self.timeouts = timeouts
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ping(_, ack: false) = unwrapInboundIn(data).payload { return }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is any NIOHTTP2Error, !timeouts.hasSentGoAway { return }
        context.fireErrorCaught(error)
    }
}
