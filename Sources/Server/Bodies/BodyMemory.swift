import Events
package import HTTPTransport
import Ingest
import Instruments
import Logging
import Shares

/// The memory for the bodies of all requests, and the shares of it.
///
/// A body takes memory as it arrives, decompressed, and keeps it until its events are stored.
///
/// It has the shares of `FairShareLimiter.events`, with half of the memory for a key. An eighth of a key's share is
/// reserved for small bodies.
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
        limiter = .events(
            limits.bodyMemory, key: limits.bodyMemory / 2, largest: limits.bodyBytes, small: Self.smallBody)
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

/// Counts and logs events that were refused because a share is used up.
struct EventRefusals: Sendable {
    enum Cause: String {
        case memory = "refused events for lack of memory for request bodies"
        case queue = "refused events because too many wait to be stored"
        case spool = "refused events because too many are in the spool"
    }

    let metrics: IngestMetrics

    /// Names the share in one line. It is repeated at most every ten seconds.
    func record(
        _ cause: Cause, _ refusal: FairShareLimiter.Shares.Refusal, _ client: ResourceClient, _ logger: Logger
    ) {
        metrics.unacknowledged.add(1, .overloaded)
        var metadata: Logger.Metadata = [:]
        if let id = client.keyID { metadata["key_id"] = .stringConvertible(id) }
        let share: String
        switch refusal {
        case .share(of: .address(let address)), .share(of: .addressWithKey(let address, _)):
            share = "the address uses its share"
            metadata["address"] = "\(address)"
        case .share(of: .key(nil)): share = "the clients whose key is not known yet use their share"
        case .share(of: .key): share = "the key uses its share"
        case .share(of: .publicClients): share = "the ingest keys together use their share"
        case .share(of: .app): share = "the app uses its share"
        case .share(of: .links), .full: share = "all of it is in use"
        }
        metadata["error"] = "\(share)"
        logger.warning("\(cause.rawValue)", metadata: metadata)
    }
}
