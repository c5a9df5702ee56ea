import HTTPTypes
import Hummingbird

/// Answers a browser that opens an unknown address with the dashboard, which says so and links to its pages.
///
/// Programs, and all requests below `/v1/`, get a problem document instead.
struct UnknownPage: Sendable {
    let dashboard: DashboardRoutes

    /// Answers a request that no route takes, or throws the error that says so.
    func answer(_ error: HTTPError, to request: Request, _ context: CollectorContext) async throws -> Response {
        guard Self.isNavigation(request) else { throw error }
        return try await dashboard.page(to: request, context, status: .notFound)
    }

    /// Whether a browser requests a page, rather than a program or a page one of its files.
    private static func isNavigation(_ request: Request) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        let path = request.uri.path
        guard path.hasPrefix("/"), !["/v1/", "/assets/", "/client/", "/in/"].contains(where: path.hasPrefix) else {
            return false
        }
        return (request.headers[.accept] ?? "").split(separator: ",").contains { type in
            type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() == "text/html"
        }
    }
}
