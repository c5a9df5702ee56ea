package import Ingest
import Postgres
import SQLFiles

extension PostgresSink {
    /// Returns whether the database accepts groups, by storing an empty one.
    ///
    /// It uses the same statement as other groups, so it also fails because of a lock, a missing privilege or a
    /// read-only server. An empty group needs no room on the disk, so that is looked for, too.
    package func probe() async throws(SinkError) {
        let parameters =
            EventColumns.parameters([]) + [EventColumns.userTexts([])] + RejectionColumns.parameters([])
            + BatchColumns.repeats([:])
            // The probe has no events that could be of an erased device, so its list is never too old.
            + [.int8(Int64.max)]
        do {
            _ = try await pool.withConnection { connection in
                do {
                    try await connection.script(SQLFiles.probeDisk.text)
                } catch let error as PostgresError where error.kind == .server && error.sqlState != "53100" {
                    // Another error, such as one about a limit on temporary files, doesn't concern events.
                }
                return try await connection.query(SQLFiles.storeGroup.text, parameters, prepared: true)
            }
        } catch {
            throw await reason(for: error)
        }
    }
}
