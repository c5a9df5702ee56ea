package import HummingbirdCore
package import Logging

extension HTTPServerBuilder {
    /// Serves HTTP/1.1, or with TLS also HTTP/2, under limits on time, bytes and connections.
    ///
    /// - Parameters:
    ///   - exempt: addresses that can open any number of connections, and keep idle ones.
    ///   - identity: certificate and key; without one, plain HTTP/1.1 is served.
    package static func hardened(
        _ limits: HTTPLimits, exempt: [AddressList], identity: TLSIdentity?, metrics: ConnectionMetrics,
        logger: Logger
    ) -> HTTPServerBuilder {
        let connectionLimiter = ConnectionLimiter(limits, exempt: exempt, metrics: metrics, logger: logger)
        return HTTPServerBuilder { responder in
            let http1 = HTTP1Connection(responder: responder, limits: limits, isSecure: identity != nil)
            guard let identity else { return PlainConnection(http1: http1, connectionLimiter: connectionLimiter) }
            return SecureConnection(
                identity: identity, http1: http1, connectionLimiter: connectionLimiter, exempt: exempt)
        }
    }
}
