package import Instruments

/// What is counted where groups meet the database.
package struct SinkMetrics: Sendable {
    package let retries = Counter<SQLStateLabel>(
        "afterpush_retries_total", "Group transactions that were retried, by SQLSTATE.")
    package let failures = Counter<SQLStateLabel>(
        "afterpush_storage_failures_total", "Groups that could not be stored, by SQLSTATE.")
    package let conflicts = Counter<NoLabels>(
        "afterpush_conflicts_total", "Duplicates whose content differs from the stored event; the stored event is kept."
    )

    package init() {}

    package var families: [MetricFamily] {
        let metrics: [any Metric] = [retries, failures, conflicts]
        return metrics.map(\.family)
    }
}
