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

extension Retention {
    /// Seals the hours of expired months, and deletes each of these months once it is archived, the oldest first.
    ///
    /// A month is archived while no erasure waits, or the archive would keep what is about to be deleted. If one was
    /// requested in the meantime, the month is archived again after it.
    ///
    /// Events in the default partition stay: those of months without a partition, and those of a deleted month that
    /// occurred after the sealed hours, or that reports still need. If these are many, they stay in their partition, which
    /// is renamed.
    ///
    /// - Parameters:
    ///   - archive: Stores the events of a month that occurred before the end of its sealed hours. When it returns, the
    ///     month is deleted; or it is called again, because of an erasure.
    ///   - onDeleted: Called when the month that was archived last is deleted.
    package func deleteMonths(
        archivedBy archive: (ExpiredMonth) async throws -> Void, onDeleted: () -> Void
    ) async throws {
        try await checkObstacles()
        try await seal()
        // An archive may have reply texts.
        _ = try await purgeReplies()
        // What an interrupted run left of a month that it archived.
        _ = try await trimKeptPartitions()
        while let month = try await nextExpiredMonth() {
            let start = try await waitForErasures()
            try await archive(month)
            do {
                try await delete(month, archivedSince: start)
            } catch Failure.erasing {
                continue
            }
            onDeleted()
            _ = try await trimKeptPartitions()
        }
        _ = try await value(Int32.self, SQLFiles.callDropEmptyKeptPartitions)
    }

    /// Waits until no device is being erased, which usually takes some seconds. Returns the time at which this held.
    private func waitForErasures() async throws -> String {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            let (isErasing, time) = try await step { try Self.erasures(in: $0, since: nil) }
            if !isErasing { return time }
            guard ContinuousClock.now < deadline else { throw Failure.erasing }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private static func erasures(
        in connection: isolated Connection, since time: String?
    ) throws -> (any: Bool, time: String) {
        try connection.query(SQLFiles.checkErasures.text, [.text(time)])[0].decode(Bool.self, String.self)
    }

    /// Returns what an archive of a month has to contain, for each app.
    ///
    /// Only an erasure changes it.
    package func contents(of month: ExpiredMonth) async throws -> [ExpiredMonth.Contents] {
        try await step { connection in
            try connection.query(
                SQLFiles.monthContents.text, [.text(month.start), .text(month.end), .text(month.sealedBefore)]
            ).map { row in
                let (app, name, events, checksum) = try row.decode(Int32.self, String.self, Int64.self, Int64.self)
                return ExpiredMonth.Contents(
                    app: app, appName: name, events: EventCount(events: events, checksum: checksum))
            }
        }
    }

    /// Returns the oldest month that is past the period of this retention, or nil.
    ///
    /// Months may be sealed that are not past it: by another retention, or because they are being archived.
    func nextExpiredMonth() async throws -> ExpiredMonth? {
        try await step { connection in
            try connection.query(SQLFiles.nextExpiredMonth.text, [seconds(periods.events)]).first.map { row in
                let (partition, start, end, sealedBefore) = try row.decode(
                    String.self, String.self, String.self, String.self)
                return ExpiredMonth(partition: partition, start: start, end: end, sealedBefore: sealedBefore)
            }
        }
    }

    /// Deletes a month, unless more hours were sealed since: events of these hours may not be archived.
    ///
    /// - Parameter start: When archiving it began. If a device was erased since, or is being erased, the month is not
    ///   deleted.
    func delete(_ month: ExpiredMonth, archivedSince start: String? = nil) async throws {
        try await patientStep { connection in
            let lock = try connection.query(SQLFiles.lockSeal.text, [.text(month.sealedBefore)]).first
            guard try lock?.decode(Bool.self, column: 0) == true else { throw Failure.sealMoved(month: month.name) }
            // The lock may have waited.
            if let start, try Self.erasures(in: connection, since: start).any { throw Failure.erasing }
            let dropped = try connection.query(SQLFiles.callDropExpiredPartition.text).first
            // An error, which ends the transaction: it would have deleted another month.
            guard try dropped?.decode(String?.self, column: 0) == month.partition else {
                throw Failure.monthDeleted(month.name)
            }
        }
    }
}
