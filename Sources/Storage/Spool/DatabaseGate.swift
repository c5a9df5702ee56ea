package import Logging
import Synchronization

/// What the parts of a collector know together of whether PostgreSQL takes groups.
package final class DatabaseGate: Sendable {
    private let breaker = Mutex(Breaker())
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    /// PostgreSQL failed, and has not been seen to work since.
    package var isAway: Bool { breaker.withLock { $0.action == .bypass } }

    /// How long to wait before trying whether PostgreSQL is back; nil if it isn't away.
    var pause: Duration? { breaker.withLock { $0.pause(at: .now) } }

    func succeeded() {
        guard breaker.withLock({ $0.succeeded() }) == .closed else { return }
        logger.notice("PostgreSQL takes events again")
    }

    func failed() {
        let change = breaker.withLock { $0.failed(at: .now, random: .random(in: 0..<1)) }
        guard change == .opened else { return }
        logger.error("PostgreSQL does not take events: until it does they are spooled, or refused without a spool")
    }

    /// Asks the database for no longer than `limit`, and not at all while it is known to be away.
    package func ask<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard !isAway else { throw TimeLimit.Passed() }
        return try await TimeLimit.run(within: limit, body)
    }
}
