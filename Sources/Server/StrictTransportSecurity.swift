import HTTPTypes
import Hummingbird

/// Tells every client that uses TLS to use only TLS for a year (RFC 6797), so that an attacker on the network can't
/// downgrade a browser or an app to plain HTTP.
///
/// The header has no `includeSubDomains`, because other hosts of the domain may belong to other servers.
struct StrictTransportSecurity: Sendable {
    let clients: ClientFinder

    func apply(to response: inout Response, _ request: Request, _ context: CollectorContext) {
        if clients.isSecure(peer: context.peer, request.headers) {
            response.headers[.strictTransportSecurity] = "max-age=31536000"
        }
    }
}
