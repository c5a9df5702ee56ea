package import Postgres
import SQLFiles

/// Verifies the layers of tables against each other, and rebuilds the later ones.
package struct RollupMaintenance: Sendable {
    /// A place where a layer is not what the one before it makes of it.
    package struct Difference: Sendable {
        package let layer: String
        package let row: String
    }

    private let pool: ConnectionPool

    /// - Parameter pool: of the owner.
    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// Every difference between a layer and its recomputation; none when all is well.
    package func verify() async throws -> [Difference] {
        try await pool.withConnection { connection in
            try await connection.query(SQLFiles.callRollupVerify.text).map { row in
                let (layer, row) = try row.decode(String.self, String.self)
                return Difference(layer: layer, row: row)
            }
        }
    }

    /// Recomputes deliveries from events and rollups from deliveries, while events keep coming in.
    package func rebuild() async throws {
        try await pool.withConnection { connection in
            _ = try await connection.query(SQLFiles.callRollupRebuild.text)
        }
    }

    /// Updates the planner's statistics of events and deliveries, which autovacuum does a minute or more after a fill.
    ///
    /// Without them, `influence` over the demo's data takes 60 times as long.
    package func analyze() async throws {
        try await pool.withConnection { connection in
            try await connection.execute("analyze afterpush.events, afterpush.deliveries")
        }
    }

    /// Batches that are stored and not in the rollups yet.
    package func waitingBatches() async throws -> Int64 {
        try await pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.countWaitingBatches.text)
            return try rows.first?.decode(Int64.self, column: 0) ?? 0
        }
    }
}
