import AfterpushWire
package import Ingest
package import Postgres
import SQLFiles

extension Registry {
    /// Declares sends and returns how many are new: those whose id is known already change nothing.
    ///
    /// - Parameter pool: of the role that takes events.
    package static func declareSends(
        _ sends: [DeclaredSend], app id: Int32, in pool: ConnectionPool
    ) async throws -> Int {
        try await pool.withConnection { connection in
            try await connection.execute(
                SQLFiles.putSends.text,
                [
                    .int4(id), .uuidArray(sends.map(\.id)), .textArray(sends.map(\.campaign)),
                    .textArray(sends.map(\.category)), .int4Array(sends.map(\.categoryVersion)),
                    .textArray(sends.map(\.variant)), .textArray(sends.map(\.platform?.rawValue)),
                    .int8Array(sends.map(\.count)), .int8Array(sends.map(\.failed)),
                    .timestampArray(sends.map(\.sentAt.microseconds)),
                ])
        }
    }
}
