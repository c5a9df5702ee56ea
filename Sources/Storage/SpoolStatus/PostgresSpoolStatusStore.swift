package import AfterpushWire
package import Postgres
import SQLFiles
import Spool

/// A store of the spools' status in the database.
package struct PostgresSpoolStatusStore: SpoolStatusStore {
    private let pool: ConnectionPool

    /// Creates a store.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    package func put(place: String, events: Int, oldest: AfterpushWire.Timestamp?) async throws {
        let oldest = oldest.map { Parameter.unknown($0.description) } ?? .unknown(nil)
        _ = try await pool.withConnection { connection in
            try await connection.query(
                SQLFiles.upsertSpoolStatus.text, [.text(place), .int8(Int64(events)), oldest], prepared: true)
        }
    }
}
