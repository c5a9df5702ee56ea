/// Caches the receipt secrets of apps.
///
/// As with API keys, new and retired secrets are noticed within twice `freshness`. While the database is unavailable,
/// cached secrets remain valid for `maximumStaleness`.
package actor ReceiptSecretCache {
    /// Returns the secrets of an app, starting with the one to sign with.
    package typealias Find = @Sendable (_ appID: Int32) async throws -> [[UInt8]]

    private struct Entry {
        let bytes: [[UInt8]]
        let secrets: [ReceiptSecret]
        let foundAt: ContinuousClock.Instant
    }

    private let find: Find
    private let freshness: Duration
    private let maximumStaleness: Duration
    private var entries: [Int32: Entry] = [:]
    /// The apps whose secrets are being queried.
    private var pendingQueries: Set<Int32> = []

    package init(freshness: Duration = .seconds(1), maximumStaleness: Duration = .seconds(3_600), find: @escaping Find)
    {
        self.find = find
        self.freshness = freshness
        self.maximumStaleness = maximumStaleness
    }

    /// Returns the app's secrets, starting with the one to sign with, or an empty array if it has none.
    ///
    /// - Throws: the error of `find`, if the app's secrets are not cached.
    package func secrets(ofApp id: Int32) async throws -> [ReceiptSecret] {
        let cached = self.entries[id]
        if let cached, cached.foundAt.duration(to: .now) < self.freshness { return cached.secrets }
        // One query at a time; meanwhile others use the cached secrets.
        if let cached, self.pendingQueries.contains(id), cached.foundAt.duration(to: .now) < self.maximumStaleness {
            return cached.secrets
        }
        self.pendingQueries.insert(id)
        defer { self.pendingQueries.remove(id) }
        let bytes: [[UInt8]]
        do {
            bytes = try await self.find(id)
        } catch {
            guard let cached, cached.foundAt.duration(to: .now) < self.maximumStaleness else { throw error }
            return cached.secrets
        }
        return try await self.remember(bytes, ofApp: id)
    }

    private func remember(_ bytes: [[UInt8]], ofApp id: Int32) async throws -> [ReceiptSecret] {
        var secrets: [ReceiptSecret] = []
        if let cached = self.entries[id], cached.bytes == bytes {
            secrets = cached.secrets
        } else {
            for bytes in bytes { secrets.append(try await ReceiptSecret(bytes)) }
        }
        self.entries[id] = Entry(bytes: bytes, secrets: secrets, foundAt: .now)
        return secrets
    }
}
