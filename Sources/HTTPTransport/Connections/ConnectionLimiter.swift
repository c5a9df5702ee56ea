import Instruments
import Synchronization

/// A limit on the open connections of each client address, which also counts all connections in the metrics.
final class ConnectionLimiter: Sendable {
    private let limit: Int
    private let exempt: [AddressList]
    private let metrics: ConnectionMetrics
    private let open = Mutex<[ClientAddress: Int]>([:])

    /// Creates a limiter without open connections.
    ///
    /// - Parameters:
    ///   - limit: the most connections of one subscriber; 0 means no limit.
    ///   - exempt: networks without a limit, such as proxies and the operator's own.
    init(limit: Int, exempt: [AddressList], metrics: ConnectionMetrics = ConnectionMetrics()) {
        self.limit = limit
        self.exempt = exempt
        self.metrics = metrics
    }

    /// Counts a new connection until `close`, or returns false if its address is at the limit.
    func open(_ address: ClientAddress) -> Bool {
        guard reserve(address) else {
            reset(.addressLimit)
            return false
        }
        metrics.opened()
        return true
    }

    /// Counts a connection of an address that has a limit, or returns false if it is at the limit.
    private func reserve(_ address: ClientAddress) -> Bool {
        guard limit > 0, !exempt.contains(where: { $0.contains(address) }) else { return true }
        return open.withLock { open in
            guard open[address.subscriber, default: 0] < limit else { return false }
            open[address.subscriber, default: 0] += 1
            return true
        }
    }

    func close(_ address: ClientAddress) {
        metrics.closed()
        open.withLock { open in
            guard let count = open[address.subscriber] else { return }
            open[address.subscriber] = count > 1 ? count - 1 : nil
        }
    }

    /// Counts a connection that is closed without a response.
    func reset(_ reason: ConnectionReset) {
        metrics.resets.add(1, reason)
    }
}
