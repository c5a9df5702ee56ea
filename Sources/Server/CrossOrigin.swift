import Dialects
import HTTPTypes
import Hummingbird

/// Allows scripts of other origins to post events at native paths and those of dialects, and to read the
/// categories, and nothing else (CORS).
struct CrossOrigin: RouterMiddleware {
    typealias Context = CollectorContext

    /// The methods that are allowed, by path.
    private static let open = ["/v1/events": "POST", "/v1/categories": "GET"]

    let origins: AllowedOrigins

    func handle(
        _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        let native = Self.open[request.uri.path]
        let isDialect = native == nil && DialectTable.hasPath(request.dialectPath)
        guard let methods = isDialect ? "GET, POST" : native else { return try await next(request, context) }
        if request.method == .options, request.headers[.requestMethod] != nil {
            return answer(request, methods, isDialect: isDialect, context)
        }
        var response = try await next(request, context)
        allow(request, isDialect: isDialect, &response)
        if request.headers[.origin] != nil {
            response.headers[.accessControlExposeHeaders] = "X-Request-Id, Retry-After"
        }
        return response
    }

    /// Answers a browser's preflight request.
    private func answer(
        _ request: Request, _ methods: String, isDialect: Bool, _ context: CollectorContext
    ) -> Response {
        var response = Response(status: .noContent)
        response.headers[.requestID] = context.requestID
        allow(request, isDialect: isDialect, &response)
        if response.headers[.accessControlAllowOrigin] != nil {
            response.headers[.accessControlAllowMethods] = methods
            // The SDKs of other systems send headers of their own, and none of them means anything here.
            let asked = isDialect ? request.headers[.requestHeaders] : nil
            response.headers[.accessControlAllowHeaders] = asked ?? "Authorization, Content-Type, Content-Encoding"
            response.headers[.accessControlMaxAge] = "86400"
        }
        return response
    }

    private func allow(_ request: Request, isDialect: Bool, _ response: inout Response) {
        // With a list, the response depends on the origin, and caches must not give it to other origins.
        if origins != .any || isDialect { response.headers[.vary] = "Origin" }
        guard let origin = request.headers[.origin], let allowed = origins.allowed(origin) else { return }
        response.headers[.accessControlAllowOrigin] = isDialect ? origin : allowed
        // Some SDKs send requests with credentials, for which `*` is not allowed. There is nothing for a cookie to
        // allow at these paths: a key is in the request itself.
        if isDialect { response.headers[.accessControlAllowCredentials] = "true" }
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
