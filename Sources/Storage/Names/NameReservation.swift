import Events
import Postgres
import SQLFiles

/// Reserves undeclared names of apps in the database, within their quotas.
///
/// Each statement has a bounded number of names and commits by itself. So a request with very many new names keeps the
/// lock of its app for a short time only, and if it has to be tried again, goes on where it ended.
package struct NameReservation: Sendable {
    /// The most names in a statement. So many new ones take about a tenth of a second.
    package var namesPerStatement = 2_000
    /// The time after which no further statement begins, because senders wait.
    package var time: Duration = .milliseconds(1_500)
    /// The time limit of a statement, if there are several.
    package var statementTime: Duration = .seconds(1)

    package init() {}

    /// What became of the names of a group's events.
    struct Outcome {
        /// The names that are declared or reserved.
        var reserved: [ReferencedName] = []
        /// The names that exceed a quota.
        var refused: Set<ReferencedName> = []
        /// The apps that have names left, because these are locked, or because there was no time for them.
        var unfinishedApps: Set<Int32> = []

        /// Whether names of an unfinished app were reserved, so that the next attempt has fewer of them.
        var hasProgressed: Bool { reserved.contains { unfinishedApps.contains($0.appID) } }
    }

    /// Reserves new names of one app and returns the ones that exceed a quota.
    ///
    /// - Parameter pool: The pool of the ingest role.
    /// - Returns: The names that are not declared and could not be reserved.
    /// - Throws: An error for which `isLockTimeout` is true if the names of the app stay locked.
    func reserve(
        _ names: [ReferencedName], _ limits: NameLimits, of owner: Int32, in pool: ConnectionPool
    ) async throws -> Set<ReferencedName> {
        var refused: Set<ReferencedName> = []
        for piece in pieces(of: names) {
            refused.formUnion(try await Self.reserve(piece, limits, within: nil, of: owner, in: pool))
        }
        return refused
    }

    /// Reserves new names of several apps. If those of one are locked for long, or very many, the names of others are
    /// reserved.
    func reserveByApp(
        _ names: [ReferencedName], _ limits: NameLimits, in pool: ConnectionPool
    ) async throws -> Outcome {
        var outcome = Outcome()
        // The next piece is the last one.
        var waiting = Array(pieces(of: names).reversed())
        let limit = waiting.count > 1 ? statementTime : nil
        let start = ContinuousClock.now
        var isFirst = true
        while let next = waiting.popLast() {
            let piece = next.filter { !outcome.unfinishedApps.contains($0.appID) }
            let apps = Set(piece.map(\.appID))
            guard !apps.isEmpty else { continue }
            guard isFirst || start.duration(to: .now) < time else {
                outcome.unfinishedApps.formUnion(apps)
                continue
            }
            isFirst = false
            do {
                let refused = try await Self.reserve(piece, limits, within: limit, in: pool)
                outcome.refused.formUnion(refused)
                outcome.reserved += piece.filter { !refused.contains($0) }
            } catch let error as PostgresError where error.isLockTimeout || error.isCancelled {
                if apps.count == 1 {
                    outcome.unfinishedApps.formUnion(apps)
                } else {
                    waiting.append(contentsOf: Dictionary(grouping: piece, by: \.appID).values)
                }
            }
        }
        return outcome
    }

    /// Divides names into those of a statement each.
    ///
    /// Apps with few names come first, and those of an app in the order in which `reserve_names` adds them: it would
    /// refuse a name whose parent is in a later piece.
    func pieces(of names: [ReferencedName]) -> [[ReferencedName]] {
        guard names.count > namesPerStatement else { return names.isEmpty ? [] : [names] }
        let apps = Dictionary(grouping: names, by: \.appID).sorted { one, other in
            (one.value.count, one.key) < (other.value.count, other.key)
        }
        let sorted = apps.flatMap { app in app.value.sorted { $0.step < $1.step } }
        return stride(from: 0, to: sorted.count, by: namesPerStatement).map { start in
            Array(sorted[start..<min(start + namesPerStatement, sorted.count)])
        }
    }

    private static func reserve(
        _ names: [ReferencedName], _ limits: NameLimits, within limit: Duration?, of owner: Int32? = nil,
        in pool: ConnectionPool
    ) async throws -> Set<ReferencedName> {
        let parameters: [Parameter] = [
            .int4Array(names.map(\.appID)), .textArray(names.map(\.kind.rawValue)), .textArray(names.map(\.parent)),
            .textArray(names.map(\.name)), .textArray(names.map(\.source.rawValue)),
            .int4Array(names.map { Int32(clamping: limits.quota(of: $0.kind, from: $0.source)) }),
        ]
        let statement = SQLFiles.callReserveNames.text
        let rows = try await pool.withConnection(of: owner) { connection in
            guard let limit else { return try await connection.query(statement, parameters, prepared: true) }
            return try await connection.transaction { connection in
                try connection.limitStatements(to: limit)
                return try connection.query(statement, parameters, prepared: true)
            }
        }
        let refused = try rows.first?.decode([Int32].self, column: 0)
        return Set((refused ?? []).map { names[Int($0) - 1] })
    }
}

extension ReferencedName {
    /// The place of its step in `reserve_names`: parents come first, then what is most trustworthy.
    fileprivate var step: Int {
        let rank =
            switch source {
            case .server: 0
            case .receipt: 1
            case .unverified: 2
            }
        return kind == .variant || kind == .categoryVersion ? rank + 3 : rank
    }
}
