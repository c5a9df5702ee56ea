package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle
import Timing

/// Ends sessions of dashboards' logins that hold a transaction, or run a statement, for longer than a minute.
///
/// A login can turn off its own time limits, so the server needs one that the login can't change: an open transaction
/// keeps its locks, which migrations wait for, and keeps dead rows from being removed.
package struct ReportSessionWorker: Service {
    private let pool: ConnectionPool
    private let maximumAge: Duration
    private let logger: Logger

    /// Creates a worker.
    ///
    /// - Parameter pool: The pool of the worker role.
    package init(pool: ConnectionPool, maximumAge: Duration = .seconds(60), logger: Logger) {
        self.pool = pool
        self.maximumAge = maximumAge
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    // A shutdown cancels the wait, although libpq's call can't be cancelled.
                    try await withTimeout(.seconds(80)) { try await self.endOldSessions() }
                } catch {
                    self.logger.warning(
                        "could not end old sessions of report logins; it will be retried",
                        metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(10))
            }
        }
    }

    /// Ends sessions that are too old, and returns their logins.
    @discardableResult
    package func endOldSessions() async throws -> [String] {
        let ended = try await pool.withConnection { connection in
            try await connection.query(
                SQLFiles.callEndReportSessions.text, [.float8(maximumAge / .seconds(1))], prepared: true
            ).map { try $0.decode(String.self, Double.self) }
        }
        for (login, age) in ended {
            logger.warning(
                "ended a session of a report login, which exceeded its time limit",
                metadata: ["login": "\(login)", "seconds": "\(Int(age))"])
        }
        return ended.map(\.0)
    }
}
