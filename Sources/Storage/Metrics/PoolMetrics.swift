package import Instruments
import Postgres

/// What is measured of a database's pools.
package struct PoolMetrics: Sendable {
    package let waits = Histogram<DatabaseRole>(
        "afterpush_pool_wait_seconds", "From asking for a connection to having one, opened if need be.",
        bounds: .latencies)

    package init() {}
}

/// The roles of the database, a pool for each; `export` is the role `report` once more, and `live` the role `worker`.
package enum DatabaseRole: String, Label {
    case owner, ingest, worker, report, export, live

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
            .gauge("afterpush_pool_size", "Connections that may be open, by role.", size),
            .gauge("afterpush_pool_in_use", "Connections that are in use, by role.", lent),
            .gauge("afterpush_pool_waiting", "Borrowers that wait for a connection, by role.", waiting),
            metrics.waits.family,
        ]
    }
}
