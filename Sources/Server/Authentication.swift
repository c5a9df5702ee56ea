import Events
import Foundation
import HTTPTransport
import Hummingbird
import Ingest
import JSON

/// Authenticates requests by an API key or by the session of a browser.
struct Authentication: Sendable {
    let keys: KeyLookups
    let sessions: KeyLookups
    let shares: ShareLookups
    let rates: RateLimiter
    let clients: ClientFinder

    /// Returns what the request's key grants, if that allows one of the scopes.
    ///
    /// An address that sends many unknown keys gets 429 for them, and never for a valid key.
    func grant(_ request: Request, _ context: CollectorContext, anyOf scopes: [Scope]) async throws -> APIKeyGrant {
        guard let key = Self.key(request.headers.value(of: .authorization)),
            let grant = try await grant(key, in: keys, request, context)
        else { throw Problem.unauthorized }
        return try Self.checked(grant, scopes)
    }

    /// Returns what a request may read, by its key or by the session of its browser.
    ///
    /// Here, sessions permit only reading, so other sites can't use a signed-in browser to change anything.
    func reader(
        _ request: Request, _ context: CollectorContext, anyOf scopes: [Scope] = [.read]
    ) async throws -> APIKeyGrant {
        guard request.headers[.authorization] == nil, request.method == .get || request.method == .head,
            let token = cookie(of: request, context).token(of: request)
        else { return try await grant(request, context, anyOf: scopes) }
        guard let grant = try await grant(token, in: sessions, request, context) else {
            throw Problem.unauthorized
        }
        return try Self.checked(grant, scopes)
    }

    /// Returns what a key from a form grants, or `nil` if the key is unknown or revoked.
    func grant(ofKey key: String, _ request: Request, _ context: CollectorContext) async throws -> APIKeyGrant? {
        try await grant(key, in: keys, request, context)
    }

    /// Returns what a session grants, or `nil` if it has ended or never began.
    func session(_ token: String, _ request: Request, _ context: CollectorContext) async throws -> APIKeyGrant? {
        try await grant(token, in: sessions, request, context)
    }

    /// Admits a request that changes something from the dashboard, by a key or by the session of a browser.
    ///
    /// A session's cookie comes along whoever causes a request. So a session counts only if the browser says that the
    /// request comes from a page of this server, and a body must have a type that pages of other sites can't send.
    func changer(
        _ request: Request, _ context: CollectorContext, anyOf scopes: [Scope]
    ) async throws -> AuthenticatedRequest {
        guard request.headers[.authorization] == nil, let token = cookie(of: request, context).token(of: request) else {
            return try await admit(request, context, anyOf: scopes)
        }
        guard SameOrigin.isProven(request.headers, authority: request.head.authority) else { throw Problem.otherOrigin }
        let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard request.method == .delete || type == "application/json" else { throw Problem.unsupportedMediaType }
        guard let grant = try await grant(token, in: sessions, request, context) else { throw Problem.unauthorized }
        return try admit(try Self.checked(grant, scopes), request, context)
    }

    /// Admits a request that writes, if its key's scope and rate limit allow it.
    func admit(_ request: Request, _ context: CollectorContext, anyOf scopes: [Scope]) async throws
        -> AuthenticatedRequest
    {
        try admit(try await grant(request, context, anyOf: scopes), request, context)
    }

    /// Admits a request that writes with a key that was not found in its `Authorization` header.
    func admit(
        key: String, _ request: Request, _ context: CollectorContext, anyOf scopes: [Scope]
    ) async throws -> AuthenticatedRequest {
        guard let grant = try await grant(key, in: keys, request, context) else { throw Problem.unauthorized }
        return try admit(try Self.checked(grant, scopes), request, context)
    }

    func admit(
        _ grant: APIKeyGrant, _ request: Request, _ context: CollectorContext
    ) throws -> AuthenticatedRequest {
        let address = address(request, context)
        try rates.admit(grant, from: address)
        return AuthenticatedRequest(grant: grant, address: address, client: client(grant, at: address))
    }

    /// Returns the session cookie as the request's browser stores it.
    func cookie(of request: Request, _ context: CollectorContext) -> SessionCookie {
        SessionCookie(isSecure: clients.isSecure(peer: context.peer, request.headers))
    }

    /// Returns the client on whose account a request uses resources.
    func client(_ grant: APIKeyGrant?, _ request: Request, _ context: CollectorContext) -> ResourceClient {
        client(grant, at: address(request, context))
    }

    private func client(_ grant: APIKeyGrant?, at address: ClientAddress) -> ResourceClient {
        ResourceClient(grant, address: rates.isExempt(address) ? nil : address)
    }

    /// Returns the client's address, to which rate limits apply.
    private func address(_ request: Request, _ context: CollectorContext) -> ClientAddress {
        clients.address(peer: context.peer, request.headers)
    }

    static func checked(_ grant: APIKeyGrant, _ scopes: [Scope]) throws -> APIKeyGrant {
        guard scopes.contains(where: grant.scope.allows) else { throw Problem.forbidden(scopes.first ?? .manage) }
        return grant
    }

    func grant(
        _ key: String, in lookups: KeyLookups, _ request: Request, _ context: CollectorContext
    ) async throws -> APIKeyGrant? {
        let grant = try await lookups.cache.grant(for: key) { hash in
            let address = address(request, context)
            return try await lookups.grant(hash, from: address, isExempt: rates.isExempt(address))
        }
        if grant == nil { try rates.chargeFailure(from: address(request, context)) }
        return grant
    }

    /// Returns the key of `Bearer KEY`, or the user name of Basic, for clients that support nothing else.
    static func key(_ header: String?) -> String? {
        // By bytes, which takes a fraction of the time, and first as nearly all clients write it: each request asks this.
        if let header, header.hasPrefix("Bearer ") {
            let key = header.utf8.dropFirst("Bearer ".utf8.count)
            if !key.isEmpty, !key.contains(UInt8(ascii: " ")) { return String(Substring(key)) }
        }
        guard let words = header?.utf8.split(separator: UInt8(ascii: " ")), words.count == 2 else { return nil }
        let value = String(Substring(words[1]))
        switch Substring(words[0]).lowercased() {
        case "bearer": return value
        case "basic":
            guard let data = Data(base64Encoded: value) else { return nil }
            let user = String(lenient: data).prefix { $0 != ":" }
            return user.isEmpty ? nil : String(user)
        default: return nil
        }
    }
}

/// An admitted request: what its key grants, the address of its client, and on whose account it uses resources.
struct AuthenticatedRequest: Sendable {
    let grant: APIKeyGrant
    let address: ClientAddress
    let client: ResourceClient
}
