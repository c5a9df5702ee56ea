import AfterpushWire
import Events
import HTTPTransport
import HTTPTypes
import Hummingbird
import Ingest
import JSON
import Logging
import NIOCore
import Reports

/// Serves `/login`, `/logout` and `/session`: exchanges a key for a cookie, ends the session, and describes it.
struct SessionRoutes: Sendable {
    let authentication: Authentication
    let sessions: Sessions
    let tokens: LoginTokens
    let page: LoginPage
    /// The reader of forms, with a limit of a few kilobytes.
    let bodies: BodyReader

    func add(to router: Router<CollectorContext>) {
        router.get("login") { request, context in try await self.show(request, context) }
        router.post("login") { request, context in try await self.logIn(request, context) }
        router.post("logout") { request, context in try await self.logOut(request, context) }
        router.get("session") { request, context in try await self.session(request, context) }
    }

    /// Returns the form, or starts a session if the address has a token.
    private func show(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let query = request.uri.queryParameters
        let next = query["next"].flatMap { LocalPath(String($0)) }
        // Link previews and scanners send HEAD, and browsers fetch ahead; neither must use up the token.
        let isAhead = request.headers[.fetchPurpose]?.contains("prefetch") == true
        guard let token = query["token"].map(String.init), request.method != .head, !isAhead else {
            return page.response(to: request, next: next)
        }
        // The address was printed on this machine, and works only from it.
        guard authentication.clients.isLocal(request.head, peer: context.peer), let key = tokens.take(token) else {
            return page.response(to: request, .unauthorized, failure: .token, next: next)
        }
        return try await open(key, next: next, request, context)
    }

    private func logIn(_ request: Request, _ context: CollectorContext) async throws -> Response {
        guard SameOrigin.holds(request.headers, authority: request.head.authority) else { throw Problem.otherOrigin }
        let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "application/x-www-form-urlencoded" else { throw Problem.formExpected }
        let client = authentication.client(nil, request, context)
        let form = try await bodies.withBody(of: request, context, from: client) { LoginForm($0) }
        return try await open(form.key, next: LocalPath(form.next), request, context)
    }

    /// Starts a session for the key, or returns the page with the reason for the failure.
    private func open(
        _ key: String, next: LocalPath?, _ request: Request, _ context: CollectorContext
    ) async throws -> Response {
        func refusal(_ status: HTTPResponse.Status, _ failure: LoginPage.Failure) -> Response {
            page.response(to: request, status, failure: failure, next: next)
        }
        do {
            guard let grant = try await authentication.grant(ofKey: key, request, context) else {
                context.logger.info("sign-in failed: unknown or revoked key")
                return refusal(.unauthorized, .key)
            }
            guard grant.scope.allows(.read) else { return refusal(.forbidden, .scope) }
            guard let token = try await sessions.begin(grant) else { return refusal(.unauthorized, .key) }
            let cookie = authentication.cookie(of: request, context)
            return Self.redirect(to: next ?? .root, cookie: cookie.setting(token, for: sessions.lifetime))
        } catch let problem as Problem where problem.status == .tooManyRequests {
            var response = refusal(.tooManyRequests, .rate)
            response.headers[.retryAfter] = problem.headers[.retryAfter]
            return response
        } catch {
            context.logger.warning("sign-in failed: the database is unavailable", metadata: ["error": "\(error)"])
            return refusal(.serviceUnavailable, .unavailable)
        }
    }

    private func logOut(_ request: Request, _ context: CollectorContext) async throws -> Response {
        guard SameOrigin.holds(request.headers, authority: request.head.authority) else { throw Problem.otherOrigin }
        let cookie = authentication.cookie(of: request, context)
        // Invented tokens are limited like unknown keys, and the database is asked once for many.
        if let token = cookie.token(of: request), let grant = try await authentication.session(token, request, context)
        {
            try await sessions.end(token, of: grant)
        }
        return Self.redirect(to: .login, cookie: cookie.removing)
    }

    /// Returns the app, the scope and the end of the session.
    private func session(_ request: Request, _ context: CollectorContext) async throws -> Response {
        // Invented tokens are limited like unknown keys.
        let grant = try await authentication.reader(request, context)
        guard let token = authentication.cookie(of: request, context).token(of: request),
            let session = try await sessions.session(token, of: grant)
        else { throw Problem.unauthorized }
        var response = Response.json(
            JSONText.object([
                ("app", JSONText.string(session.grant.appName)),
                ("scope", JSONText.string(session.grant.scope.rawValue)),
                ("expires_at", JSONText.string(session.endsAt.description)),
                // The zone that days are counted in, unless a request names another.
                ("time_zone", JSONText.string("UTC")),
            ]))
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private static func redirect(to path: LocalPath, cookie: String) -> Response {
        var headers = HTTPFields.dashboard
        headers[.location] = path.text
        headers[.setCookie] = cookie
        headers[.cacheControl] = "no-store"
        return Response(status: .seeOther, headers: headers)
    }
}

/// A check that a request that changes something comes from a page of this server.
///
/// Browsers name the source of a request in `Sec-Fetch-Site`, or, over plain HTTP and in old versions, in `Origin`.
/// Pages can't change these headers. A request without them doesn't come from a browser, so no other site caused it.
enum SameOrigin {
    /// Returns whether a browser states that a page of this server sent the request.
    ///
    /// Unlike `holds`, it needs one of the two headers, so a request that is not a page's does not pass.
    static func isProven(_ headers: HTTPFields, authority: String?) -> Bool {
        (headers[.fetchSite].map { $0 == "same-origin" } ?? (headers[.origin] != nil))
            && holds(headers, authority: authority)
    }

    /// Returns whether the check succeeds.
    ///
    /// - Parameter authority: the host and port that the request was sent to.
    static func holds(_ headers: HTTPFields, authority: String?) -> Bool {
        if let site = headers[.fetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = headers[.origin] else { return true }
        guard let authority, let separator = origin.firstRange(of: "://") else { return false }
        return origin[separator.upperBound...].lowercased() == authority.lowercased()
    }
}
