import Instruments
package import Logging
package import Postgres
import SQLFiles

/// The connections to one database: a pool for each role, so that each part has only the privileges it needs.
package struct Database: Sendable {
    /// Bound to nothing: declares and administers.
    package let owner: ConnectionPool
    /// Adds events, and finds keys.
    package let ingest: ConnectionPool
    /// Writes deliveries and rollups.
    package let worker: ConnectionPool
    /// Reads, one app at a time.
    package let report: ConnectionPool
    /// Reads like `report` but without a short time limit. It is a pool of its own so that exports don't block reports.
    package let export: ConnectionPool
    /// Reads new events of all apps, for live streams.
    package let live: ConnectionPool
    package let metrics: PoolMetrics

    /// What a collector opens at most, with the lanes it has by default.
    package static let connections = 15

    /// - Parameter ingestLanes: groups of events stored at once.
    package init(conninfo: String, ingestLanes: Int = 2, logger: Logger) {
        let metrics = PoolMetrics()
        func pool(
            _ role: DatabaseRole, size: Int, patience: Duration = .seconds(5),
            _ change: (inout PostgresConfiguration) -> Void
        ) -> ConnectionPool {
            var configuration = PostgresConfiguration(conninfo: conninfo)
            configuration.applicationName = "afterpush \(role.rawValue)"
            configuration.role = "afterpush_\(role.rawValue)"
            // Compiling a statement takes seconds, for what runs in milliseconds. A cluster of our own has it off.
            configuration.sessionSettings["jit"] = "off"
            change(&configuration)
            return ConnectionPool(
                configuration: configuration, size: size, acquireTimeout: patience, logger: logger
            ) {
                metrics.waits.observe($0, role)
            }
        }
        self.metrics = metrics
        self.owner = pool(.owner, size: 2) {
            $0.statementTimeout = .zero
            $0.replyTimeout = .seconds(24 * 3_600)
        }
        // One for each lane, the one for what came again too, and one for looking keys up.
        self.ingest = pool(.ingest, size: ingestLanes + 2) {
            $0.statementTimeout = .seconds(5)
            $0.lockTimeout = .seconds(2)
            $0.replyTimeout = .seconds(7)
        }
        self.worker = pool(.worker, size: 2) {
            $0.statementTimeout = .seconds(60)
            $0.replyTimeout = .seconds(70)
        }
        self.report = pool(.report, size: 4) {
            $0.statementTimeout = .seconds(30)
            $0.replyTimeout = .seconds(35)
            // What a dashboard asks for, again and again; a plan of such a length is some hundred kilobytes.
            $0.preparedStatements = 32
        }
        self.export = pool(.export, size: 2, patience: .seconds(600)) {
            $0.role = "afterpush_report"
            $0.statementTimeout = .seconds(30)
            $0.replyTimeout = .seconds(35)
        }
        self.live = pool(.live, size: 1, patience: .seconds(2)) {
            $0.role = "afterpush_worker"
            $0.statementTimeout = .seconds(2)
            $0.replyTimeout = .seconds(3)
            // However little is known of the tables, the newest rows come by their index.
            for plan in ["seqscan", "hashjoin", "mergejoin"] { $0.sessionSettings["enable_" + plan] = "off" }
        }
    }

    package var pools: [(role: DatabaseRole, pool: ConnectionPool)] {
        [(.ingest, ingest), (.worker, worker), (.report, report), (.export, export), (.live, live), (.owner, owner)]
    }

    /// - Parameter grace: after which statements are cancelled; after twice as long it returns whatever they do.
    package func shutdown(grace: Duration = .seconds(2)) async {
        await withTaskGroup { group in
            for (_, pool) in pools {
                group.addTask { await pool.shutdown(grace: grace) }
            }
        }
    }
}

extension ConnectionPool {
    /// Whether new transactions can write: the server is neither a standby nor set to read-only.
    package func acceptsWrites() async throws -> Bool {
        try await withConnection { connection in
            try await connection.query(SQLFiles.checkWritable.text).first?.decode(Bool.self, column: 0) ?? false
        }
    }
}
