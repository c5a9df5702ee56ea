import Instruments
import Logging
import Synchronization

/// The limits on open connections: of each client address, and of all together. It also counts them in the metrics.
///
/// When seven eighths of all connections are in use, each new one replaces one that is idle, or whose client holds its
/// responses up, of the address with the most such connections. So no few addresses can keep all others out. The last
/// eighth covers the time that closing takes.
final class ConnectionLimiter: Sendable {
    /// Asks a connection to close if it is still idle or held up.
    typealias Close = @Sendable () -> Void

    private struct State {
        var connections: OpenConnections<Close>
        /// The connections whose clients have closed their side before they were answered.
        var halfClosed: [ClientAddress: Int] = [:]
        var warnedAt: ContinuousClock.Instant?

        /// Whether no warning was logged in the last minute.
        mutating func mayWarn(at now: ContinuousClock.Instant) -> Bool {
            if let warnedAt, now - warnedAt < .seconds(60) { return false }
            warnedAt = now
            return true
        }
    }

    /// The most half-closed connections of an address: as many as the streams of an HTTP/2 connection.
    private static let mostHalfClosed = 100

    private let limits: HTTPLimits
    private let exempt: [AddressList]
    private let metrics: ConnectionMetrics
    private let logger: Logger
    private let state: Mutex<State>
    /// The number of connections from which on new ones replace others.
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
        let connections = OpenConnections<Close>(grace: .seconds(2), upTo: max(1, limits.connections / 64))
        state = Mutex(State(connections: connections))
    }

    /// Counts a new connection until `close`, and returns its number, or `nil` if its address is at the limit.
    func open(_ address: ClientAddress, _ close: @escaping Close) -> Int? {
        let client = exempt.subscriber(of: address)
        let limit = limits.connectionsPerAddress
        let now = ContinuousClock.now
        var victim: Close?
        var fullest: (client: ClientAddress, count: Int)?
        var warns = false
        let id: Int? = state.withLock { state in
            if let client, limit > 0, state.connections.count(of: client) >= limit { return nil }
            if state.connections.count >= crowd {
                victim = state.connections.takeSpare(at: now)?.connection
                warns = state.mayWarn(at: now)
                if warns { fullest = state.connections.fullest }
            }
            return state.connections.add(close, of: client, at: now)
        }
        guard let id else {
            reset(.addressLimit)
            return nil
        }
        metrics.opened()
        victim?()
        if warns { warn(fullest) }
        return id
    }

    /// Counts a connection whose client has closed its side before it was answered, until `endHalfClosed`, or returns
    /// `false` if its address has too many of them.
    ///
    /// Such a client may still wait for its response, or it may be gone: TCP doesn't tell. A client that only sends and
    /// closes could have any number of requests worked on, if nothing limited them.
    func beginHalfClosed(_ address: ClientAddress) -> Bool {
        guard let client = exempt.subscriber(of: address) else { return true }
        return state.withLock { state in
            let count = state.halfClosed[client, default: 0]
            guard count < Self.mostHalfClosed else { return false }
            state.halfClosed[client] = count + 1
            return true
        }
    }

    func endHalfClosed(_ address: ClientAddress) {
        state.withLock { state in
            guard let count = state.halfClosed[address.subscriber] else { return }
            state.halfClosed[address.subscriber] = count > 1 ? count - 1 : nil
        }
    }

    func close(_ id: Int) {
        metrics.closed()
        state.withLock { $0.connections.remove(id) }
    }

    /// Notes what a connection does now.
    func set(_ id: Int, _ activity: ConnectionActivity) {
        let victim = state.withLock { state in
            state.connections.set(id, activity)
            // While all are in use, none is accepted that could replace another one.
            let isFull = activity.canMakeRoom && state.connections.count >= limits.connections
            return isFull ? state.connections.takeSpare(at: .now) : nil
        }
        victim?.connection()
    }

    /// The number of an address's connections that can make room for others.
    func spareCount(of address: ClientAddress) -> Int {
        state.withLock { $0.connections.spareCount(of: address.subscriber) }
    }

    /// Counts a connection or stream that is ended without a complete response.
    func reset(_ reason: ConnectionReset) {
        metrics.resets.add(1, reason)
    }

    private func warn(_ fullest: (client: ClientAddress, count: Int)?) {
        var metadata: Logger.Metadata = ["connections": .stringConvertible(metrics.open)]
        if let fullest {
            metadata["address"] = "\(fullest.client)"
            metadata["address_connections"] = .stringConvertible(fullest.count)
        }
        logger.warning(
            "nearly all connections are in use; those that are idle or read slowly are closed", metadata: metadata)
    }
}
