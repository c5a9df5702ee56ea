import Ingest
import Synchronization

/// The tokens in addresses that sign in once without a key. The demo prints such an address.
package final class LoginTokens: Sendable {
    private struct Entry {
        let key: String
        let until: ContinuousClock.Instant
    }

    private let entries = Mutex<[[UInt8]: Entry]>([:])

    package init() {}

    /// Returns a token that can be exchanged for the key once, within its lifetime.
    package func issue(
        for key: String, lifetime: Duration = .seconds(900), now: ContinuousClock.Instant = .now
    ) -> String {
        let token = RandomToken.make()
        entries.withLock { entries in
            entries = entries.filter { $0.value.until > now }
            entries[APIKeyCache.hash(of: token)] = Entry(key: key, until: now + lifetime)
        }
        return token
    }

    /// Invalidates a token and returns its key, or `nil` if the token is unknown or has expired.
    func take(_ token: String, now: ContinuousClock.Instant = .now) -> String? {
        let entry = entries.withLock { $0.removeValue(forKey: APIKeyCache.hash(of: token)) }
        return entry.flatMap { $0.until > now ? $0.key : nil }
    }
}
