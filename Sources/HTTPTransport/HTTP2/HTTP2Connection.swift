import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore

/// An HTTP/2 connection that has a `ConnectionTimeoutHandler`: Hummingbird's pipeline with guards around the frames.
struct HTTP2Connection: ServerChildChannel {
    typealias Value = HTTP2Channel.Value

    private let limits: HTTPLimits
    private let http2: HTTP2Channel

    init(responder: @escaping HTTPChannelHandler.Responder, limits: HTTPLimits) {
        self.limits = limits
        // NIO's own limits apply to the rest: 100 streams, 16 KiB of headers, 200 resets or pings in 30 seconds.
        http2 = HTTP2Channel(
            responder: responder,
            configuration: .init(
                idleTimeout: limits.idleTimeout, gracefulCloseTimeout: limits.writeTimeout,
                streamConfiguration: .init(additionalChannelHandlers: [RequestTimeoutHandler(limits, isStream: true)])))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(HTTP2TimeoutHandler(limits))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http2.setup(channel: channel, logger: logger)
    }

    func handle(value: Value, logger: Logger) async {
        await http2.handle(value: value, logger: logger)
    }
}
