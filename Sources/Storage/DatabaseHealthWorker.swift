package import Logging
package import Postgres
import ServiceLifecycle
import Synchronization
import Timing

/// Checks the database's health once a second, so that readers of the result never wait for the database.
package final class DatabaseHealthWorker: Service {
    private let pool: ConnectionPool
    private let logger: Logger
    private let latest = Mutex<(reading: DatabaseHealth, at: ContinuousClock.Instant)?>(nil)

    /// Creates a worker.
    ///
    /// - Parameter pool: The pool of the worker role.
    package init(pool: ConnectionPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    /// The latest health, or `nil` if no check has succeeded for five seconds.
    package var reading: DatabaseHealth? {
        latest.withLock { $0 }.flatMap { $0.at.duration(to: .now) < .seconds(5) ? $0.reading : nil }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    // A shutdown cancels the wait, although libpq's call can't be cancelled.
                    let reading = try await withTimeout(.seconds(80)) { try await self.read() }
                    self.latest.withLock { $0 = (reading, .now) }
                } catch {
                    self.logger.debug("database health check failed", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func read() async throws -> DatabaseHealth {
        try await pool.withConnection { try await DatabaseHealth($0) }
    }
}
