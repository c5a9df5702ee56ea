import HTTPTypes
import Hummingbird

/// Adds to every response what clients and caches may do with it.
///
/// One middleware does all of it, because each one costs every request about a microsecond.
struct ResponsePolicies: RouterMiddleware {
    typealias Context = CollectorContext

    let transportSecurity: StrictTransportSecurity

    func handle(
        _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        UnstoredResponses.apply(to: &response, request)
        transportSecurity.apply(to: &response, request, context)
        return response
    }
}
