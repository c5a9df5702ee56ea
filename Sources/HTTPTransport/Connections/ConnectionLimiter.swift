import Instruments
import Logging
import Synchronization

/// The limits on open connections: of each client address, and of all together. It also counts them in the metrics.
///
/// When seven eighths of all connections are in use, each new one replaces one that has no request under way: the one
/// that has been idle longest, of the address with the most idle connections. So no few addresses can keep all others
/// out. The last eighth covers the time that closing takes.
final class ConnectionLimiter: Sendable {
    /// Asks a connection to close if it has no request under way.
    typealias Close = @Sendable () -> Void

    private struct State {
        var connections = OpenConnections<Close>()
        var warnedAt: ContinuousClock.Instant?

        /// Whether no warning was logged in the last minute.
        mutating func mayWarn() -> Bool {
            let now = ContinuousClock.now
            if let warnedAt, now - warnedAt < .seconds(60) { return false }
            warnedAt = now
            return true
        }
    }

    private let limits: HTTPLimits
    private let exempt: [AddressList]
    private let metrics: ConnectionMetrics
    private let logger: Logger
    private let state = Mutex(State())
    /// The number of connections from which on new ones replace idle ones.
    private let crowd: Int

    /// Creates a limiter without open connections.
    ///
    /// - Parameter exempt: networks whose connections are only counted, such as proxies and the operator's own.
    init(
        _ limits: HTTPLimits, exempt: [AddressList], metrics: ConnectionMetrics = ConnectionMetrics(), logger: Logger
    ) {
        self.limits = limits
        self.exempt = exempt
        self.metrics = metrics
        self.logger = logger
        crowd = limits.connections - max(1, limits.connections / 8)
    }

    /// Counts a new connection until `close`, and returns its number, or `nil` if its address is at the limit.
    func open(_ address: ClientAddress, _ close: @escaping Close) -> Int? {
        let isExempt = exempt.contains { $0.contains(address) }
        let client = isExempt ? nil : address.subscriber
        let limit = limits.connectionsPerAddress
        var victim: (connection: Close, client: ClientAddress)?
        var warns = false
        let id: Int? = state.withLock { state in
            if let client, limit > 0, state.connections.count(of: client) >= limit { return nil }
            if state.connections.count >= crowd {
                victim = state.connections.takeLongestIdle()
                warns = state.mayWarn()
            }
            return state.connections.add(close, of: client)
        }
        guard let id else {
            reset(.addressLimit)
            return nil
        }
        metrics.opened()
        victim?.connection()
        if warns { warn(victim?.client) }
        return id
    }

    func close(_ id: Int) {
        metrics.closed()
        state.withLock { $0.connections.remove(id) }
    }

    /// Notes that a connection has a request now, or no longer.
    func setIdle(_ id: Int, _ isIdle: Bool) {
        let victim = state.withLock { state in
            state.connections.setIdle(id, isIdle)
            // While all are in use, none is accepted that could replace an idle one.
            let isFull = isIdle && state.connections.count >= limits.connections
            return isFull ? state.connections.takeLongestIdle() : nil
        }
        victim?.connection()
    }

    /// Counts a connection or stream that is ended without a complete response.
    func reset(_ reason: ConnectionReset) {
        metrics.resets.add(1, reason)
    }

    private func warn(_ client: ClientAddress?) {
        var metadata: Logger.Metadata = ["connections": .stringConvertible(metrics.open)]
        if let client { metadata["address"] = "\(client)" }
        logger.warning("nearly all connections are in use; those idle longest are closed", metadata: metadata)
    }
}
