package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle
import Timing

/// Ends sessions of dashboards' logins that hold a transaction, or run a statement, for longer than a minute, and those
/// of a login that waits for a lock of owners, within a second or two.
///
/// A login can turn off its own time limits, so the server needs one that the login can't change: an open transaction
/// keeps its locks, which migrations wait for, and keeps dead rows from being removed. While a session waits for a lock
/// of owners, which it would not get, every other session waits behind it.
package struct ReportSessionWorker: Service {
    private let pool: ConnectionPool
    private let maximumAge: Duration
    private let logger: Logger

    /// Creates a worker.
    ///
    /// - Parameter pool: A pool of the worker role, for this worker alone.
    package init(pool: ConnectionPool, maximumAge: Duration = .seconds(60), logger: Logger) {
        self.pool = pool
        self.maximumAge = maximumAge
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var round = 0
            while !Task.isCancelled {
                var pause = Duration.seconds(1)
                // Locks can't wait. Old sessions can, and those that PostgreSQL can't end are not logged every second.
                let age = round.isMultiple(of: 10) ? self.maximumAge : .seconds(365 * 86_400)
                round += 1
                do {
                    // A shutdown cancels the wait, although libpq's call can't be cancelled.
                    try await withTimeout(.seconds(20)) { try await self.endSessions(olderThan: age) }
                } catch {
                    round = 0
                    pause = .seconds(10)
                    self.logger.warning(
                        "could not end old sessions of report logins; it will be retried",
                        metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Ends sessions that are too old, and those of logins that write or wait for a lock of owners. Returns their logins.
    @discardableResult
    package func endOldSessions() async throws -> [String] {
        try await endSessions(olderThan: maximumAge)
    }

    @discardableResult
    private func endSessions(olderThan age: Duration) async throws -> [String] {
        let ended = try await pool.withConnection { connection in
            try await connection.query(
                SQLFiles.callEndReportSessions.text, [.float8(age / .seconds(1))], prepared: true
            ).map { try $0.decode(String.self, Double?.self) }
        }
        for (login, age) in ended {
            guard let age else {
                logger.warning(
                    "asked PostgreSQL to end a session of a report login, which wrote or waited for a lock of owners",
                    metadata: ["login": "\(login)"])
                continue
            }
            logger.warning(
                "asked PostgreSQL to end a session of a report login, which exceeded its time limit",
                metadata: ["login": "\(login)", "seconds": "\(Int(age))"])
        }
        return ended.map(\.0)
    }
}
