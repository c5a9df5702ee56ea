import JSON

/// Plans as JSON, with the costs that they are computed from. All numbers are in units without prefixes.
package struct PlanDocument {
    private let plans: [CapacityPlan]

    package init(_ plans: [CapacityPlan]) {
        self.plans = plans
    }

    package var json: String {
        JSONText.object([
            ("plans", JSONText.array(plans.map(Self.json))), ("costs", JSONText.array(Cost.all.map(Self.json))),
        ])
    }

    private static func json(_ plan: CapacityPlan) -> String {
        let workload = plan.workload
        let machine = plan.single.machine
        return JSONText.object([
            ("events_per_second", number(workload.eventsPerSecond)),
            ("peak_events_per_second", number(workload.peakRate)),
            ("single_events", number(workload.singleShare)), ("event_bytes", number(workload.eventBytes)),
            ("retention_days", number(workload.retentionDays)),
            ("reports_per_minute", number(workload.reportsPerMinute)),
            ("received_bytes_per_second_at_peak", number(workload.receivedBytes)),
            ("stored_events", number(workload.storedEvents)), ("cores", number(machine.cores)),
            ("memory_gib", number(machine.memoryGiB)), ("disk_tb", number(machine.diskTB)),
            ("breaks_first", plan.single.fits ? "null" : JSONText.string(plan.single.scarcest.rawValue)),
            ("databases", String(plan.databases)), ("collectors", String(plan.collectors)),
            ("largest_app_events_per_second", number(plan.largestApp)), ("one_database", json(plan.single)),
            ("each_database", json(plan.each)),
        ])
    }

    private static func json(_ load: DatabaseLoad) -> String {
        let uses = Resource.allCases.map { ($0.rawValue, number(load.use(of: $0))) }
        return JSONText.object([
            ("used_at_peak", JSONText.object(uses)), ("collectors", String(load.collectors)),
            ("connections", String(load.connections)), ("collector_cores_at_peak", number(load.collectorCores)),
            ("postgres_cores_at_peak", number(load.postgresCores)),
            ("rollup_worker_cores_at_peak", number(load.rollupCores)),
            ("disk_bytes_per_day", number(load.diskBytesPerDay)), ("disk_bytes", number(load.diskBytes)),
            ("wal_bytes_per_second_at_peak", number(load.walBytesAtPeak)),
            ("wal_bytes_per_day", number(load.walBytesPerDay)), ("random_key_bytes", number(load.randomKeyBytes)),
            ("not_in_memory", number(load.missShare)),
            ("longest_replies_report_seconds", number(load.longestRepliesPeriod)),
        ])
    }

    private static func json(_ cost: Cost) -> String {
        JSONText.object([
            ("name", JSONText.string(cost.name)), ("value", number(cost.value)),
            ("unit", JSONText.string(cost.unit.rawValue)), ("basis", JSONText.string(cost.basis.rawValue)),
            ("source", JSONText.string(cost.source)),
        ])
    }

    /// A number as JSON. All of them are finite, and none is negative.
    private static func number(_ value: Double) -> String {
        value == value.rounded() && value < 1e15 ? String(Int64(value)) : String(value)
    }
}
