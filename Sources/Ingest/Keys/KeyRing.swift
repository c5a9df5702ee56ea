import Crypto
import Foundation
import Instruments

/// The keys that were shown lately, so that not every request asks the database.
///
/// A key that was revoked is good for `freshness` at most. While the database is away, a key that was good keeps being
/// good for `patience`, so that its events can still be taken where they can be made durable.
package actor KeyRing {
    /// Finds what the key with a SHA-256 stands for; nil if there is no such key.
    package typealias Find = @Sendable (_ hash: [UInt8]) async throws -> KeyGrant?

    private struct Entry {
        let grant: KeyGrant?
        let foundAt: ContinuousClock.Instant
    }

    private let find: Find
    private let metrics: IngestMetrics
    private let freshness: Duration
    private let patience: Duration
    private let capacity: Int
    private var entries: [[UInt8]: Entry] = [:]

    package init(
        freshness: Duration = .seconds(2), patience: Duration = .seconds(3_600), capacity: Int = 10_000,
        metrics: IngestMetrics = IngestMetrics(), find: @escaping Find
    ) {
        self.find = find
        self.metrics = metrics
        self.freshness = freshness
        self.patience = patience
        self.capacity = capacity
    }

    /// What a key stands for; nil if it is not good.
    ///
    /// - Throws: what `find` throws for a key that was not good lately.
    package func grant(for key: String) async throws -> KeyGrant? {
        let hash = Self.hash(of: key)
        let known = self.entries[hash]
        if let known, known.foundAt.duration(to: .now) < self.freshness {
            self.metrics.keyLookups.add(1, .remembered)
            return known.grant
        }
        do {
            let grant = try await self.find(hash)
            self.metrics.keyLookups.add(1, grant == nil ? .unknown : .found)
            self.remember(Entry(grant: grant, foundAt: .now), hash)
            return grant
        } catch {
            guard let known, known.grant != nil, known.foundAt.duration(to: .now) < self.patience else {
                self.metrics.keyLookups.add(1, .failed)
                throw error
            }
            self.metrics.keyLookups.add(1, .trusted)
            return known.grant
        }
    }

    /// SHA-256 of a key: what is stored of it.
    package static func hash(of key: String) -> [UInt8] {
        Array(SHA256.hash(data: Data(key.utf8)))
    }

    private func remember(_ entry: Entry, _ hash: [UInt8]) {
        // Made-up keys must not fill the memory; those that are good come back with their next request.
        if self.entries.count >= self.capacity { self.entries.removeAll(keepingCapacity: true) }
        self.entries[hash] = entry
    }
}
