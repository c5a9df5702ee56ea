import HTTPTypes
import Hummingbird

/// The dashboard: one page at several addresses, for those who are signed in, and its files, which hold no data.
struct DashboardRoutes: Sendable {
    /// The page's addresses; which of them it is, the page finds out for itself.
    static let pages = [
        "/", "/campaigns/{id}", "/categories/{id}", "/live", "/reports", "/reports/{name}", "/health",
    ]

    let authentication: Authentication
    let assets: AssetCatalog

    func add(to router: Router<CollectorContext>) {
        for path in Self.pages {
            router.get(RouterPath(path)) { request, context in
                try await self.isOpen(to: request, context)
                    ? self.assets.page.page(to: request) : Self.login(then: request)
            }
        }
        router.get("assets/:name") { request, context in
            guard let asset = self.assets[try context.parameters.require("name")] else { throw HTTPError(.notFound) }
            return asset.response(to: request)
        }
    }

    /// If it is unknown who asks, the page is served; it says what it can't read, and why.
    private func isOpen(to request: Request, _ context: CollectorContext) async throws -> Bool {
        do {
            _ = try await authentication.reader(request, context)
            return true
        } catch let problem as Problem {
            if problem.status == .unauthorized || problem.status == .forbidden { return false }
            throw problem
        } catch {
            return true
        }
    }

    private static func login(then request: Request) -> Response {
        let address = request.uri.path + (request.uri.query.map { "?" + $0 } ?? "")
        var headers = HTTPFields.dashboard
        headers[.location] = "/login?next=\(PathText.encode(address))"
        headers[.cacheControl] = "no-store"
        return Response(status: .seeOther, headers: headers)
    }
}

extension HTTPFields {
    /// What all of the dashboard is sent with: scripts and styles come from files of this server alone, so that nothing
    /// that devices send could run, were it taken for markup.
    static let dashboard: HTTPFields = [
        .contentSecurityPolicy: [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
            "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; "),
        .xContentTypeOptions: "nosniff",
        // Not no-referrer: then a form would be posted with the origin null.
        .referrerPolicy: "same-origin",
    ]
}
