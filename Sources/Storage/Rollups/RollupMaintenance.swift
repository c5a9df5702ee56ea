package import Postgres
import SQLFiles

/// Verifies deliveries and rollups against the layer that each is computed from, and rebuilds them.
package struct RollupMaintenance: Sendable {
    /// A row of a layer that differs from its recomputation from the previous layer.
    package struct Difference: Sendable {
        package let layer: String
        package let row: String
    }

    private let pool: ConnectionPool

    /// Creates a maintenance.
    ///
    /// - Parameter pool: The pool of the owner role.
    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// Returns all differences between the layers and their recomputations.
    package func verify() async throws -> [Difference] {
        try await pool.withConnection { connection in
            try await connection.query(SQLFiles.callRollupVerify.text).map { row in
                let (layer, row) = try row.decode(String.self, String.self)
                return Difference(layer: layer, row: row)
            }
        }
    }

    /// Recomputes deliveries from events, and rollups from deliveries, without stopping ingest.
    package func rebuild() async throws {
        try await pool.withConnection { connection in
            _ = try await connection.query(SQLFiles.callRollupRebuild.text)
        }
    }

    /// Updates the planner's statistics of events and deliveries.
    ///
    /// Autovacuum does this only a minute or more after a bulk load. Without statistics, the report `influence` takes
    /// 60 times as long with the demo's data.
    package func analyze() async throws {
        _ = try await pool.withConnection { connection in
            try await connection.execute("analyze afterpush.events, afterpush.deliveries")
        }
    }

    /// Returns the number of stored batches that are not in the rollups yet: those of an app, or of all.
    package func waitingBatches(of app: Int32? = nil) async throws -> Int64 {
        try await pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.countWaitingBatches.text, [.int4(app)])
            return try rows.first?.decode(Int64.self, column: 0) ?? 0
        }
    }
}
