/// The receipt secrets of the apps that were asked for lately.
///
/// As with keys: what was made or retired is known within twice `freshness` while the database answers, and while the database is away the ones
/// that were good keep being good for `maximumStaleness`.
package actor ReceiptSecretCache {
    /// Finds the secrets that receipts of an app verify with, the one to sign with first.
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
    /// The apps whose secrets are being asked for.
    private var asked: Set<Int32> = []

    package init(freshness: Duration = .seconds(1), maximumStaleness: Duration = .seconds(3_600), find: @escaping Find)
    {
        self.find = find
        self.freshness = freshness
        self.maximumStaleness = maximumStaleness
    }

    /// The app's secrets, the one to sign with first; none if it has none.
    ///
    /// - Throws: what `find` throws for an app that was not asked for lately.
    package func secrets(ofApp id: Int32) async throws -> [ReceiptSecret] {
        let known = self.entries[id]
        if let known, known.foundAt.duration(to: .now) < self.freshness { return known.secrets }
        // One question at a time; meanwhile what was known will do.
        if let known, self.asked.contains(id), known.foundAt.duration(to: .now) < self.maximumStaleness {
            return known.secrets
        }
        self.asked.insert(id)
        defer { self.asked.remove(id) }
        let bytes: [[UInt8]]
        do {
            bytes = try await self.find(id)
        } catch {
            guard let known, known.foundAt.duration(to: .now) < self.maximumStaleness else { throw error }
            return known.secrets
        }
        return try await self.remember(bytes, ofApp: id)
    }

    private func remember(_ bytes: [[UInt8]], ofApp id: Int32) async throws -> [ReceiptSecret] {
        var secrets: [ReceiptSecret] = []
        if let known = self.entries[id], known.bytes == bytes {
            secrets = known.secrets
        } else {
            for bytes in bytes { secrets.append(try await ReceiptSecret(bytes)) }
        }
        self.entries[id] = Entry(bytes: bytes, secrets: secrets, foundAt: .now)
        return secrets
    }
}
