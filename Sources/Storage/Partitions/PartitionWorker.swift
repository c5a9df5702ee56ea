package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle
import Timing

/// Keeps months of `events` made ahead of the clock, for as long as the program runs.
///
/// Without it a collector that runs for months would fill the default partition. Making one locks that partition for a
/// moment, so it waits for that two seconds at most, lets those pass who queued up behind it, and tries again.
package struct PartitionWorker: Service {
    let pool: ConnectionPool
    private let logger: Logger

    /// - Parameter pool: of the role that writes deliveries and rollups.
    package init(pool: ConnectionPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let pause: Duration
                do {
                    // Given up by the stop of the program, though libpq can't be.
                    let made = try await withTimeout(.seconds(600)) { try await self.ensure() }
                    if made > 0 { self.logger.info("partitions made", metadata: ["count": "\(made)"]) }
                    pause = .seconds(3_600)
                } catch {
                    self.logger.warning("could not create partitions", metadata: ["error": "\(error)"])
                    pause = .seconds(60)
                }
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Makes those that are missing, three months back and ahead.
    ///
    /// - Returns: how many it made.
    package func ensure() async throws -> Int {
        var attempt = 0
        while true {
            do {
                return try await pool.withConnection { connection in
                    try await connection.transaction { connection in
                        try connection.execute("set local lock_timeout = '2s'")
                        let rows = try connection.query(
                            SQLFiles.callEnsurePartitions.text, [.timestamp(nil as Int64?), .int4(3), .int4(3)])
                        return Int(try rows.first?.decode(Int32.self, column: 0) ?? 0)
                    }
                }
            } catch let error as PostgresError where error.isRetryable && attempt < 5 {
                attempt += 1
                try await Task.sleep(for: .milliseconds(Int.random(in: 200...2_000)))
            }
        }
    }
}
