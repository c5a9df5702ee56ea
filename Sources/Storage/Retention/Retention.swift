import Foundation
package import Postgres
import SQLFiles

/// Deletes expired data: events and deliveries of sealed hours, replies, rejected events, and rows about old batches.
///
/// Each step is a separate transaction and finds the remaining work itself, so an interrupted run loses nothing.
package struct Retention: Sendable {
    /// An error that prevents a run.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case obstacle(String)
        case behind
        /// Conversions are being counted by a changed window.
        case recounting
        case clocksDiffer
        /// While a month was being archived, retention sealed further hours. The month is not deleted.
        case sealMoved(month: String)
        /// While a month was being archived or was about to be deleted, another run of retention deleted it, or this one
        /// did and lost the reply.
        case monthDeleted(String)

        package var description: String {
            switch self {
            case .obstacle(let reason): "retention can't run: \(reason)"
            case .behind: "retention can't run yet: events are waiting to be merged, and no hour is sealed"
            case .recounting:
                "retention can't run yet: conversions are being counted by a changed window, and no hour is sealed"
            case .clocksDiffer:
                "retention does not run: the clocks of the database and of this host differ by more than five minutes"
            case .sealMoved(let month):
                "retention sealed further hours while \(month) was being archived; run the command again"
            case .monthDeleted(let month):
                "\(month) is deleted already, by another run of retention, or by this one before its connection was lost"
            }
        }
    }

    /// A group of rows that a run deletes or has deleted.
    package struct Item: Sendable, Equatable {
        /// The kind of rows, such as `events`.
        package let what: String
        /// The month, or a description of the group.
        package let item: String
        /// The number of rows, which is an estimate for whole months.
        package let rows: Int64
    }

    let pool: ConnectionPool
    /// On whose account connections are lent.
    private let owner: Int32?
    let periods: RetentionPeriods
    /// Merges waiting batches into the rollups.
    let merge: @Sendable () async throws -> Void
    /// The collector's clock, in microseconds since 1970.
    private let clock: @Sendable () -> Int64
    let reportTimeout: Duration
    /// How long a step waits for a connection, which another use of the same account can have for minutes.
    static let connectionWait: Duration = .seconds(600)
    private static let rowsAtOnce: Int32 = 5_000
    private static let blocksAtOnce: Int32 = 1_000
    private static let batchesAtOnce: Int32 = 50_000

    /// Creates a retention.
    ///
    /// - Parameters:
    ///   - pool: The pool of the owner role.
    ///   - owner: On whose account `run` takes its connections, one at a time. Deleting archived months takes two, and can't
    ///     go on with an owner that may have only one.
    ///   - clock: The collector's clock, in microseconds since 1970. What it says is not expired is kept, whatever the
    ///     database's clock says, and the other way round.
    ///   - reportTimeout: How long to wait until the collectors have reported that their spools are empty.
    ///   - merge: Merges waiting batches into the rollups, and counts conversions by changed windows. It is called
    ///     repeatedly until hours can be sealed, so it should do a part of it.
    package init(
        pool: ConnectionPool, owner: Int32? = nil, _ periods: RetentionPeriods,
        clock: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000_000) },
        reportTimeout: Duration = .seconds(30),
        merge: @escaping @Sendable () async throws -> Void
    ) {
        self.pool = pool
        self.owner = owner
        self.periods = periods
        self.clock = clock
        self.reportTimeout = reportTimeout
        self.merge = merge
    }

    /// Returns what `run` would delete now.
    package func plan() async throws -> [Item] {
        try await step { connection in
            try connection.query(
                SQLFiles.callRetentionPlan.text,
                [seconds(periods.events), seconds(periods.deliveries), seconds(periods.rejected)]
            ).map { row in
                let (what, item, rows) = try row.decode(String.self, String.self, Int64.self)
                return Item(what: what, item: item, rows: rows)
            }
        }
    }

    /// Returns the moment before which `run` would seal hours that are not sealed yet, or nil if it would seal none.
    package func nextSeal() async throws -> String? {
        guard periods.events != nil else { return nil }
        return try await value(String.self, SQLFiles.nextSeal, [seconds(periods.events)])
    }

    /// Compares the clocks of the database and of this host.
    ///
    /// - Throws: `Failure.clocksDiffer` if they differ too much for a run.
    package func checkClocks() async throws {
        try await step { _ in }
    }

    /// Deletes expired data and returns what it deleted.
    ///
    /// What does not need a seal comes first, because a seal may have to wait.
    ///
    /// - Parameter onDeleted: Called with each item that was deleted, also if the run then fails.
    @discardableResult
    package func run(onDeleted: (Item) -> Void = { _ in }) async throws -> [Item] {
        try await checkObstacles()
        let planned = try await plan()
        var deleted: [Item] = []
        func add(_ items: [Item]) {
            deleted += items
            for item in items { onDeleted(item) }
        }
        // A delivery is deleted after its replies.
        add(try await purgeReplies())
        if periods.rejected != nil {
            add(
                try await purge("rejected", "past their retention period", SQLFiles.callPurgeRejected) {
                    [seconds(periods.rejected)]
                })
        }
        try await compactBatches()
        if periods.events != nil {
            try await seal()
            add(try await dropMonths(planned))
            add(try await purge("events", "in the default partition", SQLFiles.callPurgeDefaultEvents))
            _ = try await value(Int32.self, SQLFiles.callDropEmptyKeptPartitions)
            try await patientStep { try $0.execute(SQLFiles.callTrimKeptPartitionsAgain.text) }
            add(try await trimKeptPartitions())
        }
        add(try await purgeDeliveries())
        _ = try await value(Int32.self, SQLFiles.recordRetentionRun)
        return deleted
    }

    func checkObstacles() async throws {
        if let reason = try await value(String?.self, SQLFiles.callRetentionBlocker) ?? nil {
            throw Failure.obstacle(reason)
        }
    }

    private func dropMonths(_ planned: [Item]) async throws -> [Item] {
        var dropped: [Item] = []
        while let month = try await nextExpiredMonth() {
            do {
                try await delete(month)
            } catch Failure.monthDeleted, Failure.sealMoved {
                // Another run is at work; what is left is found again.
                continue
            }
            let rows = planned.first { $0.item == month.partition }?.rows ?? 0
            dropped.append(Item(what: "events", item: month.partition, rows: rows))
        }
        return dropped
    }

    /// Deletes expired events of months that could not be dropped, because they have many events that are still needed.
    func trimKeptPartitions() async throws -> [Item] {
        var rows: Int64 = 0
        while let deleted = try await value(Int64?.self, SQLFiles.callTrimKeptPartition) ?? nil { rows += deleted }
        return rows > 0 ? [Item(what: "events", item: "of months with events that are still needed", rows: rows)] : []
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

    private func compactBatches() async throws {
        var last: Int64? = 0
        while let after = last {
            last =
                try await value(
                    Int64?.self, SQLFiles.callCompactBatches, [.int8(after), .int4(Self.batchesAtOnce)]) ?? nil
        }
    }

    /// Runs a statement that deletes as many rows as its first parameter says, until it deletes fewer.
    func purge(
        _ what: String, _ item: String, _ statement: SQLFile, _ parameters: () -> [Parameter] = { [] }
    ) async throws -> [Item] {
        var rows: Int64 = 0
        var deleted: Int64
        repeat {
            deleted = try await value(Int64.self, statement, [.int4(Self.rowsAtOnce)] + parameters()) ?? 0
            rows += deleted
        } while deleted >= Int64(Self.rowsAtOnce)
        return rows > 0 ? [Item(what: what, item: item, rows: rows)] : []
    }

    func text(_ statement: SQLFile) async throws -> String? {
        try await value(String?.self, statement) ?? nil
    }

    /// Runs a statement and returns its first value.
    func value<T: PostgresDecodable & Sendable>(
        _ type: T.Type, _ statement: SQLFile, _ parameters: [Parameter] = []
    ) async throws -> T? {
        try await patientStep { connection in
            try connection.query(statement.text, parameters).first?.decode(T.self, column: 0)
        }
    }

    /// Runs a transaction that waits at most two seconds for a lock, so that queries that queue behind it can continue,
    /// and retries.
    func patientStep<T: Sendable>(_ body: @Sendable (isolated Connection) throws -> T) async throws -> T {
        var attempt = 0
        while true {
            do {
                return try await step { connection in
                    try connection.execute("set local lock_timeout = '2s'")
                    return try body(connection)
                }
            } catch let error as PostgresError where error.isRetryable && attempt < 10 {
                attempt += 1
                try await Task.sleep(for: .milliseconds(Int.random(in: 200...2_000)))
            }
        }
    }

    /// Runs a transaction, in which the database knows the collector's clock and refuses to go on if its own differs.
    func step<T: Sendable>(
        _ body: @Sendable (isolated Connection) throws -> T
    ) async throws -> T {
        do {
            return try await pool.withConnection(of: owner, within: Self.connectionWait) { connection in
                try await connection.transaction { connection in
                    _ = try connection.query(SQLFiles.callBeginRetentionStep.text, [.timestamp(clock())])
                    return try body(connection)
                }
            }
        } catch let error as PostgresError where error.sqlState == "AP002" {
            throw Failure.clocksDiffer
        }
    }

    func seconds(_ period: Int64?) -> Parameter {
        .float8(period.map { Double($0) })
    }
}

/// The retention periods in seconds; `nil` means forever.
///
/// Categories and apps have their own periods for the texts of replies.
package struct RetentionPeriods: Sendable, Equatable {
    /// The period of events, which are dropped by month when the whole month has expired.
    package var events: Int64?
    /// The period of deliveries, at least as long as that of events.
    package var deliveries: Int64?
    package var rejected: Int64?

    package init(events: Int64? = nil, deliveries: Int64? = nil, rejected: Int64? = nil) {
        self.events = events
        self.deliveries = deliveries
        self.rejected = rejected
    }

    /// Whether deliveries are kept at least as long as events, because events can't be counted without their delivery.
    package var isConsistent: Bool {
        guard let deliveries else { return true }
        guard let events else { return false }
        return deliveries >= events
    }
}
