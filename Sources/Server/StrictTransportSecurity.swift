import HTTPTypes
import Hummingbird

/// Tells every client that uses TLS to use only TLS for a year (RFC 6797), so that an attacker on the network can't
/// downgrade a browser or an app to plain HTTP.
///
/// The header has no `includeSubDomains`, because other hosts of the domain may belong to other servers.
struct StrictTransportSecurity: RouterMiddleware {
    typealias Context = CollectorContext

    let clients: ClientFinder

    func handle(
        _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if clients.isSecure(peer: context.peer, request.headers) {
            response.headers[.strictTransportSecurity] = "max-age=31536000"
        }
        return response
    }
}
