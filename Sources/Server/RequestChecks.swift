import Hummingbird

/// Checks each request before a route gets it, and answers those that no route takes.
///
/// One middleware does all of it, because each one costs every request about a microsecond.
struct RequestChecks: RouterMiddleware {
    typealias Context = CollectorContext

    let hosts: HostFilter?
    let proxies: ProxyWarning
    let methods: AllowedMethods
    let unknownPage: UnknownPage

    func handle(
        _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        try hosts?.check(request)
        proxies.check(request, context)
        guard ExactPath.isStated(by: request) else {
            return try await unknownPage.answer(HTTPError(.notFound), to: request, context)
        }
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            try methods.check(request)
            return try await unknownPage.answer(error, to: request, context)
        }
    }
}
