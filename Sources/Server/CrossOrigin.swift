import HTTPTypes
import Hummingbird

/// Lets scripts of other origins post events and read the categories (CORS); reports and the rest stay closed to them.
struct CrossOrigin: RouterMiddleware {
    typealias Context = CollectorContext

    /// The methods that are open, by path.
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

    /// Before it sends, a browser asks whether it may.
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
        // Of a list, each origin gets another answer, which no cache may give to another.
        if origins != .any { response.headers[.vary] = "Origin" }
        response.headers[.accessControlAllowOrigin] = request.headers[.origin].flatMap(origins.allowed)
    }
}

/// The web pages whose scripts may talk to the collector.
package enum AllowedOrigins: Sendable, Equatable {
    case any
    case these(Set<String>)

    /// - Parameter text: `*`, or origins separated by commas; `none` allows no origin.
    package init(_ text: String) {
        let origins = text.split(separator: ",").map { $0.filter { $0 != " " }.lowercased() }
        self = origins == ["*"] ? .any : .these(Set(origins).subtracting(["none", ""]))
    }

    /// Returns the value of `Access-Control-Allow-Origin` for an origin; nil if it is not allowed.
    func allowed(_ origin: String) -> String? {
        switch self {
        case .any: "*"
        case .these(let origins): origins.contains(origin.lowercased()) ? origin : nil
        }
    }
}
