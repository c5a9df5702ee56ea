import HTTPTypes
import Hummingbird
import Instruments
import Logging

/// Counts every request, and logs it at level debug. It wraps `ProblemMiddleware`, so it sees errors as responses.
struct RequestMiddleware: RouterMiddleware {
    typealias Context = CollectorContext

    let metrics: ServerMetrics

    func handle(
        _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let route = RouteLabel(template: context.endpointPath)
        metrics.requests.add(1, RequestLabels(route: route, status: response.status))
        context.logger.debug(
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(route.rawValue)",
                "status": .stringConvertible(response.status.code),
                "milliseconds": .stringConvertible(Int(start.duration(to: .now) / .milliseconds(1))),
                "bytes": .stringConvertible(response.body.contentLength ?? 0),
            ])
        return response
    }
}
