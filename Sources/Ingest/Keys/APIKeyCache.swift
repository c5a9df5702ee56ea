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
    /// Returns what the keys with these SHA-256 hashes grant; keys that are not valid are left out. They are looked up on
    /// account of an app, if it is known whose they are.
    package typealias Find = @Sendable (_ hashes: [[UInt8]], _ app: Int32?) async throws -> [[UInt8]: APIKeyGrant]

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
    /// - Parameter findNew: looks up the hash of a key that was never found valid, or not for long, such as `grants(of:)`.
    /// - Throws: the error of the lookup, if the key is not cached.
    package func grant(
        for key: String, findNew: (_ hash: [UInt8]) async throws -> APIKeyGrant?
    ) async throws -> APIKeyGrant? {
        let hash = Self.hash(of: key)
        switch state.withLock({ $0.lookUp(hash, at: .now) }) {
        case .cached(let grant):
            metrics.keyLookups.add(1, .remembered)
            return grant
        case .query(let last):
            do {
                return try await query([hash], of: last?.appID)[hash]
            } catch {
                metrics.keyLookups.add(1, last == nil ? .failed : .trusted)
                guard let last else { throw error }
                return last
            }
        case .confirm(let last):
            do {
                return try await findNew(hash)
            } catch {
                metrics.keyLookups.add(1, .trusted)
                return last
            }
        case .neverVerified:
            return try await findNew(hash)
        }
    }

    /// Returns what the keys with these hashes grant, by one query; keys that are not valid are left out.
    package func grants(of hashes: [[UInt8]]) async throws -> [[UInt8]: APIKeyGrant] {
        do {
            return try await query(hashes, of: nil)
        } catch {
            metrics.keyLookups.add(hashes.count, .failed)
            throw error
        }
    }

    private func query(_ hashes: [[UInt8]], of app: Int32?) async throws -> [[UInt8]: APIKeyGrant] {
        let grants = try await find(hashes, app)
        metrics.keyLookups.add(grants.count, .found)
        metrics.keyLookups.add(hashes.count - grants.count, .unknown)
        state.withLock { state in
            for hash in hashes { state.remember(grants[hash], hash, at: .now) }
        }
        return grants
    }

    /// Marks a key as invalid after its owner has revoked it.
    package func forget(_ key: String) {
        let hash = Self.hash(of: key)
        state.withLock { $0.remember(nil, hash, at: .now) }
    }

    /// Returns the SHA-256 hash under which a key is stored.
    package static func hash(of key: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(key.utf8)))
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
    /// The key of the app's event IDs; empty for the session of a browser, which can only read.
    package let eventIDKey: EventIDKey
    /// The only view that the holder of a link may read; `nil` for keys and sessions.
    package let sharedView: String?

    package init(
        keyID: Int32, appID: Int32, appName: String, scope: Scope, requiresReceipt: Bool = false,
        eventIDKey: EventIDKey = EventIDKey([]), sharedView: String? = nil
    ) {
        self.keyID = keyID
        self.appID = appID
        self.appName = appName
        self.scope = scope
        self.requiresReceipt = requiresReceipt
        self.eventIDKey = eventIDKey
        self.sharedView = sharedView
    }
}
