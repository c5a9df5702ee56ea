import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// An HTTP/1.1 connection that has a `ConnectionTimeoutHandler`: Hummingbird's pipeline with guards around the parser.
struct HTTP1Connection: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: Responder
    let limits: HTTPLimits
    let isSecure: Bool
    let turns: RequestTurns

    /// Creates connections that drop the requests whose client has gone before their turn.
    init(responder: @escaping Responder, limits: HTTPLimits, isSecure: Bool, turns: RequestTurns) {
        self.responder = { request, writer, channel in
            guard channel.isActive else { return }
            try await responder(request, writer, channel)
        }
        self.limits = limits
        self.isSecure = isSecure
        self.turns = turns
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try addHandlers(to: pipeline, logger)
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    /// Adds the parser and its guards.
    func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations, _ logger: Logger) throws {
        var decoder = NIOHTTPDecoderLimitConfiguration()
        decoder.maxHeaderFieldSize = limits.headerBytes
        decoder.maxHeaderListSize = limits.headerBytes
        decoder.maxHeaderFieldCount = 100
        let gate = RequestGate()
        try pipeline.addHandler(gate)
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoder)
        try pipeline.addHandler(RequestSmugglingFilter())
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
        try pipeline.addHandler(RequestTimeoutHandler(limits, gate: gate))
        // It must know of a request that waits for its turn, or the connection would seem idle.
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: limits.idleTimeout, logger: logger))
        try pipeline.addHandler(RequestTurnHandler(turns))
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}

/// An HTTP/1.1 connection without TLS.
struct PlainConnection: ServerChildChannel {
    let http1: HTTP1Connection
    let connectionLimiter: ConnectionLimiter

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Connection.Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionTimeoutHandler(http1.limits, connectionLimiter))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http1.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Connection.Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}
