import Postgres
import SQLFiles

/// A month of events that retention can delete: it has its own partition, and all its hours are sealed.
package struct ExpiredMonth: Sendable {
    /// The part of an expired month that belongs to one app.
    package struct Contents: Sendable {
        package let app: Int32
        package let appName: String
        package let events: EventCount
    }

    /// The name of the partition, such as `events_2026_08`.
    package let partition: String
    /// The start of the month in UTC, in RFC 3339.
    package let start: String
    /// The end of the month in UTC, in RFC 3339.
    package let end: String
    /// The end of the sealed hours. No event that occurred before is added any more.
    package let sealedBefore: String

    /// The month as it is in names, such as `2026-08`.
    package var name: String { String(start.prefix(7)) }
}

/// A number of events, and a checksum of their ids, which does not depend on their order.
package struct EventCount: Sendable, Equatable {
    package private(set) var events: Int64
    /// The exclusive or of both halves of each id.
    package private(set) var checksum: Int64

    package init(events: Int64 = 0, checksum: Int64 = 0) {
        (self.events, self.checksum) = (events, checksum)
    }

    /// Adds the event with an id.
    package mutating func add(_ high: UInt64, _ low: UInt64) {
        events += 1
        checksum ^= Int64(bitPattern: high ^ low)
    }
}

/// What an expired month has at one moment, except for the events of devices that are being erased.
package struct MonthSnapshot: Sendable {
    package let month: ExpiredMonth
    /// What each app has.
    package let contents: [ExpiredMonth.Contents]
    /// The name of the snapshot of the database, in which the same events can be read.
    package let name: String
}

/// What `Retention.deleteMonths` would do at one moment.
package struct ArchivePlan: Sendable, Equatable {
    /// The months that it would archive and delete, the oldest first.
    package let months: [Retention.Item]
    /// The moment before which it would seal hours, or nil if they are sealed already or stay open.
    package let seal: String?
}

extension Retention {
    /// How often a month is archived at most, because erasures were requested meanwhile.
    static let archiveRounds = 3

    /// Returns what `deleteMonths` would do now.
    package func planMonths() async throws -> ArchivePlan {
        try await step { connection in
            var months: [Item] = []
            var seal: String?
            for row in try connection.query(SQLFiles.planArchive.text, [seconds(periods.events)]) {
                let (month, rows, moment) = try row.decode(String.self, Int64.self, String?.self)
                months.append(Item(what: "events", item: month, rows: rows))
                seal = moment
            }
            return ArchivePlan(months: months, seal: seal)
        }
    }

    /// Seals the hours of expired months, and deletes each of these months once it is archived, the oldest first.
    ///
    /// If no expired month has events to archive, it seals nothing, because a seal can't be undone.
    ///
    /// Devices that are being erased are left out. If an erasure is requested meanwhile, the month is archived again. This
    /// happens at most twice, so requests of erasures that never end don't keep the month.
    ///
    /// Events in the default partition stay: those of months without a partition, and those of a deleted month that
    /// occurred after the sealed hours, or that reports still need. If these are many, they stay in their partition, which
    /// is renamed.
    ///
    /// - Parameters:
    ///   - archive: Stores the events of a snapshot of a month. When it returns, the month is deleted; or it is called with
    ///     another snapshot of the same month, because of an erasure.
    ///   - onDeleted: Called when the month that was archived last is deleted, with whether an erasure was requested after
    ///     its last snapshot.
    ///   - onSealed: Called when hours were sealed, with the moment before which events are rejected from now on.
    package func deleteMonths(
        archivedBy archive: (MonthSnapshot) async throws -> Void, onDeleted: (_ missesErasures: Bool) -> Void,
        onSealed: (_ before: String) -> Void = { _ in }
    ) async throws {
        try await checkObstacles()
        // An archive may have reply texts.
        _ = try await purgeReplies()
        if let before = try await planMonths().seal {
            try await seal()
            onSealed(before)
        }
        // What an interrupted run left of a month that it archived.
        _ = try await trimKeptPartitions()
        while let month = try await nextExpiredMonth() {
            onDeleted(try await archiveAndDelete(month, archive))
            _ = try await trimKeptPartitions()
        }
        _ = try await value(Int32.self, SQLFiles.callDropEmptyKeptPartitions)
    }

