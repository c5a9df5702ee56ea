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
///
/// A login whose session was ended can log in again and repeat. For ten minutes after that, the worker looks every 100
/// ms.
package struct ReportSessionWorker: Service {
    private let pool: ConnectionPool
    /// For the time until the pool is connected.
    private let rescue: ConnectionRescue?
    private let maximumAge: Duration
    /// The time for which the worker looks more often after it ended a session that wrote or waited for a lock.
    private static let alertTime = Duration.seconds(600)
    private let logger: Logger

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - pool: A pool of the role `afterpush_worker`. On the primary it must be for this worker alone, so that it never
    ///     waits for a statement that a login blocks.
    ///   - rescue: What ends sessions that keep the pool from connecting.
    package init(
        pool: ConnectionPool, rescue: ConnectionRescue? = nil, maximumAge: Duration = .seconds(60), logger: Logger
    ) {
        self.pool = pool
        self.rescue = rescue
        self.maximumAge = maximumAge
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var nextLookAtAge = ContinuousClock.now
            var alertEnd = ContinuousClock.now
            while !Task.isCancelled {
                // Locks can't wait. Old sessions can, and those that PostgreSQL can't end are not logged every second.
                let looksAtAge = ContinuousClock.now >= nextLookAtAge
                if looksAtAge { nextLookAtAge = .now + .seconds(10) }
                let age = looksAtAge ? self.maximumAge : .seconds(365 * 86_400)
                var pause: Duration
                do {
                    // A shutdown cancels the wait, although libpq's call can't be cancelled.
                    let ended = try await withTimeout(.seconds(20)) {
                        guard let rescue = self.rescue else { return try await self.endSessions(olderThan: age) }
                        return try await rescue.during { try await self.endSessions(olderThan: age) }
                    }
                    if ended.contains(where: { $0.age == nil }) { alertEnd = .now + Self.alertTime }
                    pause = ContinuousClock.now < alertEnd ? .milliseconds(100) : .seconds(1)
                } catch {
                    nextLookAtAge = .now
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
        try await endSessions(olderThan: maximumAge).map(\.login)
    }

    /// Returns the login of each ended session, and its age in seconds, or `nil` if it wrote or waited for a lock.
    private func endSessions(olderThan age: Duration) async throws -> [(login: String, age: Double?)] {
        let ended = try await pool.withConnection { connection in
            try await connection.query(
                SQLFiles.callEndReportSessions.text, [.float8(age / .seconds(1))], prepared: true
            ).map { row -> (login: String, age: Double?) in try row.decode(String.self, Double?.self) }
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
        return ended
    }
}
