import Crypto
package import Events
import Foundation
import Instruments
import Synchronization

/// Caches API keys, so that not every request queries the database.
///
/// A revoked key is accepted for at most twice `freshness`. While the database is unavailable, a cached key remains valid
/// for `maximumStaleness`, so that its events can still be accepted into the spool.
package final class APIKeyCache: Sendable {
    /// Returns the grant of the key with a SHA-256 hash, or `nil` if there is no such key.
    package typealias Find = @Sendable (_ hash: [UInt8]) async throws -> APIKeyGrant?

    private let find: Find
    private let metrics: IngestMetrics
    private let state: Mutex<APIKeyCacheState>

    package init(
        freshness: Duration = .seconds(1), maximumStaleness: Duration = .seconds(3_600), capacity: Int = 10_000,
        metrics: IngestMetrics = IngestMetrics(), find: @escaping Find
    ) {
        self.find = find
        self.metrics = metrics
        state = Mutex(APIKeyCacheState(freshness: freshness, maximumStaleness: maximumStaleness, capacity: capacity))
    }

    /// Returns the grant of a key, or `nil` if the key is not valid.
    ///
    /// - Throws: the error of `find`, if the key is not cached.
    package func grant(for key: String) async throws -> APIKeyGrant? {
        let hash = Self.hash(of: key)
        switch state.withLock({ $0.lookUp(hash, at: .now) }) {
        case .cached(let grant):
            metrics.keyLookups.add(1, .remembered)
            return grant
        case .query(let last):
            do {
                let grant = try await find(hash)
                metrics.keyLookups.add(1, grant == nil ? .unknown : .found)
                state.withLock { $0.remember(grant, hash, at: .now) }
                return grant
            } catch {
                metrics.keyLookups.add(1, last == nil ? .failed : .trusted)
                guard let last else { throw error }
                return last
            }
        }
    }

    /// Whether a key is cached as valid, so that looking it up needs no query.
    package func knows(_ key: String) -> Bool {
        let hash = Self.hash(of: key)
        return state.withLock { $0.knows(hash, at: .now) }
    }

    /// Marks a key as invalid after its owner has revoked it.
    package func forget(_ key: String) {
        let hash = Self.hash(of: key)
        state.withLock { $0.remember(nil, hash, at: .now) }
    }

    /// Returns the SHA-256 hash under which a key is stored.
    package static func hash(of key: String) -> [UInt8] {
        Array(SHA256.hash(data: Data(key.utf8)))
    }
}

/// The app and the scope that an API key grants.
package struct APIKeyGrant: Sendable, Hashable {
    package let keyID: Int32
    package let appID: Int32
    package let appName: String
    package let scope: Scope
    /// Whether the app's devices need a receipt for events of deliveries.
    package let requiresReceipt: Bool

    package init(keyID: Int32, appID: Int32, appName: String, scope: Scope, requiresReceipt: Bool = false) {
        self.keyID = keyID
        self.appID = appID
        self.appName = appName
        self.scope = scope
        self.requiresReceipt = requiresReceipt
    }
}
