import HTTPTypes
import Hummingbird

/// Serves the dashboard: one page at several paths, which requires a session, and its files, which contain no data.
struct DashboardRoutes: Sendable {
    /// The paths of the page, whose script decides by the path what to show.
    static let pages = [
        "/", "/campaigns/{id}", "/categories/{id}", "/live", "/reports", "/reports/{name}", "/alerts", "/health",
        "/inspect", "/declare",
    ]

    let authentication: Authentication
    let assets: AssetCatalog

    func add(to router: Router<CollectorContext>) {
        for path in Self.pages {
            router.get(RouterPath(path)) { request, context in
                try await self.page(to: request, context)
            }
        }
        // The router has one name for a segment: that of the path above, which here is the digest.
        router.get("assets/:name/:file") { request, context in
            guard let asset = self.assets[try context.parameters.require("file")] else { throw HTTPError(.notFound) }
            // During an upgrade, a page of another version gets the file of this one, which is better than none.
            let isNamed = try context.parameters.require("name") == self.assets.digest
            return asset.response(to: request, caching: isNamed ? .forever : .never)
        }
        // The page of a link that shares a view. It has no data: its script asks for that with the link's token, which
        // is in the part of the address that browsers don't send. So no session is begun, and none can be taken over.
        router.get("shared") { request, _ in self.assets.page.page(to: request) }
        router.get("assets/:name") { request, context in
            guard let asset = self.assets[try context.parameters.require("name")] else { throw HTTPError(.notFound) }
            return asset.response(to: request)
        }
    }

    /// Returns the page, or the login form without a session.
    func page(
        to request: Request, _ context: CollectorContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try await isOpen(to: request, context)
            ? assets.page.page(to: request, status: status) : Self.login(then: request)
    }

    /// Whether to serve the page. It is also served if authentication fails with another error, such as an unavailable
    /// database; the page then says what it can't read, and why.
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
        // Encoding can triple the address, and response headers of over 16 KiB break an HTTP/2 connection.
        headers[.location] = address.utf8.count > 2_048 ? "/login" : "/login?next=\(PathText.encode(address))"
        headers[.cacheControl] = "no-store"
        return Response(status: .seeOther, headers: headers)
    }
}

extension HTTPFields {
    /// The headers of all dashboard responses. Scripts and styles load only from files of this server, so that text
    /// from devices can't run even if it is mistaken for markup.
    static let dashboard: HTTPFields = [
        .contentSecurityPolicy: [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
            "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; "),
        .xContentTypeOptions: "nosniff",
        // Not no-referrer, because browsers would then post forms with the origin null.
        .referrerPolicy: "same-origin",
    ]
}
