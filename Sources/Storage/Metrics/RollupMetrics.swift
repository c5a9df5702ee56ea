package import Instruments

/// What is counted of the rollup worker's runs.
package struct RollupMetrics: Sendable {
    package enum Run: String, Label {
        case merged
        /// Nothing waited, or another collector's worker is at it.
        case idle
        case failed

        package static let labelName = "outcome"
    }

    package let runs = Counter<Run>("afterpush_rollup_runs_total", "Runs of the rollup worker, by outcome.")
    package let events = Counter<NoLabels>("afterpush_rollup_events_total", "Events merged into the rollups.")
    package let durations = Histogram<NoLabels>(
        "afterpush_rollup_run_seconds", "Duration of a run that merged events.", bounds: .latencies + [20, 60])

    package init() {}

    package var families: [MetricFamily] {
        let metrics: [any Metric] = [runs, events, durations]
        return metrics.map(\.family)
    }
}
