import Postgres
import SQLFiles

extension PostgresSink {
    /// Whether the database takes groups: stores one that is empty.
    ///
    /// It goes through the same statement as any other, so that a lock, a missing privilege or a read-only server that
    /// stops groups stops this one as well.
    package func takesGroups() async -> Bool {
        let parameters =
            EventColumns.parameters([]) + [EventColumns.userTexts([])] + RejectionColumns.parameters([])
            + BatchColumns.repeats([:])
        let rows = try? await pool.withConnection { connection in
            try await connection.query(SQLFiles.storeGroup.text, parameters, prepared: true)
        }
        return rows != nil
    }
}
