import HTTPTypes
import Hummingbird

/// Allows scripts of other origins to post events and to read the categories, and nothing else (CORS).
struct CrossOrigin: RouterMiddleware {
    typealias Context = CollectorContext

    /// The methods that are allowed, by path.
    private static let open = ["/v1/events": "POST", "/v1/categories": "GET"]

    let origins: AllowedOrigins

    func handle(
        _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        guard let methods = Self.open[request.uri.path] else { return try await next(request, context) }
        if request.method == .options, request.headers[.requestMethod] != nil {
            return answer(request, methods, context)
        }
        var response = try await next(request, context)
        allow(request, &response)
        if request.headers[.origin] != nil {
            response.headers[.accessControlExposeHeaders] = "X-Request-Id, Retry-After"
        }
        return response
    }

    /// Answers a browser's preflight request.
    private func answer(_ request: Request, _ methods: String, _ context: CollectorContext) -> Response {
        var response = Response(status: .noContent)
        response.headers[.requestID] = context.requestID
        allow(request, &response)
        if response.headers[.accessControlAllowOrigin] != nil {
            response.headers[.accessControlAllowMethods] = methods
            response.headers[.accessControlAllowHeaders] = "Authorization, Content-Type, Content-Encoding"
            response.headers[.accessControlMaxAge] = "86400"
        }
        return response
    }

    private func allow(_ request: Request, _ response: inout Response) {
        // With a list, the response depends on the origin, and caches must not give it to other origins.
        if origins != .any { response.headers[.vary] = "Origin" }
        response.headers[.accessControlAllowOrigin] = request.headers[.origin].flatMap(origins.allowed)
    }
}

/// The origins of web pages whose scripts can use the collector.
package enum AllowedOrigins: Sendable, Equatable {
    case any
    case these(Set<String>)

    /// Parses `*`, or origins separated by commas; `none` allows no origin.
    package init(_ text: String) {
        let origins = text.split(separator: ",").map { $0.filter { $0 != " " }.lowercased() }
        self = origins == ["*"] ? .any : .these(Set(origins).subtracting(["none", ""]))
    }

    /// Returns the value of `Access-Control-Allow-Origin` for an origin, or `nil` if it is not allowed.
    func allowed(_ origin: String) -> String? {
        switch self {
        case .any: "*"
        case .these(let origins): origins.contains(origin.lowercased()) ? origin : nil
        }
    }
}
