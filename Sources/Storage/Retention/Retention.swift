package import Postgres

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
            case .obstacle(let reason): "retention does not run: \(reason)"
            case .behind: "retention does not run: events wait to be merged, and nothing was sealed"
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
                """
                select what, item, affected
                from afterpush.retention_plan(
                    make_interval(secs => $1), make_interval(secs => $2), make_interval(secs => $3)
                )
                """, [seconds(periods.events), seconds(periods.deliveries), seconds(periods.rejected)]
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
        if let reason = try await value(String?.self, "select afterpush.retention_blocker()") ?? nil {
            throw Failure.obstacle(reason)
        }
        let planned = try await plan()
        var gone: [Item] = []
        if periods.events != nil {
            try await seal()
            gone += try await dropMonths(planned)
            gone += try await repeated("events", "in the default partition") {
                "select afterpush.purge_default_events(\($0))"
            }
        }
        // A delivery goes after its replies.
        gone += try await repeated("replies", "past the text retention of their category or app") {
            "select afterpush.purge_replies(\($0))"
        }
        gone += try await purgeDeliveries()
        if let rejected = periods.rejected {
            gone += try await repeated("rejected", "past their time") {
                "select afterpush.purge_rejected(now() - make_interval(secs => \(rejected)), \($0))"
            }
        }
        try await foldBatches()
        _ = try await value(
            Int32.self,
            "with done as (update afterpush.retention_state set last_run_at = now() returning 1) select 1 from done"
        )
        return gone
    }

    /// Announces what is to be sealed, and seals it once all before it is merged.
    private func seal() async throws {
        try await pool.withConnection { connection in
            _ = try await connection.query(
                "select afterpush.announce_seal(afterpush.retention_cutoff(make_interval(secs => $1)))",
                [seconds(periods.events)])
        }
        let deadline = ContinuousClock.now + .seconds(120)
        while try await text("select afterpush.advance_seal()") != "sealed" {
            guard ContinuousClock.now < deadline else { throw Failure.behind }
            try await merge()
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func dropMonths(_ planned: [Item]) async throws -> [Item] {
        var gone: [Item] = []
        while let month = try await text("select afterpush.drop_expired_partition()") {
            gone.append(Item(what: "events", item: month, rows: planned.first { $0.item == month }?.rows ?? 0))
        }
        return gone
    }

    private func purgeDeliveries() async throws -> [Item] {
        guard let kept = periods.deliveries else { return [] }
        var block: Int64 = 0
        var rows: Int64 = 0
        while let purged = try await value(
            Int64?.self,
            "select afterpush.purge_deliveries(afterpush.retention_cutoff(make_interval(secs => \(kept))), \(block), \(Self.blocksAtOnce))"
        ) ?? nil {
            rows += purged
            block += Int64(Self.blocksAtOnce)
        }
        return rows > 0 ? [Item(what: "deliveries", item: "of sealed hours", rows: rows)] : []
    }

    private func foldBatches() async throws {
        var last: Int64? = 0
        while let after = last {
            last = try await value(Int64?.self, "select afterpush.compact_batches(\(after), 50000)") ?? nil
        }
    }

    /// Runs a statement until it deletes fewer rows than it may.
    private func repeated(_ what: String, _ item: String, _ sql: (Int32) -> String) async throws -> [Item] {
        var rows: Int64 = 0
        var deleted: Int64
        repeat {
            deleted = try await value(Int64.self, sql(Self.rowsAtOnce)) ?? 0
            rows += deleted
        } while deleted >= Int64(Self.rowsAtOnce)
        return rows > 0 ? [Item(what: what, item: item, rows: rows)] : []
    }

    private func text(_ sql: String) async throws -> String? {
        try await value(String?.self, sql) ?? nil
    }

    /// What a statement gives. It waits for its locks two seconds at most, lets those pass who queued up behind it, and
    /// tries again.
    private func value<T: PostgresDecodable & Sendable>(_ type: T.Type, _ sql: String) async throws -> T? {
        var attempt = 0
        while true {
            do {
                return try await pool.withConnection { connection in
                    try await connection.transaction { connection in
                        try connection.execute("set local lock_timeout = '2s'")
                        return try connection.query(sql).first?.decode(T.self, column: 0)
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
