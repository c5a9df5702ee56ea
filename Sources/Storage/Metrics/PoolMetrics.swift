package import Instruments
import Postgres

/// The metrics of a database's pools.
package struct PoolMetrics: Sendable {
    package let waits = Histogram<DatabaseRole>(
        "afterpush_pool_wait_seconds", "Time to get a connection, including opening one if needed.",
        bounds: .latencies)

    package init() {}
}

/// The database's pools by role. The pools `alerts` and `export` also have the role `report`; `live` and `logins`
/// have the role `worker`. The others are those of the replica for reports.
package enum DatabaseRole: String, Label {
    case owner, ingest, requests, worker, background, report, alerts, export, live, logins
    case replicaReport = "replica_report"
    case replicaExport = "replica_export"
    case replicaLive = "replica_live"
    case replicaChecks = "replica_checks"

    package static let labelName = "role"
}

extension Database {
    package func metricFamilies() async -> [MetricFamily] {
        var size: [DatabaseRole: Double] = [:]
        var lent: [DatabaseRole: Double] = [:]
        var waiting: [DatabaseRole: Double] = [:]
        for (role, pool) in pools {
            let statistics = await pool.statistics
            size[role] = Double(statistics.size)
            lent[role] = Double(statistics.lent)
            waiting[role] = Double(statistics.waiting)
        }
        return [
            .gauge("afterpush_pool_size", "Maximum number of open connections, by role.", size),
            .gauge("afterpush_pool_in_use", "Connections in use, by role.", lent),
            .gauge("afterpush_pool_waiting", "Waiting for a connection, by role.", waiting),
            metrics.waits.family,
        ] + (replica?.families ?? [])
    }
}
