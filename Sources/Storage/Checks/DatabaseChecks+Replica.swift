package import Logging
import Postgres

/// Checks the replica for reports.
extension DatabaseChecks {
    /// Says whether reports are read from the replica, and how far it is behind.
    ///
    /// - Parameters:
    ///   - replica: The connection string of the replica.
    ///   - conninfo: The connection string of the database.
    package static func replica(
        _ replica: String, of conninfo: String, maxLag: Duration, logger: Logger
    ) async -> CheckResult {
        let pools = [conninfo, replica].map { conninfo in
            var configuration = PostgresConfiguration(searchingOnlyPostgres: conninfo)
            configuration.applicationName = "afterpush doctor"
            configuration.role = "afterpush_worker"
            configuration.statementTimeout = .seconds(2)
            configuration.replyTimeout = .seconds(3)
            return ConnectionPool(configuration: configuration, size: 1, logger: logger)
        }
        let reading = await ReplicaCheck(primary: pools[0], replica: pools[1]).read()
        for pool in pools { await pool.shutdown() }
        return result(reading, maxLag: maxLag)
    }

    static func result(_ reading: ReplicaReading, maxLag: Duration) -> CheckResult {
        let name = "reports_replica"
        switch reading {
        case .replica(let lag) where lag <= maxLag:
            return CheckResult(name, .ok, "it is \(seconds(lag / .seconds(1))) behind; reports are read from it")
        case .replica(let lag):
            return CheckResult(
                name, .warn,
                "it is \(seconds(lag / .seconds(1))) behind, more than \(seconds(maxLag / .seconds(1))); reports are read from the primary",
                advice:
                    "look at pg_stat_replication on the primary and at the replica's log, or raise AFTERPUSH_REPORTS_MAX_LAG"
            )
        case .foreign:
            return CheckResult(
                name, .fail,
                "it is no replica of this database, or was promoted, or the database can't be reached; reports are read from the primary",
                advice: "name a streaming replica in AFTERPUSH_REPORTS_DATABASE_URL"
            )
        case .away(let error):
            return CheckResult(
                name, .warn, "it can't be reached: \(error); reports are read from the primary",
                advice: "start it, or correct AFTERPUSH_REPORTS_DATABASE_URL")
        }
    }
}
