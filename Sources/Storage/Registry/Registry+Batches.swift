import Postgres
import SQLFiles

extension Registry {
    /// The number of the last batch; 0 if there is none.
    package func lastBatch() async throws -> Int64 {
        try await self.pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.findLastBatch.text)
            return try rows.first?.decode(Int64.self, column: 0) ?? 0
        }
    }
}
