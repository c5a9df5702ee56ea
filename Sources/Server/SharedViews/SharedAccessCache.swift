import Ingest

/// What links grant, cached so that not every request queries the database.
struct SharedAccessCache: Sendable {
    private let store: any ShareStore
    let cache: APIKeyCache

    init(_ store: any ShareStore) {
        self.store = store
        // As for sessions, because there is nothing to read while the database is unavailable.
        cache = APIKeyCache(maximumStaleness: .seconds(60)) { hashes, app in
            try await store.find(hashes, of: app).mapValues(\.grant)
        }
    }

    /// Returns the link as the database has it, or `nil` if it has ended.
    func access(_ token: String, of grant: APIKeyGrant) async throws -> SharedAccess? {
        let hash = APIKeyCache.hash(of: token)
        let access = try await store.find([hash], of: grant.appID)[hash]
        if access == nil { cache.forget(token) }
        return access
    }
}
