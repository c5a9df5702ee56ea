import AfterpushWire
import Events
import Foundation
import Ingest
import Storage
import TestSupport
import Testing

/// Tests months of events that retention can't drop, because they have too many events that are still needed.
@Suite struct KeptPartitionTests {
    private static let needed = 5_001

    private let app: TestApp
    private let partition: String

    /// Stores an event that expires, and many of the same month by a clock that was wrong.
    init() async throws {
        app = try await TestApp()
        _ = try await app.value("select afterpush.ensure_partitions(now(), 8, 1)")
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: .ingest, receivedAt: now)
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        for start in stride(from: 0, to: Self.needed, by: 1_000) {
            let events = (start..<min(start + 1_000, Self.needed)).map {
                EventJSON.event(["notification_id": "n\($0)", "occurred_at": Self.time(daysAgo: 200)])
            }
            // They occurred 40 days ago.
            let body = try JSONSerialization.data(
                withJSONObject: ["sent_at": Self.time(daysAgo: 160), "events": events] as [String: any Sendable])
            let submission = try Submission.read(Array(body), as: .json)
            _ = try await sink.store(EventGroup([PendingSubmission(submission, context)]))
        }
        try await app.store([EventJSON.event(["device_id": "d2", "occurred_at": Self.time(daysAgo: 200)])])
        try await app.rollUp()
        partition = try await app.value("select distinct tableoid::regclass::text from afterpush.events") ?? ""
    }

    private static func time(daysAgo days: Double) -> String {
        Date(timeIntervalSinceNow: -days * 86_400).formatted(.iso8601)
    }

    private func retention(days: Int64) -> Retention {
        let app = app
        return Retention(pool: app.database.owner, RetentionPeriods(events: days * 86_400)) { try await app.rollUp() }
    }

    private func devices() async throws -> String? {
        try await app.value(
            """
            select string_agg(concat_ws(' ', partition, device_id, events), ', ' order by device_id)
            from (
                select tableoid::regclass::text as partition, device_id, count(*) as events
                from afterpush.events
                group by 1, 2
            ) as e
            """)
    }

    @Test func `no event of such a month is moved, and the others are deleted`() async throws {
        let table = try await app.value("select '\(partition)'::regclass::oid::text")
        _ = try await retention(days: 75).run()
        #expect(try await devices() == "\(partition)_kept d1 \(Self.needed)")
        #expect(try await app.value("select '\(partition)_kept'::regclass::oid::text") == table)
        #expect(try await app.maintenance.verify().map(\.row) == [])
    }

    @Test func `what is kept is deleted once it has expired, and then the partition`() async throws {
        _ = try await retention(days: 75).run()
        let kept = "of months with events that are still needed"
        let early = try await retention(days: 75).plan()
        #expect(!early.contains { $0.item == kept })
        let planned = try await retention(days: 1).plan().filter { $0.item == kept }
        #expect(planned.map(\.rows) == [Int64(Self.needed)])
        let deleted = try await retention(days: 1).run().filter { $0.item == kept }
        #expect(deleted == planned)
        #expect(try await devices() == nil)
        #expect(try await app.maintenance.verify().map(\.row) == [])
        try await TestCluster.script("vacuum \(partition)_kept", on: app.conninfo)
        _ = try await retention(days: 1).run()
        #expect(try await app.value("select to_regclass('\(partition)_kept') is null") == "t")
        #expect(try await app.value("select count(*) from afterpush.kept_partitions") == "0")
    }

    @Test func `such a month is archived once, and keeps what is not in the archive`() async throws {
        var archived: [String] = []
        for _ in 0..<2 {
            let retention = retention(days: 75)
            try await retention.deleteMonths(
                archivedBy: { snapshot in
                    for contents in snapshot.contents {
                        archived.append("afterpush.\(snapshot.month.partition) \(contents.events.events)")
                    }
                }, onDeleted: { _ in })
            #expect(try await devices() == "\(partition)_kept d1 \(Self.needed)")
        }
        #expect(archived == ["\(partition) 1"])
        // A later archive does not delete what no file has.
        try await retention(days: 1).deleteMonths(archivedBy: { _ in }, onDeleted: { _ in })
        #expect(try await devices() == "\(partition)_kept d1 \(Self.needed)")
    }

    @Test func `a run after an interrupted one deletes what is archived`() async throws {
        let retention = retention(days: 75)
        // It was interrupted after the month was dealt with.
        try await retention.deleteMonths(archivedBy: { _ in }, onDeleted: { _ in })
        try await TestCluster.script(
            """
            update afterpush.events set occurred_at = device_time where notification_id = 'n7';
            delete from afterpush.deliveries where notification_id = 'n7';
            update afterpush.kept_partitions set next_block = 0;
            """, on: app.conninfo)
        try await retention.deleteMonths(archivedBy: { _ in }, onDeleted: { _ in })
        #expect(try await devices() == "\(partition)_kept d1 \(Self.needed - 1)")
    }
}
