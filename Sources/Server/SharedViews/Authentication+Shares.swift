import Events
import Hummingbird
import Ingest

// Requests by links that share a view.
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
        guard let grant = try await grant(token, in: shares.lookups, request, context),
            let access = try await shares.cache.access(token, of: grant)
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
