import Events
package import HTTPTransport
import Ingest
import Instruments
import Logging

/// The memory for the bodies of all requests, and the shares of it.
///
/// A body takes memory as it arrives, decompressed, and keeps it until its events are stored.
///
/// | holder | share of the memory while no other holder has any |
/// | --- | --- |
/// | all public clients: ingest keys, and log-ins without a key | 7/8, so that secret keys have a reserve |
/// | a key | 1/2 |
/// | an address of a public client, unless it is exempt | 1/8, with one key as with several |
///
/// No share is smaller than one body, or large bodies could never be sent. The addresses that use a key divide its share
/// among them, so that a few of them can't take all of it. An eighth of that share is reserved for small bodies.
///
/// In normal operation the shares are far away. A body stays in memory for the milliseconds that a commit takes, so
/// 10,000 events per second of 400 bytes hold about 80 KB. Most is held while PostgreSQL hangs, until the spool takes
/// over after 4 seconds. An address that sends 5,000 events per second, the default rate limit, then holds 8 MB, which
/// is its share of 64 MiB. A key that sends 20,000 per second holds 32 MB, which is its share. That is also about as
/// much as the queue of 50,000 events takes.
package final class BodyMemory: Sendable {
    /// A body that any client should be able to send: the largest event.
    private static let ordinaryBody = 32 * 1024

    /// What an address can have even if others use most of its key's share: about forty events.
    private static let smallBody = 16 * 1024

    private let limiter: FairShareLimiter

    package init(_ limits: HTTPLimits) {
        let capacity = limits.bodyMemory
        func share(_ part: Int, of parts: Int) -> Int { max(capacity / parts * part, limits.bodyBytes) }
        let (publicClients, key, address) = (share(7, of: 8), share(1, of: 2), share(1, of: 8))
        limiter = FairShareLimiter(capacity: capacity) { client in
            var claims: [FairShareLimiter.Shares.Claim] = []
            claims.reserveCapacity(3)
            if client.isPublic { claims.append(.init(holder: .publicClients, share: publicClients)) }
            // The requests with a secret key come from few servers of its owner, so their addresses need no shares.
            let subscriber = client.isPublic ? client.address : nil
            if let id = client.keyID {
                let part = subscriber.map {
                    FairShareLimiter.Shares.Part(
                        holder: .addressWithKey($0, key: id), share: address, small: Self.smallBody)
                }
                claims.append(.init(holder: .key(id), share: key, part: part))
            }
            if let subscriber { claims.append(.init(holder: .address(subscriber), share: address)) }
            return claims
        }
    }

    /// Whether even a device that has nothing in memory could not send an event now.
    package var isExhausted: Bool {
        !limiter.canTake(Self.ordinaryBody, for: .newDevice)
    }

    func permit(for client: ResourceClient) -> FairShareLimiter.Permit {
        limiter.permit(for: client)
    }
}

extension ResourceClient {
    /// A device that is the first of its app, key and address. The ids belong to no real app or key.
    fileprivate static let newDevice = ResourceClient(
        APIKeyGrant(keyID: 0, appID: 0, appName: "", scope: .ingest), address: ClientAddress(nil))
}

/// Counts and logs the bodies of events that were refused for lack of memory.
struct BodyRefusals: Sendable {
    let metrics: IngestMetrics

    /// Names the cause in one line. It is repeated at most every ten seconds.
    func record(_ refusal: FairShareLimiter.Shares.Refusal, _ client: ResourceClient, _ logger: Logger) {
        metrics.unacknowledged.add(1, .overloaded)
        var metadata: Logger.Metadata = [:]
        if let id = client.keyID { metadata["key_id"] = .stringConvertible(id) }
        let cause: String
        switch refusal {
        case .share(of: .address(let address)), .share(of: .addressWithKey(let address, _)):
            cause = "the address uses its share"
            metadata["address"] = "\(address)"
        case .share(of: .key): cause = "the key uses its share"
        case .share(of: .publicClients): cause = "the ingest keys together use their share"
        case .share(of: .app), .full: cause = "all of it is in use"
        }
        metadata["error"] = "\(cause)"
        logger.warning("refused events for lack of memory for request bodies", metadata: metadata)
    }
}
