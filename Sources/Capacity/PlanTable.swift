import Foundation

/// Plans as a table, with a column for each.
package struct PlanTable {
    private let plans: [CapacityPlan]

    package init(_ plans: [CapacityPlan]) {
        self.plans = plans
    }

    package var text: String {
        let rows = self.rows
        let names = rows.map(\.name.count).max() ?? 0
        let widths = plans.indices.map { column in rows.map { $0.values.dropFirst(column).first?.count ?? 0 }.max() ?? 0
        }
        let lines = rows.map { row in
            let name = row.name.padding(toLength: names, withPad: " ", startingAt: 0)
            let cells = zip(widths, row.values).map { String(repeating: " ", count: $0 - $1.count) + $1 }
            return row.values.isEmpty ? row.name : ([name] + cells).joined(separator: "  ")
        }
        return (lines + ["", notes]).joined(separator: "\n")
    }

    private struct Row {
        let name: String
        let values: [String]
    }

    private var rows: [Row] { load + oneDatabase + today + together + eachDatabase }

    private var load: [Row] {
        [
            heading("load"),
            row("events per second, average") { Figure.text($0.workload.eventsPerSecond) },
            row("events per second, peak") { Figure.text($0.workload.peakRate) },
            row("received at the peak, MB/s") { Figure.text($0.workload.receivedBytes / 1e6) },
            row("stored events, millions") { Figure.text($0.workload.storedEvents / 1e6) },
        ]
    }

    private var oneDatabase: [Row] {
        [heading("all of it on one database, share used")] + uses(\.single)
            + [
                row("rollup worker, if all keys were in memory") { Figure.percent($0.single.rollupCores) },
                row("resource that breaks first") { $0.single.fits ? "none" : $0.single.scarcest.title },
            ]
    }

    private var today: [Row] {
        [
            heading("what it takes today"),
            row("databases, each with its own apps") { Figure.text(Double($0.databases)) },
            row("collectors") { Figure.text(Double($0.collectors)) },
            row("largest app, events per second, average") { Figure.text($0.largestApp) },
        ]
    }

    private var together: [Row] {
        let days = plans.first.map { Figure.text($0.workload.retentionDays) } ?? ""
        return [
            heading("all databases together"),
            row("busy cores at the peak, collectors") { Figure.text($0.total(of: \.collectorCores)) },
            row("busy cores at the peak, PostgreSQL") { Figure.text($0.total(of: \.postgresCores)) },
            row("disk per day, GB") { Figure.text($0.total(of: \.diskBytesPerDay) / 1e9) },
            row("disk for \(days) days, TB") { Figure.text($0.total(of: \.diskBytes) / 1e12) },
            row("WAL at the peak, MB/s") { Figure.text($0.total(of: \.walBytesAtPeak) / 1e6) },
            row("WAL per day, GB") { Figure.text($0.total(of: \.walBytesPerDay) / 1e9) },
        ]
    }

    private var eachDatabase: [Row] {
        [heading("each database")] + uses(\.each)
            + [
                row("random keys, GB") { Figure.text($0.each.randomKeyBytes / 1e9) },
                row("of them not in memory") { Figure.percent($0.each.missShare) },
                row("connections of its collectors") { Figure.text(Double($0.each.connections)) },
                row("longest period of the report replies, hours") {
                    Figure.text($0.each.longestRepliesPeriod / 3_600)
                },
            ]
    }

    private func uses(_ load: KeyPath<CapacityPlan, DatabaseLoad>) -> [Row] {
        Resource.allCases.map { resource in
            row(resource.title) { Figure.percent($0[keyPath: load].use(of: resource)) }
        }
    }

    private func heading(_ name: String) -> Row { Row(name: name, values: []) }

    private func row(_ name: String, _ value: (CapacityPlan) -> String) -> Row {
        Row(name: "  " + name, values: plans.map(value))
    }

    private var notes: String {
        """
        A resource breaks at \(Figure.percent(Resource.limit)) of what there is. All events of an app are in one database, which has one rollup
        worker, so no app can be larger than the largest one above, and a load that needs several databases must come from
        several apps.
        """
    }
}

/// Numbers as a plan prints them.
enum Figure {
    /// Two digits at least, and all digits before the point.
    static func text(_ value: Double) -> String {
        let digits = value == value.rounded() || value >= 10 ? 0 : value >= 1 ? 1 : 2
        return value.formatted(.number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US")))
    }

    static func percent(_ share: Double) -> String {
        (share * 100).formatted(.number.precision(.fractionLength(0)).locale(Locale(identifier: "en_US"))) + " %"
    }
}
