package import AfterpushWire
package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle
import Timing

/// Creates monthly partitions of `events` ahead of time, for as long as the program runs.
///
/// Without it a collector that runs for months would fill the default partition. Creating a partition locks `events` for a
/// moment. The worker waits at most 200 ms for that lock, so that queries that queue behind it can continue, and retries.
/// If the default partition is large, or has many events of a month, it is first copied in steps without the lock.
package struct PartitionWorker: Service {
    private let pool: ConnectionPool
    private let logger: Logger

    /// The distance from now, in microseconds, from which events stay in the default partition.
    private static let maximumDistance: Int64 = 10 * 366 * 86_400 * 1_000_000

    /// Creates a worker.
    ///
    /// - Parameter pool: The pool of the worker role.
    package init(pool: ConnectionPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let pause: Duration
                do {
                    let made = try await self.ensure()
                    if made > 0 { self.logger.info("partitions created", metadata: ["count": "\(made)"]) }
                    pause = .seconds(3_600)
                } catch {
                    self.logger.warning("could not create partitions", metadata: ["error": "\(error)"])
                    pause = .seconds(60)
                }
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Creates the missing partitions from three months ago to three months ahead, and returns their number.
    package func ensure() async throws -> Int {
        try await ensure(around: nil, months: 3)
    }

    /// Creates the missing partitions of the months of some times, except times about ten years or more from now.
    ///
    /// - Returns: The number of created partitions.
    @discardableResult
    package func ensure(monthsOf times: [AfterpushWire.Timestamp], now: AfterpushWire.Timestamp) async throws -> Int {
        var created = 0
        for time in times where abs(now.microseconds - time.microseconds) < Self.maximumDistance {
            created += try await ensure(around: time.microseconds, months: 0)
        }
        return created
    }

    /// Creates the missing partitions from some months before a time to as many after it.
    ///
    /// - Parameter time: Microseconds since the Unix epoch, or `nil` for now.
    private func ensure(around time: Int64?, months: Int32) async throws -> Int {
        var created = try await step(SQLFiles.callEnsurePartitions, around: time, months: months) ?? 0
        while let more = try await step(SQLFiles.callSplitDefaultPartition, around: time, months: months) {
            created += more
        }
        return created
    }

    /// Runs a statement that creates partitions in a transaction of its own, and returns how many it created.
    private func step(_ statement: SQLFile, around time: Int64?, months: Int32) async throws -> Int? {
        let pool = pool
        var attempt = 0
        while true {
            do {
                // A shutdown cancels the wait, although libpq's call can't be cancelled.
                return try await withTimeout(.seconds(600)) {
                    try await pool.withConnection { connection in
                        try await connection.transaction { connection in
                            // While this waits for a lock that a report holds, storing may wait behind it.
                            try connection.execute("set local lock_timeout = '200ms'")
                            let rows = try connection.query(
                                statement.text, [.timestamp(time), .int4(months), .int4(months)])
                            return try rows.first?.decode(Int32?.self, column: 0).map { Int($0) }
                        }
                    }
                }
            } catch let error as PostgresError where error.isRetryable && !error.isCancelled && attempt < 20 {
                attempt += 1
                try await Task.sleep(for: .milliseconds(Int.random(in: 200...800)))
            }
        }
    }
}
