import HTTPTransport
import Ingest
import Synchronization

/// Limits the rate of every sender with token buckets.
final class RateLimiter: Sendable {
    private struct Sender: Hashable {
        let keyID: Int32
        let address: ClientAddress
    }

    private struct Tables {
        var senders: BucketTable<Sender>?
        var keys: BucketTable<Int32>?
        var strangers: BucketTable<ClientAddress>?
    }

    private let exempt: AddressList
    private let tables: Mutex<Tables>

    /// - Parameter exempt: addresses that have no rate of their own; a key's is for all.
    init(_ limits: RateLimits, exempt: AddressList) {
        self.exempt = exempt
        tables = Mutex(
            Tables(
                senders: BucketTable(limits.rate(limits.perKeyAndAddress)),
                keys: BucketTable(limits.rate(limits.perKey)),
                strangers: BucketTable(limits.rate(limits.failuresPerAddress))))
    }

    /// Lets a request pass, for one event so far.
    ///
    /// - Throws: 429 if the key has used up its rate, from this address or in all.
    func admit(_ grant: APIKeyGrant, from address: ClientAddress, at now: ContinuousClock.Instant = .now)
        throws(Problem)
    {
        try wait(
            tables.withLock { tables in
                let sender = Sender(keyID: grant.keyID, address: address.subscriber)
                if !exempt.contains(address), let wait = tables.senders?.take(1, from: sender, at: now) { return wait }
                guard let wait = tables.keys?.take(1, from: grant.keyID, at: now) else { return nil }
                tables.senders?.charge(-1, to: sender, at: now)
                return wait
            })
    }

    /// Charges the events of a request that was admitted.
    func charge(
        _ events: Int, _ grant: APIKeyGrant, from address: ClientAddress, at now: ContinuousClock.Instant = .now
    ) {
        guard events > 1 else { return }
        tables.withLock { tables in
            if !exempt.contains(address) {
                let sender = Sender(keyID: grant.keyID, address: address.subscriber)
                tables.senders?.charge(Double(events - 1), to: sender, at: now)
            }
            tables.keys?.charge(Double(events - 1), to: grant.keyID, at: now)
        }
    }

    /// Charges an address for a lookup of an unknown key.
    func admitStranger(from address: ClientAddress, at now: ContinuousClock.Instant = .now) throws(Problem) {
        guard !exempt.contains(address) else { return }
        try wait(tables.withLock { $0.strangers?.take(1, from: address.subscriber, at: now) })
    }

    /// The key was good after all.
    func welcome(from address: ClientAddress, at now: ContinuousClock.Instant = .now) {
        guard !exempt.contains(address) else { return }
        tables.withLock { $0.strangers?.charge(-1, to: address.subscriber, at: now) }
    }

    private func wait(_ time: Duration?) throws(Problem) {
        if let time { throw .rateLimited(retryAfter: max(1, Int((time / .seconds(1)).rounded(.up)))) }
    }
}

/// How much is taken from whom.
///
/// | property | meaning |
/// | --- | --- |
/// | `perKeyAndAddress` | events a second with one key from one address; 0 is no bound |
/// | `perKey` | events a second with one key; 0 is no bound |
/// | `burst` | size of a burst, in seconds of the rate |
/// | `failuresPerAddress` | unknown keys a second from one address; 0 is no bound |
///
/// The limit of a key and an address comes first, and is the smaller one, so that no device can use up its app's.
package struct RateLimits: Sendable {
    package var perKeyAndAddress = 5_000
    package var perKey = 0
    package var burst = 10
    package var failuresPerAddress = 10

    package init() {}

    func rate(_ perSecond: Int) -> TokenBucket.Rate? {
        perSecond > 0 ? .init(perSecond: Double(perSecond), burst: Double(perSecond * max(1, burst))) : nil
    }
}
