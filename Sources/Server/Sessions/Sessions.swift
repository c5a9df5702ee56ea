import Ingest
import Receipts

/// The sessions of browsers. A cookie contains the session's token, of which only a hash is stored.
struct Sessions: Sendable {
    private let store: any SessionStore
    /// The cached sessions, so that not every request queries the database.
    let cache: APIKeyCache

    init(_ store: any SessionStore) {
        self.store = store
        // Shorter than for keys, because there is nothing to read while the database is unavailable.
        cache = APIKeyCache(maximumStaleness: .seconds(60)) { hashes, app in
            try await store.find(hashes, of: app).mapValues(\.grant)
        }
    }

    var lifetime: Duration { store.lifetime }

    /// Starts a session and returns its token, or `nil` if the key is no longer valid.
    func begin(_ grant: APIKeyGrant) async throws -> String? {
        let token = RandomToken.make()
        return try await store.begin(APIKeyCache.hash(of: token), of: grant) == nil ? nil : token
    }

    /// Returns the session as the database has it, or `nil` if it has ended.
    func session(_ token: String, of grant: APIKeyGrant) async throws -> Session? {
        let hash = APIKeyCache.hash(of: token)
        let session = try await store.find([hash], of: grant.appID)[hash]
        if session == nil { cache.forget(token) }
        return session
    }

    /// Ends a session: on return for this collector, and within two seconds for others.
    func end(_ token: String, of grant: APIKeyGrant) async throws {
        try await store.end(APIKeyCache.hash(of: token), of: grant.appID)
        cache.forget(token)
    }
}

/// A token that can't be guessed: 32 random bytes as base64url.
enum RandomToken {
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
