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
        var failures: BucketTable<ClientAddress>?
    }

    private let exempt: AddressList
    private let tables: Mutex<Tables>

    /// Creates a limiter with full buckets.
    ///
    /// - Parameter exempt: addresses to which only the limit per key applies.
    init(_ limits: RateLimits, exempt: AddressList) {
        self.exempt = exempt
        tables = Mutex(
            Tables(
                senders: BucketTable(limits.rate(limits.perKeyAndAddress)),
                keys: BucketTable(limits.rate(limits.perKey)),
                failures: BucketTable(limits.rate(limits.failuresPerAddress))))
    }

    /// Admits a request and charges it for one event.
    ///
    /// - Throws: 429 if the key has exceeded its rate, from this address or in total.
    func admit(_ grant: APIKeyGrant, from address: ClientAddress, at now: ContinuousClock.Instant = .now)
        throws(Problem)
    {
        try throwIfLimited(
            tables.withLock { tables in
                let sender = Sender(keyID: grant.keyID, address: address.subscriber)
                if !isExempt(address), let wait = tables.senders?.take(1, from: sender, at: now) { return wait }
                guard let wait = tables.keys?.take(1, from: grant.keyID, at: now) else { return nil }
                tables.senders?.charge(-1, to: sender, at: now)
                return wait
            })
    }

    /// Charges the further events of an admitted request.
    func charge(
        _ events: Int, _ grant: APIKeyGrant, from address: ClientAddress, at now: ContinuousClock.Instant = .now
    ) {
        guard events > 1 else { return }
        tables.withLock { tables in
            if !isExempt(address) {
                let sender = Sender(keyID: grant.keyID, address: address.subscriber)
                tables.senders?.charge(Double(events - 1), to: sender, at: now)
            }
            tables.keys?.charge(Double(events - 1), to: grant.keyID, at: now)
        }
    }

    /// Charges an address for a key that turned out to be unknown.
    ///
    /// - Throws: 429 if the address has sent more of them than it may.
    func chargeFailure(from address: ClientAddress, at now: ContinuousClock.Instant = .now) throws(Problem) {
        guard !isExempt(address) else { return }
        try throwIfLimited(tables.withLock { $0.failures?.take(1, from: address.subscriber, at: now) })
    }

    /// Whether limits per address don't apply to an address.
    func isExempt(_ address: ClientAddress) -> Bool { exempt.contains(address) }

    private func throwIfLimited(_ wait: Duration?) throws(Problem) {
        if let wait { throw .rateLimited(retryAfter: max(1, Int((wait / .seconds(1)).rounded(.up)))) }
    }
}

/// The rate limits per key and per address.
///
/// | property | meaning |
/// | --- | --- |
/// | `perKeyAndAddress` | events per second with one key from one address; 0 means no limit |
/// | `perKey` | events per second with one key; 0 means no limit |
/// | `burst` | size of a burst, in seconds of the rate |
/// | `failuresPerAddress` | unknown keys per second from one address that get 401 and not 429; 0 means no limit |
///
/// The limit per key and address applies first and is the smaller one, so that no device can use up its app's limit.
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
