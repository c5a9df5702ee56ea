import Events
import Foundation
import HTTPTransport
import Hummingbird
import Ingest

/// Finds out whose request it is.
struct Authentication: Sendable {
    let keys: APIKeyCache
    let sessions: Sessions
    let rates: RateLimiter
    let clients: ClientFinder

    /// Returns what the request's key grants, if that allows one of the scopes.
    ///
    /// An address that sends many unknown keys is rate-limited, because each of them costs a database query.
    func grant(_ request: Request, _ context: CollectorContext, anyOf scopes: [Scope]) async throws -> APIKeyGrant {
        guard let key = Self.key(request.headers[.authorization]),
            let grant = try await grant(key, in: keys, request, context)
        else { throw Problem.unauthorized }
        return try Self.checked(grant, scopes)
    }

    /// What lets a request read: its key, or the session of the browser that asks. Sessions change nothing, so other
    /// sites can't have anything changed by a browser that is signed in.
    func reader(
        _ request: Request, _ context: CollectorContext, anyOf scopes: [Scope] = [.read]
    ) async throws -> APIKeyGrant {
        guard request.headers[.authorization] == nil, request.method == .get || request.method == .head,
            let token = SessionCookie.token(of: request)
        else { return try await grant(request, context, anyOf: scopes) }
        guard let grant = try await grant(token, in: sessions.cache, request, context) else {
            throw Problem.unauthorized
        }
        return try Self.checked(grant, scopes)
    }

    /// Returns what a key grants that was typed into a form; nil if the key is unknown or revoked.
    func grant(ofKey key: String, _ request: Request, _ context: CollectorContext) async throws -> APIKeyGrant? {
        try await grant(key, in: keys, request, context)
    }

    /// Lets a request in that may add something, as far as its key's scope and rate go.
    func admit(_ request: Request, _ context: CollectorContext, anyOf scopes: [Scope]) async throws
        -> AuthenticatedRequest
    {
        let admission = AuthenticatedRequest(
            grant: try await grant(request, context, anyOf: scopes), address: address(request, context))
        try rates.admit(admission.grant, from: admission.address)
        return admission
    }

    /// Where the request comes from, as far as rates go.
    private func address(_ request: Request, _ context: CollectorContext) -> ClientAddress {
        clients.address(peer: context.peer, request.headers)
    }

    private static func checked(_ grant: APIKeyGrant, _ scopes: [Scope]) throws -> APIKeyGrant {
        guard scopes.contains(where: grant.scope.allows) else { throw Problem.forbidden(scopes.first ?? .manage) }
        return grant
    }

    private func grant(
        _ key: String, in cache: APIKeyCache, _ request: Request, _ context: CollectorContext
    ) async throws -> APIKeyGrant? {
        if cache.knows(key) { return try await cache.grant(for: key) }
        let address = address(request, context)
        try rates.admitStranger(from: address)
        let grant = try await cache.grant(for: key)
        if grant != nil { rates.welcome(from: address) }
        return grant
    }

    /// The key of `Bearer KEY`, or the user name of Basic, for clients that know nothing else.
    static func key(_ header: String?) -> String? {
        guard let words = header?.split(separator: " "), words.count == 2 else { return nil }
        let value = String(words[1])
        switch words[0].lowercased() {
        case "bearer": return value
        case "basic":
            guard let data = Data(base64Encoded: value) else { return nil }
            let user = String(decoding: data, as: UTF8.self).prefix { $0 != ":" }
            return user.isEmpty ? nil : String(user)
        default: return nil
        }
    }
}

/// A request that was let in: whose it is, and where it comes from.
struct AuthenticatedRequest: Sendable {
    let grant: APIKeyGrant
    let address: ClientAddress
}
