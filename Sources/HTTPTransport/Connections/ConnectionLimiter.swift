import Instruments
import Synchronization

/// How many connections each address has open, and what becomes of them.
final class ConnectionLimiter: Sendable {
    private let limit: Int
    private let exempt: [AddressList]
    private let metrics: ConnectionMetrics
    private let open = Mutex<[ClientAddress: Int]>([:])

    /// - Parameters:
    ///   - limit: of one address; 0 is no bound.
    ///   - exempt: those that may have any number: proxies, and the operator's own.
    init(limit: Int, exempt: [AddressList], metrics: ConnectionMetrics = ConnectionMetrics()) {
        self.limit = limit
        self.exempt = exempt
        self.metrics = metrics
    }

    /// Whether the address may have another connection; it has, until `close`.
    func open(_ address: ClientAddress) -> Bool {
        guard mayOpen(address) else {
            reset(.addressLimit)
            return false
        }
        metrics.opened()
        return true
    }

    private func mayOpen(_ address: ClientAddress) -> Bool {
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

    /// A connection is closed without an answer.
    func reset(_ reason: ConnectionReset) {
        metrics.resets.add(1, reason)
    }
}
