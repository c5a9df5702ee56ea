package import Instruments
package import Postgres
import SQLFiles

/// What only the database knows of how the collector is doing.
package struct DatabaseHealth: Sendable, Hashable {
    /// Age of the oldest batch that is not rolled up, by the database's clock; 0 when none waits.
    package let rollupLagSeconds: Double
    /// Counted up to `limit`.
    package let waitingBatches: Int
    package let waitingEvents: Int
    /// Months in a row, from the present one on, that have a partition.
    package let partitionsAhead: Int
    /// Events that no month's partition takes, counted up to `limit`.
    package let defaultEvents: Int

    /// Counting is not to become work itself.
    package static let limit = 10_000

    /// - Parameter connection: of the role that writes deliveries and rollups.
    package init(_ connection: Connection) async throws {
        // An aggregate has a row, always.
        let row = try await connection.query(
            SQLFiles.readDatabaseHealth.text, [.int4(Int32(Self.limit))], prepared: true)[0]
        rollupLagSeconds = try row.decode(Double.self, column: 0)
        waitingBatches = Int(try row.decode(Int64.self, column: 1))
        waitingEvents = Int(try row.decode(Int64.self, column: 2))
        partitionsAhead = Int(try row.decode(Int32.self, column: 3))
        defaultEvents = Int(try row.decode(Int64.self, column: 4))
    }

    /// Whether storing more has to wait for the rollups: a run of theirs that is full takes about a second.
    package var isBehind: Bool { rollupLagSeconds > 2 }

    package var families: [MetricFamily] {
        [
            .gauge(
                "afterpush_rollup_lag_seconds",
                "Age of the oldest batch that is not in the rollups; 0 if there is none.",
                rollupLagSeconds),
            .gauge(
                "afterpush_rollup_waiting_batches", "Batches that are not in the rollups, counted up to 10000.",
                Double(waitingBatches)),
            .gauge("afterpush_rollup_waiting_events", "Events of those batches.", Double(waitingEvents)),
            .gauge(
                "afterpush_partitions_ahead",
                "Consecutive months with a partition of events, from the current month on; 0 if it has none.",
                Double(partitionsAhead)),
            .gauge(
                "afterpush_default_partition_events", "Events outside all monthly partitions, counted up to 10000.",
                Double(defaultEvents)),
        ]
    }
}
