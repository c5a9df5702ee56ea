package import HTTPTypes
package import HummingbirdCore
package import Logging

extension HTTPServerBuilder {
    /// Serves HTTP/1.1, or with TLS also HTTP/2, under limits on time, bytes and connections.
    ///
    /// - Parameters:
    ///   - exempt: addresses that can open any number of connections, keep idle ones, and have any number of requests
    ///     worked on at the same time.
    ///   - clientAddress: finds the address of a request's client, which can be behind a proxy.
    ///   - identity: certificate and key; without one, plain HTTP/1.1 is served.
    package static func hardened(
        _ limits: HTTPLimits, exempt: [AddressList],
        clientAddress: @escaping @Sendable (_ peer: ClientAddress, HTTPFields) -> ClientAddress,
        identity: TLSIdentity?, metrics: ConnectionMetrics, logger: Logger
    ) -> HTTPServerBuilder {
        let connectionLimiter = ConnectionLimiter(limits, exempt: exempt, metrics: metrics, logger: logger)
        let turns = RequestTurns(exempt: exempt, address: clientAddress)
        return HTTPServerBuilder { responder in
            let http1 = HTTP1Connection(
                responder: responder, limits: limits, isSecure: identity != nil, turns: turns)
            guard let identity else { return PlainConnection(http1: http1, connectionLimiter: connectionLimiter) }
            return SecureConnection(
                identity: identity, http1: http1, connectionLimiter: connectionLimiter, exempt: exempt)
        }
    }
}
