import Events
import Postgres
import SQLFiles

/// Reserves undeclared names of an app in the database, within their quotas.
enum NameReservation {
    /// Reserves new names and returns the ones that exceed a quota.
    ///
    /// - Parameter pool: The pool of the ingest role.
    /// - Returns: The names that are not declared and could not be reserved.
    static func reserve(
        _ names: some Collection<ReferencedName>, _ limits: NameLimits, of owner: Int32? = nil, in pool: ConnectionPool
    ) async throws -> Set<ReferencedName> {
        guard !names.isEmpty else { return [] }
        let names = Array(names)
        let parameters: [Parameter] = [
            .int4Array(names.map(\.appID)), .textArray(names.map(\.kind.rawValue)), .textArray(names.map(\.parent)),
            .textArray(names.map(\.name)), .textArray(names.map(\.source.rawValue)),
            .int4Array(names.map { Int32(clamping: limits.quota(of: $0.kind, from: $0.source)) }),
        ]
        let refused = try await pool.withConnection(of: owner) { connection in
            try await connection.query(SQLFiles.callReserveNames.text, parameters, prepared: true).first?
                .decode([Int32].self, column: 0)
        }
        return Set((refused ?? []).map { names[Int($0) - 1] })
    }
}
