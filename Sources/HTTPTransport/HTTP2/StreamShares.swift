import NIOCore
import Shares
import Synchronization

/// Divides the HTTP/2 streams that can be open at the same time among the addresses of clients.
///
/// A connection can have a hundred streams, each of which takes some 20 KB, and more with long headers. So what bounds
/// the connections of an address does not bound what it takes; this does. Over HTTP/1.1, a connection has one request at
/// a time, so streams are given the same numbers as connections: in all, and for each address.
final class StreamShares: Sendable {
    private let exempt: [AddressList]
    /// What an address can have while no other has any.
    private let share: Int
    private let shares: Mutex<FairShares<ClientAddress>>

    /// Creates shares without streams.
    ///
    /// - Parameter exempt: networks that can have any number of streams, such as proxies and the operator's own.
    init(_ limits: HTTPLimits, exempt: [AddressList]) {
        self.exempt = exempt
        share = limits.connectionsPerAddress > 0 ? limits.connectionsPerAddress : limits.connections
        shares = Mutex(FairShares(capacity: limits.connections))
    }

    /// Returns on whose account the streams of a connection are, or `nil` if they aren't bounded.
    func account(of peer: ClientAddress) -> ClientAddress? {
        exempt.subscriber(of: peer)
    }

    /// Counts a stream until `close`, or returns `false` if the address already has as many as it can have now.
    func open(_ address: ClientAddress) -> Bool {
        shares.withLock { (try? $0.take(1, for: [claim(of: address)])) != nil }
    }

    func close(_ count: Int, of address: ClientAddress) {
        guard count > 0 else { return }
        shares.withLock { $0.release(count, of: [claim(of: address)]) }
    }

    private func claim(of address: ClientAddress) -> FairShares<ClientAddress>.Claim {
        FairShares.Claim(holder: address, share: share)
    }
}
