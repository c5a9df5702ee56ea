package import Instruments
package import Logging
package import Postgres

/// The connection pools of a replica for reports.
package struct ReplicaDatabase: Sendable {
    package let report: ConnectionPool
    package let export: ConnectionPool
    package let live: ConnectionPool
    /// Connections of the role `afterpush_worker`, with time limits of a few seconds.
    package let checks: ConnectionPool
    /// Whether the replica can be used.
    package let state: Replica
    private let repeats = Counter<SQLStateLabel>(
        "afterpush_replica_repeats_total",
        "Queries of reports, exports and live streams that failed on the replica and ran on the primary, by SQLSTATE.")

    init(
        report: ConnectionPool, export: ConnectionPool, live: ConnectionPool, checks: ConnectionPool,
        primary: ConnectionPool, maxLag: Duration, logger: Logger
    ) {
        self.report = report
        self.export = export
        self.live = live
        self.checks = checks
        let check = ReplicaCheck(primary: primary, replica: checks)
        let repeats = repeats
        state = Replica(
            maxLag: maxLag, logger: logger,
            onRepeat: { error in
                repeats.add(1, SQLStateLabel(error))
                logger.info(
                    "the replica failed; a query was repeated on the primary", metadata: ["error": "\(error)"])
            },
            // A query of an export may take ten minutes, which a replica that hangs would use up.
            onGone: { for pool in [report, export, live] { await pool.cutLent() } },
            check: { await check.read() })
    }

    var pools: [(role: DatabaseRole, pool: ConnectionPool)] {
        [
            (.replicaReport, report), (.replicaExport, export), (.replicaLive, live), (.replicaChecks, checks),
        ]
    }

    var families: [MetricFamily] {
        let current = state.state
        let causes = Dictionary(
            uniqueKeysWithValues: ReplicaCause.allCases.map { cause in
                (cause, cause.rawValue == current.cause?.rawValue ? 1.0 : 0)
            })
        return [
            .gauge(
                "afterpush_replica_used", "1 while reports are read from the replica, 0 while from the primary.",
                current.isUsable ? 1 : 0),
            .gauge(
                "afterpush_replica_not_used", "1 for the reason why reports are read from the primary, else 0.", causes),
            .gauge(
                "afterpush_replica_lag_seconds", "How far the replica for reports is behind the primary.",
                current.lag.map { $0 / .seconds(1) }),
            repeats.family,
        ]
    }
}

/// The label for the reason why reports are read from the primary.
enum ReplicaCause: String, Label {
    case away, behind, foreign

    static let labelName = "cause"
}
