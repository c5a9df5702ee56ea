import HTTPTransport
import Hummingbird
import Logging
import Synchronization

/// Warns once if a proxy on this machine forwards requests and `AFTERPUSH_HTTP_PROXIES` doesn't name it.
///
/// All its clients then share this machine's address, which has no limits per address.
final class ProxyWarning: RouterMiddleware {
    typealias Context = CollectorContext

    private let clients: ClientFinder
    private let hasWarned = Atomic(false)

    init(clients: ClientFinder) {
        self.clients = clients
    }

    func handle(
        _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        if !hasWarned.load(ordering: .relaxed), context.isFromLoopback, !clients.proxies.contains(context.peer),
            request.wasForwarded, !hasWarned.exchange(true, ordering: .relaxed)
        {
            context.logger.warning("a proxy on this machine is not trusted; name it in AFTERPUSH_HTTP_PROXIES")
        }
        return try await next(request, context)
    }
}
