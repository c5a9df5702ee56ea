package import AfterpushWire
package import Postgres
import SQLFiles
package import Spool

/// A store of the spools' status in the database.
package struct PostgresSpoolStatusStore: SpoolStatusStore {
    private let pool: ConnectionPool

    /// Creates a store.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    package func put(
        _ spool: String, events: Int, oldest: AfterpushWire.Timestamp?, isClosed: Bool
    ) async throws {
        let oldest = oldest.map { Parameter.unknown($0.description) } ?? .unknown(nil)
        _ = try await pool.withConnection { connection in
            try await connection.query(
                SQLFiles.upsertSpoolStatus.text, [.text(spool), .int8(Int64(events)), oldest, .bool(isClosed)],
                prepared: true)
        }
    }

    package func close(_ spools: [String]) async throws {
        try await close(spools, areUnused: false)
    }

    /// Closes the status of spools that are empty and not in use.
    package func close(_ spools: UnusedSpools) async throws {
        try await close(spools.identities, areUnused: true)
    }

    private func close(_ spools: [String], areUnused: Bool) async throws {
        guard !spools.isEmpty else { return }
        _ = try await pool.withConnection { connection in
            try await connection.query(
                SQLFiles.closeSpoolStatus.text, [.textArray(spools), .bool(areUnused)], prepared: true)
        }
    }
}
