package import Dialects

/// Caches what apps have set for dialects.
///
/// A change is noticed within twice `freshness`. While the database is unavailable, the settings that were read last
/// remain valid.
package actor DialectConfigurationCache {
    package typealias Find = @Sendable (_ appID: Int32) async throws -> DialectConfiguration

    private struct Entry {
        let configuration: DialectConfiguration
        let foundAt: ContinuousClock.Instant
    }

    private let find: Find
    private let freshness: Duration
    private var entries: [Int32: Entry] = [:]
    /// The apps whose settings are being read.
    private var pending: Set<Int32> = []

    package init(freshness: Duration = .seconds(1), find: @escaping Find) {
        self.find = find
        self.freshness = freshness
    }

    /// Returns what an app has set, or `nil` if it was never read and the database is unavailable.
    func configuration(ofApp id: Int32) async -> DialectConfiguration? {
        let cached = self.entries[id]
        if let cached, cached.foundAt.duration(to: .now) < self.freshness || self.pending.contains(id) {
            return cached.configuration
        }
        self.pending.insert(id)
        defer { self.pending.remove(id) }
        guard let found = try? await self.find(id) else { return cached?.configuration }
        self.entries[id] = Entry(configuration: found, foundAt: .now)
        return found
    }
}
