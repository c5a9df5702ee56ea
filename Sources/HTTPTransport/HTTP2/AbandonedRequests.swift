import HummingbirdCore
import NIOCore
import Synchronization

/// Bounds the requests that are worked on although their client has reset the stream or closed the connection.
///
/// A stream that is reset leaves room for the next one at once, but its request may go on, so a client that resets
/// whatever it has sent could have any number of requests worked on (CVE-2023-44487). Therefore a request whose stream
/// has ended before its turn is dropped, and an address with too many abandoned requests has to wait until they end.
final class AbandonedRequests: Sendable {
    /// The abandoned requests that an address may have: as many as the streams of a connection.
    private static let most = 100

    private let exempt: [AddressList]
    private let limiter: ConnectionLimiter
    private let counts = Mutex<[ClientAddress: Int]>([:])

    /// Creates a bound without requests.
    ///
    /// - Parameter exempt: Networks without a bound, such as proxies and the operator's own.
    init(exempt: [AddressList], limiter: ConnectionLimiter) {
        self.exempt = exempt
        self.limiter = limiter
    }

    /// Returns a responder that drops the requests of ended streams, and resets those of addresses over the bound.
    func guarding(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTPChannelHandler.Responder {
        { request, writer, channel in
            guard channel.isActive else { return }
            let peer = ClientAddress(channel.remoteAddress)
            let address = peer.subscriber
            guard
                self.counts.withLock({ $0[address] ?? 0 }) < Self.most
                    || self.exempt.subscriber(of: peer) == nil
            else {
                self.limiter.reset(.flood)
                return try await channel.close()
            }
            let visit = Visit()
            channel.closeFuture.whenComplete { _ in
                if visit.abandon() { self.count(1, address) }
            }
            defer { if visit.end() { self.count(-1, address) } }
            try await responder(request, writer, channel)
        }
    }

    /// Changes an address's number. The two changes of a request can come in either order, so it may be below 0 for a
    /// moment.
    private func count(_ change: Int, _ address: ClientAddress) {
        counts.withLock { counts in
            let count = (counts[address] ?? 0) + change
            counts[address] = count == 0 ? nil : count
        }
    }
}

/// Whether a request is still worked on, and whether its client has gone.
private final class Visit: Sendable {
    private enum State {
        case running, abandoned, ended
    }

    private let state = Mutex(State.running)

    /// Returns whether the request is still running.
    func abandon() -> Bool {
        state.withLock { state in
            guard state == .running else { return false }
            state = .abandoned
            return true
        }
    }

    /// Returns whether the client has gone before.
    func end() -> Bool {
        state.withLock { state in
            defer { state = .ended }
            return state == .abandoned
        }
    }
}
