import Events
import Postgres
import SQLFiles

/// Reserves undeclared names of an app in the database, within their quotas.
enum NameReservation {
    /// Reserves new names and returns the ones that exceed a quota.
    ///
    /// - Parameter pool: The pool of the ingest role.
    /// - Returns: The names that are not declared and could not be reserved.
    /// - Throws: An error for which `isLockTimeout` is true if the names of one of the apps stay locked.
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

    /// The time after which no further app is tried on its own, because senders wait.
    private static let tryTime: Duration = .milliseconds(1_500)

    /// Reserves new names of several apps. If those of one are locked for long, the names of others are reserved.
    ///
    /// - Returns: The names that exceed a quota, and the apps whose names are locked, or were not tried for lack of time.
    static func reserveByApp(
        _ names: [ReferencedName], _ limits: NameLimits, in pool: ConnectionPool
    ) async throws -> (refused: Set<ReferencedName>, locked: Set<Int32>) {
        let apps = Dictionary(grouping: names, by: \.appID)
        do {
            return (try await reserve(names, limits, in: pool), [])
        } catch let error as PostgresError where error.isLockTimeout {
            if apps.count == 1 { return ([], Set(apps.keys)) }
        }
        var refused: Set<ReferencedName> = []
        var locked: Set<Int32> = []
        let start = ContinuousClock.now
        for (app, names) in apps {
            do {
                guard start.duration(to: .now) < tryTime else {
                    locked.insert(app)
                    continue
                }
                refused.formUnion(try await reserve(names, limits, in: pool))
            } catch let error as PostgresError where error.isLockTimeout {
                locked.insert(app)
            }
        }
        return (refused, locked)
    }
}
