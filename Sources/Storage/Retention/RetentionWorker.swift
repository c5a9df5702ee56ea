package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle
import Timing

/// Runs retention once a day, for as long as the program runs.
///
/// The database records the last run, so several collectors, or one that restarts, still run it once a day.
package struct RetentionWorker: Service {
    private let retention: Retention
    private let pool: ConnectionPool
    private let logger: Logger

    /// Creates a worker.
    ///
    /// - Parameter pool: The pool of the owner role.
    package init(_ retention: Retention, pool: ConnectionPool, logger: Logger) {
        self.retention = retention
        self.pool = pool
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            // After a start the collector first has to catch up.
            try? await Task.sleep(for: .seconds(60))
            while !Task.isCancelled {
                do {
                    let retention = self.retention
                    // Before anything is recorded by the database's clock, and loudly even on days without a run.
                    try await retention.checkClocks()
                    if try await self.isDue() {
                        let logger = self.logger
                        try await withTimeout(.seconds(6 * 3_600)) {
                            try await retention.run { item in
                                logger.notice(
                                    "retention",
                                    metadata: ["dropped": "\(item.what) \(item.item)", "rows": "\(item.rows)"])
                            }
                        }
                    }
                } catch Retention.Failure.clocksDiffer {
                    self.logger.error(
                        "retention does not run: the clocks of the database and of this host differ",
                        metadata: ["limit": "5 minutes"])
                } catch {
                    self.logger.warning("retention failed; it will be retried", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(900 + Int.random(in: 0...120)))
            }
        }
    }

    /// Whether a run is due. After a gap in which no collector asked, it isn't for a day, in case the clock has jumped.
    private func isDue() async throws -> Bool {
        let row = try await pool.withConnection(
            of: Database.backgroundOwner, within: Retention.connectionWait
        ) { connection in
            try await connection.query(SQLFiles.checkRetentionDue.text).first?.decode(Bool.self, Bool.self)
        }
        return row.map { isDue, isSteady in isDue && isSteady } ?? false
    }
}
