import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// A TLS connection with HTTP/1.1 or HTTP/2, as the client prefers, under the limits of a plain connection.
struct SecureConnection: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let negotiated: EventLoopFuture<Negotiated>
    }

    enum Negotiated: Sendable {
        case http1(HTTP1Connection.Value)
        case http2(HTTP2Connection.Value)
    }

    private typealias Negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated>

    private let identity: TLSIdentity
    private let http1: HTTP1Connection
    private let http2: HTTP2Connection
    private let connectionLimiter: ConnectionLimiter

    init(
        identity: TLSIdentity, http1: HTTP1Connection, connectionLimiter: ConnectionLimiter, exempt: [AddressList]
    ) {
        self.identity = identity
        self.http1 = http1
        self.connectionLimiter = connectionLimiter
        http2 = HTTP2Connection(
            responder: http1.responder, limits: http1.limits,
            abandoned: AbandonedRequests(exempt: exempt, limiter: connectionLimiter),
            shares: StreamShares(http1.limits, exempt: exempt), turns: http1.turns)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let connectionHandler = ConnectionTimeoutHandler(http1.limits, connectionLimiter)
            try pipeline.addHandler(connectionHandler)
            try pipeline.addHandler(NIOSSLServerHandler(context: identity.context))
            let negotiation = Negotiation { result in
                switch result {
                case .negotiated("h2"): http2.setup(channel: channel, logger: logger).map { .http2($0) }
                case .negotiated, .fallback: http1.setup(channel: channel, logger: logger).map { .http1($0) }
                }
            }
            try pipeline.addHandler(negotiation)
            return Value(channel: channel, negotiated: negotiation.protocolNegotiationResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            let negotiated = try await value.negotiated.get()
            switch negotiated {
            case .http1(let connection): await http1.handle(value: connection, logger: logger)
            case .http2(let connection): await http2.handle(value: connection, logger: logger)
            }
        } catch {
            // The peer doesn't speak TLS, or doesn't trust the certificate.
            logger.debug("a TLS handshake failed", metadata: ["error": "\(error)"])
        }
    }
}
