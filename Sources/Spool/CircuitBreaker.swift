package import Logging
import Synchronization
import Timing

/// A circuit breaker for PostgreSQL that the parts of a collector share.
package final class CircuitBreaker: Sendable {
    private let state = Mutex(CircuitBreakerState())
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    /// Whether PostgreSQL has failed and not succeeded since.
    package var isOpen: Bool { state.withLock { $0.action == .bypass } }

    /// Whether PostgreSQL has failed because it is a standby. Events are then refused, because no outage ends: a promotion
    /// may never come.
    package var isStandby: Bool { state.withLock { $0.action == .bypass && $0.isStandby } }

    /// The time to wait before the next probe of PostgreSQL, or `nil` when the circuit breaker is closed.
    var pause: Duration? { state.withLock { $0.pause(at: .now) } }

    func recordSuccess() {
        guard state.withLock({ $0.recordSuccess() }) == .closed else { return }
        logger.notice("circuit breaker closed: PostgreSQL stores events again")
    }

    func recordFailure(isStandby: Bool = false) {
        let change = state.withLock {
            $0.recordFailure(at: .now, random: .random(in: 0..<1), isStandby: isStandby)
        }
        guard change == .opened else { return }
        guard !isStandby else {
            logger.error("circuit breaker open: PostgreSQL is a standby; events are refused, and not spooled")
            return
        }
        logger.error(
            "circuit breaker open: PostgreSQL does not store events; they are spooled, or refused if there is no spool")
    }

    /// Runs a body that uses the database, with a time limit.
    ///
    /// - Throws: `TimeoutError` after `limit`, or immediately while the circuit breaker is open.
    package func run<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard !isOpen else { throw TimeoutError() }
        return try await withTimeout(limit, body)
    }
}
