package import Logging
import Synchronization
import Timing

/// What the parts of a collector know together of whether PostgreSQL takes groups.
package final class CircuitBreaker: Sendable {
    private let state = Mutex(CircuitBreakerState())
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    /// PostgreSQL failed, and has not been seen to work since.
    package var isOpen: Bool { state.withLock { $0.action == .bypass } }

    /// How long to wait before trying whether PostgreSQL is back; nil if it isn't away.
    var pause: Duration? { state.withLock { $0.pause(at: .now) } }

    func recordSuccess() {
        guard state.withLock({ $0.recordSuccess() }) == .closed else { return }
        logger.notice("circuit breaker closed: PostgreSQL stores events again")
    }

    func recordFailure() {
        let change = state.withLock { $0.recordFailure(at: .now, random: .random(in: 0..<1)) }
        guard change == .opened else { return }
        logger.error(
            "circuit breaker open: PostgreSQL does not store events; they are spooled, or refused if there is no spool")
    }

    /// Asks the database for no longer than `limit`, and not at all while it is known to be away.
    package func run<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard !isOpen else { throw TimeoutError() }
        return try await withTimeout(limit, body)
    }
}
