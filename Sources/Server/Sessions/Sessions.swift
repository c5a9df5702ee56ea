import Ingest
import Receipts

/// The sessions of browsers. One is known by a token in a cookie, of which only a hash is stored.
struct Sessions: Sendable {
    private let store: any SessionStore
    /// Remembers them as keys are remembered, so that not every request asks the database.
    let cache: APIKeyCache

    init(_ store: any SessionStore) {
        self.store = store
        // Not for as long as keys: while the database is away there is nothing to read.
        cache = APIKeyCache(maximumStaleness: .seconds(60)) { hash in try await store.find(hash)?.grant }
    }

    var lifetime: Duration { store.lifetime }

    /// The token of a new session; nil if the key is not good any more.
    func begin(_ grant: APIKeyGrant) async throws -> String? {
        let token = RandomToken.make()
        return try await store.begin(APIKeyCache.hash(of: token), keyID: grant.keyID) == nil ? nil : token
    }

    /// The session itself, asked of the database.
    func session(_ token: String) async throws -> Session? {
        let session = try await store.find(APIKeyCache.hash(of: token))
        if session == nil { cache.forget(token) }
        return session
    }

    /// From its return on the session is good for nothing here, and within two seconds with other collectors.
    func end(_ token: String) async throws {
        try await store.end(APIKeyCache.hash(of: token))
        cache.forget(token)
    }
}

/// 32 random bytes as base64url: not guessable.
enum RandomToken {
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
