import Events
import Hummingbird
import Ingest

// Requests by links that share a view, and changes by readers.
extension Authentication {
    /// Returns what the holder of a link may read, or otherwise what `reader` returns.
    ///
    /// The caller must hold each request against the grant's `sharedView`. Only the routes that do so call this function;
    /// to all others, the token of a link is an unknown key.
    func viewer(_ request: Request, _ context: CollectorContext) async throws -> APIKeyGrant {
        guard let token = Self.shareToken(of: request) else { return try await reader(request, context) }
        guard let grant = try await grant(token, in: shares.lookups, request, context) else { throw Problem.shareEnded }
        return grant
    }

    /// Returns the link of a request as the database has it.
    func sharedAccess(_ request: Request, _ context: CollectorContext) async throws -> SharedAccess {
        // Invented tokens are limited like unknown keys.
        guard let token = Self.shareToken(of: request) else { throw Problem.unauthorized }
        guard try await grant(token, in: shares.lookups, request, context) != nil,
            let access = try await shares.cache.access(token)
        else { throw Problem.shareEnded }
        return access
    }

    private static func shareToken(of request: Request) -> String? {
        let words = request.headers[.authorization]?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer", words[1].hasPrefix(ShareToken.prefix) else {
            return nil
        }
        return String(words[1])
    }

    /// Admits a request that changes what readers may change, by its key or by the session of one of the server's own
    /// pages.
    ///
    /// A session's cookie comes along whoever causes a request. So a session counts only if the browser says that the
    /// request comes from a page of this server, and a body must have a type that pages of other sites can't send.
    func admitReader(_ request: Request, _ context: CollectorContext) async throws -> AuthenticatedRequest {
        guard request.headers[.authorization] == nil, let token = cookie(of: request, context).token(of: request) else {
            return try await admit(request, context, anyOf: [.read])
        }
        let isNamed = request.headers[.fetchSite] != nil || request.headers[.origin] != nil
        guard isNamed, SameOrigin.holds(request.headers, authority: request.head.authority) else {
            throw Problem.otherOrigin
        }
        let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard request.method == .delete || type == "application/json" else { throw Problem.unsupportedMediaType }
        guard let grant = try await grant(token, in: sessions, request, context) else { throw Problem.unauthorized }
        return try admit(try Self.checked(grant, [.read]), request, context)
    }
}

/// The links, and the queue of those that were never found valid.
struct ShareLookups: Sendable {
    let cache: SharedAccessCache
    let lookups: KeyLookups

    init(_ store: any ShareStore) {
        cache = SharedAccessCache(store)
        lookups = KeyLookups(cache.cache)
    }
}
