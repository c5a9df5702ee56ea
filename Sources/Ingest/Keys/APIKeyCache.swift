import Crypto
import Foundation
import Instruments
import Synchronization

/// The keys that were shown lately, so that not every request asks the database.
///
/// A key that was revoked is good for twice `freshness` at most. While the database is away, a key that was good keeps
/// being good for `maximumStaleness`, so that its events can still be taken where they can be made durable.
package final class APIKeyCache: Sendable {
    /// Finds what the key with a SHA-256 stands for; nil if there is no such key.
    package typealias Find = @Sendable (_ hash: [UInt8]) async throws -> APIKeyGrant?

    private let find: Find
    private let metrics: IngestMetrics
    private let memory: Mutex<APIKeyCacheState>

    package init(
        freshness: Duration = .seconds(1), maximumStaleness: Duration = .seconds(3_600), capacity: Int = 10_000,
        metrics: IngestMetrics = IngestMetrics(), find: @escaping Find
    ) {
        self.find = find
        self.metrics = metrics
        memory = Mutex(APIKeyCacheState(freshness: freshness, maximumStaleness: maximumStaleness, capacity: capacity))
    }

    /// What a key stands for; nil if it is not good.
    ///
    /// - Throws: what `find` throws for a key that was not good lately.
    package func grant(for key: String) async throws -> APIKeyGrant? {
        let hash = Self.hash(of: key)
        switch memory.withLock({ $0.look(hash, at: .now) }) {
        case .known(let grant):
            metrics.keyLookups.add(1, .remembered)
            return grant
        case .ask(let last):
            do {
                let grant = try await find(hash)
                metrics.keyLookups.add(1, grant == nil ? .unknown : .found)
                memory.withLock { $0.remember(grant, hash, at: .now) }
                return grant
            } catch {
                metrics.keyLookups.add(1, last == nil ? .failed : .trusted)
                guard let last else { throw error }
                return last
            }
        }
    }

    /// Whether a key was good lately, so that showing it costs no question.
    package func knows(_ key: String) -> Bool {
        let hash = Self.hash(of: key)
        return memory.withLock { $0.knows(hash, at: .now) }
    }

    /// The key is good no more, and whoever says so has had it ended.
    package func forget(_ key: String) {
        let hash = Self.hash(of: key)
        memory.withLock { $0.remember(nil, hash, at: .now) }
    }

    /// SHA-256 of a key: what is stored of it.
    package static func hash(of key: String) -> [UInt8] {
        Array(SHA256.hash(data: Data(key.utf8)))
    }
}
