import Instruments
package import Logging
package import Postgres
import SQLFiles

/// The connection pools of a database, one for each role, so that each part has only the privileges it needs.
package struct Database: Sendable {
    /// The pool of the owner role, which declares and administers, and whose statements have no time limit. Requests take a
    /// connection of their app, and work in the background that can wait for long takes that of `backgroundOwner`.
    package let owner: ConnectionPool
    /// The pool of the ingest role that stores groups of events, and probes whether it could. Requests have other pools, so
    /// that none of them can keep events waiting.
    package let ingest: ConnectionPool
    /// The pool for what requests ask and write besides, with the ingest role: keys, sessions, receipts, declared sends.
    package let requests: ConnectionPool
    /// The pool of the worker role that writes deliveries and rollups.
    package let worker: ConnectionPool
    /// The pool for all other work in the background, with the worker role: erasures, alerts, partitions.
    package let background: ConnectionPool
    /// The pool of the report role, which reads one app at a time.
    package let report: ConnectionPool
    /// The pool for the reports of alerts, with the report role. It is separate so that neither they nor the reports that
    /// people ask for wait for the other.
    package let alerts: ConnectionPool
    /// The pool for exports, with the report role. It is separate so that exports don't block reports.
    package let export: ConnectionPool
    /// The pool for live streams, which reads new events of all apps with the worker role.
    package let live: ConnectionPool
    /// The pool that ends sessions of dashboards' logins, with the worker role. It has one connection for nothing else,
    /// because such sessions can keep other statements waiting, and new connections, too.
    package let logins: ConnectionPool
    package let metrics: PoolMetrics
    /// The replica that reports, exports and live streams are read from while it can be used, or `nil`.
    package let replica: ReplicaDatabase?

    /// Where reports are read.
    package var reportReads: ReadPool { reads(report, replica?.report) }
    /// Where exports are read.
    package var exportReads: ReadPool { reads(export, replica?.export) }
    /// Where live streams are read.
    package var liveReads: ReadPool { reads(live, replica?.live) }

    private func reads(_ primary: ConnectionPool, _ pool: ConnectionPool?) -> ReadPool {
        guard let replica, let pool else { return ReadPool(primary) }
        return ReadPool(primary, preferring: pool, state: replica.state)
    }

    /// The owner of what retention and the search for erased devices take of the pool `owner`: one connection together, so
    /// that requests have the other one. It is the number of no app.
    package static let backgroundOwner: Int32 = 0

    /// The maximum number of connections that a collector opens with the default number of ingest lanes, without those to
    /// a replica.
    package static let connections = 26

    /// Creates the pools, which connect when a connection is first needed.
    ///
    /// - Parameters:
    ///   - replica: The replica for reports, and the lag beyond which it is not used.
    ///   - ingestLanes: The number of groups of events that are stored at the same time.
    package init(
        conninfo: String, replica: (conninfo: String, maxLag: Duration)? = nil, ingestLanes: Int = 2, logger: Logger
    ) {
        let metrics = PoolMetrics()
        func pool(
            _ role: DatabaseRole, of conninfo: String = conninfo, size: Int, perApp: Int = .max,
            acquireTimeout: Duration = .seconds(5), _ change: (inout PostgresConfiguration) -> Void
        ) -> ConnectionPool {
            var configuration = PostgresConfiguration(searchingOnlyPostgres: conninfo)
            configuration.applicationName = "afterpush \(role.rawValue)"
            configuration.role = "afterpush_\(role.rawValue)"
            // JIT compilation takes seconds for statements that run for milliseconds. A local cluster has it off, too.
            configuration.sessionSettings["jit"] = "off"
            change(&configuration)
            return ConnectionPool(
                configuration: configuration, size: size, acquireTimeout: acquireTimeout, ownerLimit: perApp,
                logger: logger
            ) {
                metrics.waits.observe($0, role)
            }
        }
        self.metrics = metrics
        // What one app declares waits for itself and leaves a connection to the others, as does work in the background.
        self.owner = pool(.owner, size: 2, perApp: 1) {
            $0.statementTimeout = .zero
            $0.replyTimeout = .seconds(24 * 3_600)
        }
        func stores(_ role: DatabaseRole, size: Int, perApp: Int = .max) -> ConnectionPool {
            pool(role, size: size, perApp: perApp) {
                $0.role = "afterpush_ingest"
                $0.statementTimeout = .seconds(5)
                $0.lockTimeout = .seconds(2)
                $0.replyTimeout = .seconds(7)
                // A table that is empty, or small when it was analyzed, is large moments later.
                $0.sessionSettings["enable_seqscan"] = "off"
            }
        }
        // One connection for each lane, one for the retry lane, and one for the spool's replay and for probes.
        self.ingest = stores(.ingest, size: ingestLanes + 2)
        self.requests = stores(.requests, size: 3, perApp: 2)
        func works(_ role: DatabaseRole, size: Int) -> ConnectionPool {
            pool(role, size: size) {
                $0.role = "afterpush_worker"
                $0.statementTimeout = .seconds(60)
                $0.replyTimeout = .seconds(70)
            }
        }
        // One for apps that are merged apart.
        self.worker = works(.worker, size: RollupWorker.Configuration.mostConnections + 1)
        self.background = works(.background, size: 2)
        func reports(_ role: DatabaseRole, of conninfo: String) -> ConnectionPool {
            // One app's slow reports and exports leave a connection to the others.
            pool(role, of: conninfo, size: 4, perApp: 3) {
                $0.role = "afterpush_report"
                $0.statementTimeout = .seconds(30)
                $0.replyTimeout = .seconds(35)
                // Some expressions can't be interrupted. They would use up the server one by one.
                $0.countsUnansweredStatements = true
                // A dashboard repeats its reports; each of their plans takes some hundred kilobytes.
                $0.preparedStatements = 32
            }
        }
        func exports(_ role: DatabaseRole, of conninfo: String) -> ConnectionPool {
            pool(role, of: conninfo, size: 2, perApp: 1, acquireTimeout: .seconds(600)) {
                $0.role = "afterpush_report"
                $0.statementTimeout = .seconds(30)
                $0.replyTimeout = .seconds(35)
            }
        }
        func live(_ role: DatabaseRole, of conninfo: String) -> ConnectionPool {
            pool(role, of: conninfo, size: 1, acquireTimeout: .seconds(2)) {
                $0.role = "afterpush_worker"
                $0.statementTimeout = .seconds(2)
                $0.replyTimeout = .seconds(3)
                // The newest rows have to be found by their index even if the tables have no statistics yet.
                for plan in ["seqscan", "hashjoin", "mergejoin"] { $0.sessionSettings["enable_" + plan] = "off" }
            }
        }
        self.report = reports(.report, of: conninfo)
        self.export = exports(.export, of: conninfo)
        self.live = live(.live, of: conninfo)
        // One for each evaluation, and one for a summary. An app has one of each.
        self.alerts = pool(.alerts, size: 4, perApp: 2) {
            $0.role = "afterpush_report"
            $0.statementTimeout = .seconds(30)
            $0.replyTimeout = .seconds(35)
            $0.countsUnansweredStatements = true
            $0.preparedStatements = 32
        }
        self.logins = pool(.logins, size: 1) {
            $0.role = "afterpush_worker"
            $0.statementTimeout = .seconds(5)
            $0.replyTimeout = .seconds(10)
        }
        let primary = self.live
        self.replica = replica.map { replica in
            ReplicaDatabase(
                report: reports(.replicaReport, of: replica.conninfo),
                export: exports(.replicaExport, of: replica.conninfo),
                live: live(.replicaLive, of: replica.conninfo),
                checks: pool(.replicaChecks, of: replica.conninfo, size: 1, acquireTimeout: .seconds(2)) {
                    $0.role = "afterpush_worker"
                    $0.connectTimeout = .seconds(2)
                    $0.statementTimeout = .seconds(2)
                    $0.replyTimeout = .seconds(3)
                },
                primary: primary, maxLag: replica.maxLag, logger: logger)
        }
    }

    package var pools: [(role: DatabaseRole, pool: ConnectionPool)] {
        [
            (.ingest, ingest), (.requests, requests), (.worker, worker), (.background, background),
            (.report, report), (.alerts, alerts), (.export, export), (.live, live), (.logins, logins),
            (.owner, owner),
        ] + (replica?.pools ?? [])
    }

    /// Closes all pools.
    ///
    /// - Parameter grace: The time after which statements are cancelled. After twice this time the method returns even
    ///   if statements are still running.
    package func shutdown(grace: Duration = .seconds(2)) async {
        await withTaskGroup { group in
            for (_, pool) in pools {
                group.addTask { await pool.shutdown(grace: grace) }
            }
        }
    }
}

extension ConnectionPool {
    /// Returns whether new transactions can write.
    package func writability() async throws -> Writability {
        try await withConnection { connection in
            // A query without a table always returns a row.
            let row = try await connection.query(SQLFiles.checkWritable.text)[0]
            let (isStandby, isReadOnly) = try row.decode(Bool.self, Bool.self)
            return isStandby ? .standby : isReadOnly ? .readOnly : .writable
        }
    }
}

/// Whether new transactions can write.
package enum Writability: Sendable {
    case writable
    /// A setting of the server, the database or the role forbids it.
    case readOnly
    /// The server is a standby.
    case standby
}