    /// Returns whether an erasure was requested after the last snapshot.
    private func archiveAndDelete(
        _ month: ExpiredMonth, _ archive: (MonthSnapshot) async throws -> Void
    ) async throws -> Bool {
        var round = 1
        while true {
            // Before the snapshot, so that an erasure is either in the snapshot or found afterwards.
            let start = try await step { connection in
                try connection.query(SQLFiles.waitForErasureRequests.text)[0].decode(String.self, column: 0)
            }
            try await withSnapshot(of: month, archive)
            switch try await delete(month, archivedSince: start, despiteErasures: round == Self.archiveRounds) {
            case .deleted(let missesErasures): return missesErasures
            case .keptForErasures: round += 1
            }
        }
    }

    /// Runs `body` with a snapshot of a month, which the database keeps until it returns.
    func withSnapshot<T>(of month: ExpiredMonth, _ body: (MonthSnapshot) async throws -> T) async throws -> T {
        try await pool.withConnection { holder in
            let name = try await holder.beginSnapshot()
            do {
                let contents = try await contents(of: month, in: name)
                let value = try await body(MonthSnapshot(month: month, contents: contents, name: name))
                await holder.endSnapshot()
                return value
            } catch {
                await holder.endSnapshot()
                throw error
            }
        }
    }

    /// Reads on another connection, so that the one that keeps the snapshot holds no locks.
    private func contents(of month: ExpiredMonth, in snapshot: String) async throws -> [ExpiredMonth.Contents] {
        try await pool.withConnection { connection in
            try await connection.transaction(.snapshot(snapshot)) { connection in
                try connection.query(
                    SQLFiles.monthContents.text, [.text(month.start), .text(month.end), .text(month.sealedBefore)]
                ).map { row in
                    let (app, name, events, checksum) = try row.decode(Int32.self, String.self, Int64.self, Int64.self)
                    return ExpiredMonth.Contents(
                        app: app, appName: name, events: EventCount(events: events, checksum: checksum))
                }
            }
        }
    }

    /// Returns the oldest month that is past the period of this retention, or nil.
    ///
    /// Months may be sealed that are not past it: by another retention, or because they are being archived.
    func nextExpiredMonth() async throws -> ExpiredMonth? {
        try await step { try nextExpiredMonth($0) }
    }

    private func nextExpiredMonth(_ connection: isolated Connection) throws -> ExpiredMonth? {
        try connection.query(SQLFiles.nextExpiredMonth.text, [seconds(periods.events)]).first.map { row in
            let (partition, start, end, sealedBefore) = try row.decode(
                String.self, String.self, String.self, String.self)
            return ExpiredMonth(partition: partition, start: start, end: end, sealedBefore: sealedBefore)
        }
    }

    /// What an attempt to delete a month did.
    enum Deletion: Sendable, Equatable {
        /// It was deleted. `missesErasures`: an erasure was requested since its archive began.
        case deleted(missesErasures: Bool)
        /// It is still there, because an erasure was requested since its archive began.
        case keptForErasures
    }

    /// Deletes a month, unless more hours were sealed since: events of these hours may not be archived.
    ///
    /// - Parameters:
    ///   - start: When archiving it began, or nil if it is not archived.
    ///   - despiteErasures: Whether to delete it even if an erasure was requested since.
    @discardableResult
    func delete(
        _ month: ExpiredMonth, archivedSince start: String? = nil, despiteErasures: Bool = false
    ) async throws -> Deletion {
        try await patientStep { connection in
            let lock = try connection.query(SQLFiles.lockSeal.text, [.text(month.sealedBefore)]).first
            guard try lock?.decode(Bool.self, column: 0) == true else { throw Failure.sealMoved(month: month.name) }
            // Before anything else: an attempt whose reply was lost may have deleted it.
            guard try nextExpiredMonth(connection)?.partition == month.partition else {
                throw Failure.monthDeleted(month.name)
            }
            var missesErasures = false
            if let start {
                missesErasures = try connection.query(SQLFiles.checkErasures.text, [.text(start)])[0].decode(
                    Bool.self, column: 0)
                if missesErasures && !despiteErasures { return .keptForErasures }
            }
            let dropped = try connection.query(SQLFiles.callDropExpiredPartition.text).first
            // An error, which ends the transaction: it would have deleted another month.
            guard try dropped?.decode(String?.self, column: 0) == month.partition else {
                throw Failure.monthDeleted(month.name)
            }
            return .deleted(missesErasures: missesErasures)
        }
    }
}
