/// The receipt secrets of the apps that were asked for lately.
///
/// As with keys: a secret that was made or retired is known within `freshness`, and while the database is away the ones
/// that were good keep being good for `patience`.
package actor ReceiptRing {
    /// Finds the secrets that receipts of an app verify with, the one to sign with first.
    package typealias Find = @Sendable (_ appID: Int32) async throws -> [[UInt8]]

    private struct Entry {
        let bytes: [[UInt8]]
        let secrets: [ReceiptSecret]
        var foundAt: ContinuousClock.Instant
    }

    private let find: Find
    private let freshness: Duration
    private let patience: Duration
    private var entries: [Int32: Entry] = [:]

    package init(freshness: Duration = .seconds(2), patience: Duration = .seconds(3_600), find: @escaping Find) {
        self.find = find
        self.freshness = freshness
        self.patience = patience
    }

    /// The app's secrets, the one to sign with first; none if it has none.
    ///
    /// - Throws: what `find` throws for an app that was not asked for lately.
    package func secrets(ofApp id: Int32) async throws -> [ReceiptSecret] {
        let known = self.entries[id]
        if let known, known.foundAt.duration(to: .now) < self.freshness { return known.secrets }
        let bytes: [[UInt8]]
        do {
            bytes = try await self.find(id)
        } catch {
            guard let known, known.foundAt.duration(to: .now) < self.patience else { throw error }
            return known.secrets
        }
        if let known, known.bytes == bytes {
            self.entries[id] = Entry(bytes: bytes, secrets: known.secrets, foundAt: .now)
            return known.secrets
        }
        var secrets: [ReceiptSecret] = []
        for bytes in bytes { secrets.append(try await ReceiptSecret(bytes)) }
        self.entries[id] = Entry(bytes: bytes, secrets: secrets, foundAt: .now)
        return secrets
    }
}
