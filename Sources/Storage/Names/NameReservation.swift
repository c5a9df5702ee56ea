import Events
import Postgres
import SQLFiles

/// The undeclared names that an app has taken from its events, in the database.
enum NameReservation {
    /// Takes names that are new, within their quotas.
    ///
    /// - Parameter pool: of the role that takes events.
    /// - Returns: those that are neither declared nor taken.
    static func take(
        _ names: some Collection<ReferencedName>, _ limits: NameLimits, in pool: ConnectionPool
    ) async throws -> Set<ReferencedName> {
        guard !names.isEmpty else { return [] }
        let names = Array(names)
        let parameters: [Parameter] = [
            .int4Array(names.map(\.appID)), .textArray(names.map(\.kind.rawValue)), .textArray(names.map(\.parent)),
            .textArray(names.map(\.name)), .boolArray(names.map(\.verified)),
            .int4Array(names.map { Int32(clamping: limits.quota(of: $0.kind)) }),
        ]
        let refused = try await pool.withConnection { connection in
            try await connection.query(SQLFiles.callReserveNames.text, parameters, prepared: true).first?
                .decode([Int32].self, column: 0)
        }
        return Set((refused ?? []).map { names[Int($0) - 1] })
    }
}
