import Foundation
package import Instruments
package import Postgres
import SQLFiles

/// The state of rollups and partitions, as read from the database.
package struct DatabaseHealth: Sendable, Hashable {
    /// The age of the oldest batch that is not in the rollups, by the database's clock; 0 if all are.
    package let rollupLagSeconds: Double
    /// The number of batches that are not in the rollups, counted up to `limit`.
    package let waitingBatches: Int
    /// The number of events in those batches.
    package let waitingEvents: Int
    /// The number of consecutive months with a partition, from the current month on.
    package let partitionsAhead: Int
    /// The number of events outside all monthly partitions, counted up to `limit`.
    package let defaultEvents: Int
    /// The seconds by which the database's clock is ahead of the collector's.
    package let clockDifferenceSeconds: Double
    /// The lag of the apps that are merged together; the others wait for their own events alone.
    private let sharedLagSeconds: Double

    /// The number at which counting stops, so that it stays cheap.
    package static let limit = 10_000

    /// Reads the health.
    ///
    /// - Parameter connection: A connection of the worker role.
    package init(_ connection: Connection) async throws {
        let before = Date().timeIntervalSince1970
        // An aggregate always returns a row.
        let row = try await connection.query(
            SQLFiles.readDatabaseHealth.text, [.int4(Int32(Self.limit))], prepared: true)[0]
        rollupLagSeconds = try row.decode(Double.self, column: 0)
        waitingBatches = Int(try row.decode(Int64.self, column: 1))
        waitingEvents = Int(try row.decode(Int64.self, column: 2))
        partitionsAhead = Int(try row.decode(Int32.self, column: 3))
        defaultEvents = Int(try row.decode(Int64.self, column: 4))
        let after = Date().timeIntervalSince1970
        clockDifferenceSeconds = try row.decode(Double.self, column: 5) - (before + after) / 2
        sharedLagSeconds = try row.decode(Double.self, column: 6)
    }

    /// Whether ingest has to wait because the rollups are behind; a full run takes about a second.
    package var isBehind: Bool { sharedLagSeconds > 2 }

    package var families: [MetricFamily] {
        [
            .gauge(
                "afterpush_rollup_lag_seconds",
                "Age of the oldest batch that is not in the rollups; 0 if all are.",
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
            .gauge(
                "afterpush_database_clock_difference_seconds",
                "Seconds by which the database's clock is ahead of the collector's.", clockDifferenceSeconds),
        ]
    }
}
