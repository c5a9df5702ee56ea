package import Postgres
import SQLFiles

/// Drops what is past: events and deliveries of sealed hours, replies, refused events, and rows about old batches.
///
/// Each step is a transaction of its own and finds out for itself what is left to do, so a kill in between costs nothing.
package struct Retention: Sendable {
    /// What is in the way.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case obstacle(String)
        case behind

        package var description: String {
            switch self {
            case .obstacle(let reason): "retention can't run: \(reason)"
            case .behind: "retention can't run yet: events are waiting to be merged, and no hour is sealed"
            }
        }
    }

    /// What goes, or has gone.
    package struct Item: Sendable, Equatable {
        package let what: String
        package let item: String
        /// About, for whole months.
        package let rows: Int64
    }

    private let pool: ConnectionPool
    private let periods: RetentionPeriods
    /// Has what waits merged.
    private let merge: @Sendable () async throws -> Void
    private static let rowsAtOnce: Int32 = 5_000
    private static let blocksAtOnce: Int32 = 1_000
    private static let batchesAtOnce: Int32 = 50_000

    /// - Parameters:
    ///   - pool: of the owner.
    ///   - merge: called while batches have to be merged before hours can be sealed.
    package init(
        pool: ConnectionPool, _ periods: RetentionPeriods, merge: @escaping @Sendable () async throws -> Void
    ) {
        self.pool = pool
        self.periods = periods
        self.merge = merge
    }

    /// What `run` would do now.
    package func plan() async throws -> [Item] {
        try await pool.withConnection { connection in
            try await connection.query(
                SQLFiles.callRetentionPlan.text,
                [seconds(periods.events), seconds(periods.deliveries), seconds(periods.rejected)]
            ).map { row in
                let (what, item, rows) = try row.decode(String.self, String.self, Int64.self)
                return Item(what: what, item: item, rows: rows)
            }
        }
    }

    /// Drops what is past.
    ///
    /// - Returns: what has gone.
    package func run() async throws -> [Item] {
        if let reason = try await value(String?.self, SQLFiles.callRetentionBlocker) ?? nil {
            throw Failure.obstacle(reason)
        }
        let planned = try await plan()
        var gone: [Item] = []
        if periods.events != nil {
            try await seal()
            gone += try await dropMonths(planned)
            gone += try await repeated("events", "in the default partition", SQLFiles.callPurgeDefaultEvents)
        }
        // A delivery goes after its replies.
        gone += try await repeated(
            "replies", "past the text retention of their category or app", SQLFiles.callPurgeReplies)
        gone += try await purgeDeliveries()
        if periods.rejected != nil {
            gone += try await repeated(
                "rejected", "past their retention period", SQLFiles.callPurgeRejected, [seconds(periods.rejected)])
        }
        try await foldBatches()
        _ = try await value(Int32.self, SQLFiles.recordRetentionRun)
        return gone
    }

    /// Announces what is to be sealed, and seals it once all before it is merged.
    private func seal() async throws {
        try await pool.withConnection { connection in
            _ = try await connection.query(SQLFiles.callAnnounceSeal.text, [seconds(periods.events)])
        }
        let deadline = ContinuousClock.now + .seconds(120)
        while try await text(SQLFiles.callAdvanceSeal) != "sealed" {
            guard ContinuousClock.now < deadline else { throw Failure.behind }
            try await merge()
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func dropMonths(_ planned: [Item]) async throws -> [Item] {
        var gone: [Item] = []
        while let month = try await text(SQLFiles.callDropExpiredPartition) {
            gone.append(Item(what: "events", item: month, rows: planned.first { $0.item == month }?.rows ?? 0))
        }
        return gone
    }

    private func purgeDeliveries() async throws -> [Item] {
        guard periods.deliveries != nil else { return [] }
        var block: Int64 = 0
        var rows: Int64 = 0
        while let purged = try await value(
            Int64?.self, SQLFiles.callPurgeDeliveries,
            [seconds(periods.deliveries), .int8(block), .int4(Self.blocksAtOnce)]
        ) ?? nil {
            rows += purged
            block += Int64(Self.blocksAtOnce)
        }
        return rows > 0 ? [Item(what: "deliveries", item: "of sealed hours", rows: rows)] : []
    }

    private func foldBatches() async throws {
        var last: Int64? = 0
        while let after = last {
            last =
                try await value(
                    Int64?.self, SQLFiles.callCompactBatches, [.int8(after), .int4(Self.batchesAtOnce)]) ?? nil
        }
    }

    /// Runs a statement, whose first parameter is the number of rows, until it deletes fewer.
    private func repeated(
        _ what: String, _ item: String, _ statement: SQLFile, _ parameters: [Parameter] = []
    ) async throws -> [Item] {
        var rows: Int64 = 0
        var deleted: Int64
        repeat {
            deleted = try await value(Int64.self, statement, [.int4(Self.rowsAtOnce)] + parameters) ?? 0
            rows += deleted
        } while deleted >= Int64(Self.rowsAtOnce)
        return rows > 0 ? [Item(what: what, item: item, rows: rows)] : []
    }

    private func text(_ statement: SQLFile) async throws -> String? {
        try await value(String?.self, statement) ?? nil
    }

    /// Runs a statement and returns the first value.
    ///
    /// It waits at most two seconds for a lock, so that it does not hold up those who wait behind it, and tries again.
    private func value<T: PostgresDecodable & Sendable>(
        _ type: T.Type, _ statement: SQLFile, _ parameters: [Parameter] = []
    ) async throws -> T? {
        var attempt = 0
        while true {
            do {
                return try await pool.withConnection { connection in
                    try await connection.transaction { connection in
                        try connection.execute("set local lock_timeout = '2s'")
                        return try connection.query(statement.text, parameters).first?.decode(T.self, column: 0)
                    }
                }
            } catch let error as PostgresError where error.isRetryable && attempt < 10 {
                attempt += 1
                try await Task.sleep(for: .milliseconds(Int.random(in: 200...2_000)))
            }
        }
    }

    private func seconds(_ period: Int64?) -> Parameter {
        .float8(period.map { Double($0) })
    }
}
