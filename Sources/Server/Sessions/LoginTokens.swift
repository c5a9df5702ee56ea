import Ingest
import Synchronization

/// Tokens in addresses that sign in once, in place of a key: for the demo, which prints such an address.
package final class LoginTokens: Sendable {
    private struct Entry {
        let key: String
        let until: ContinuousClock.Instant
    }

    private let entries = Mutex<[[UInt8]: Entry]>([:])

    package init() {}

    /// A token that is good for a key, once and for a while.
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

    /// Redeems a token: returns its key and invalidates the token.
    func take(_ token: String, now: ContinuousClock.Instant = .now) -> String? {
        let entry = entries.withLock { $0.removeValue(forKey: APIKeyCache.hash(of: token)) }
        return entry.flatMap { $0.until > now ? $0.key : nil }
    }
}
