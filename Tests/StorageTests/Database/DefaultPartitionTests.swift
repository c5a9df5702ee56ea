import Events
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

/// Tests creating the partition of a month of which the default partition has more events than may be moved under a lock.
@Suite struct DefaultPartitionTests {
    private static let month = "'2010-05-02', 0, 0"
    private static let split = "select afterpush.split_default_partition(\(month))"
    private static let contents =
        "select concat_ws(' ', count(*), sum(hashtextextended(e::text, 0))) from afterpush.events e"
    private static let hasMoreToCopy = "select next_block < end_block from afterpush.default_copy"

    private let app: TestApp

    /// Stores more events of a month than are moved under a lock, and some of another month.
    init() async throws {
        app = try await TestApp()
        try await app.store((0..<10_001).map { Self.event($0, "2010-05-17") }, scope: .ingest)
        try await app.store((20_000..<20_100).map { Self.event($0, "2001-01-01") }, scope: .ingest)
        try await app.rollUp()
    }

    private static func event(_ number: Int, _ day: String) -> [String: any Sendable] {
        let digits = String(number)
        return EventJSON.event([
            "event_id": "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits,
            "notification_id": "n\(number)", "device_id": "d\(number % 50)", "occurred_at": "\(day)T10:00:00Z",
        ])
    }

    private func isCopying() async throws -> Bool {
        try await app.value(
            "select to_regclass('afterpush.events_copy') is not null or exists (select from afterpush.default_copy)")
            == "t"
    }

    private func erase(_ device: String) async throws {
        // The suppression file in the usual directory may be of another test.
        let spool = CollectorProcess.spoolDirectory()
        defer { try? FileManager.default.removeItem(atPath: spool) }
        let output = try await Program.run(
            ["erase", device, "--app", "shop", "--wait", "--database-url", app.conninfo],
            environment: ["AFTERPUSH_SPOOL_DIR": spool])
        #expect(output.status == 0, "\(output)")
    }

    @Test func `no event is moved under the lock, and the copy has every change that was made meanwhile`() async throws
    {
        #expect(try await app.value("select afterpush.ensure_partitions(\(Self.month))") == "0")
        #expect(try await app.value("select count(*) from afterpush.events_default") == "10101")
        #expect(try await app.value(Self.split) == "0")
        // Nothing is copied yet.
        try await change(devices: ["d1", "d2"], from: 0)
        #expect(try await app.value(Self.split) == "0")
        #expect(try await app.value(Self.hasMoreToCopy) == "t")
        try await change(devices: ["d3", "d4"], from: 7)
        while try await app.value(Self.hasMoreToCopy) == "t" { _ = try await app.value(Self.split) }
        try await change(devices: ["d5", "d6"], from: 10)

        let before = try await app.value(Self.contents)
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await connection.execute("begin")
        #expect(try await connection.query(Self.split).first?.decode(Int32.self, column: 0) == 1)
        let read = try await connection.query(
            """
            select relname::text from pg_stat_xact_user_tables
            where relname in ('events_default', 'events_2010_05') and seq_scan + n_tup_ins + n_tup_del > 0
            """)
        #expect(read.isEmpty, "the exchange reads or moves events")
        try await connection.execute("commit")
        await connection.close()

        #expect(try await app.value(Self.contents) == before)
        #expect(try await app.value("select count(*) from afterpush.events_default") == "94")
        #expect(
            try await app.value("select count(*) from afterpush.events where device_id in ('d1', 'd3', 'd5')") == "0")
        #expect(try await app.value("select count(*) from afterpush.events where verified") == "9")
        #expect(try await !isCopying())
        #expect(try await app.value(Self.split) == nil)
        // What the copy holds is known as a duplicate.
        #expect(try await app.store([Self.event(10_000, "2010-05-17"), Self.event(20_010, "2001-01-01")]) == 0)
        try await app.rollUp()
        #expect(try await app.maintenance.verify().map(\.row) == [])
        // A small default partition is split directly.
        #expect(try await app.value("select afterpush.ensure_partitions('2001-01-02', 0, 1)") == "2")
        #expect(try await app.value("select count(*) from afterpush.events_default") == "0")
    }

    /// Erases a device, replaces two events of another one by verified copies, and stores an event.
    private func change(devices: [String], from number: Int) async throws {
        try await erase(devices[0])
        let second = try #require(Int(devices[1].dropFirst()))
        try await app.store([
            Self.event(50 * 100 + second, "2010-05-17"), Self.event(50 * 200 + second - 50, "2010-05-17"),
            Self.event(30_000 + number, "2010-05-18"),
        ])
        try await app.rollUp()
    }

    @Test func `a copy that was interrupted is continued, by whoever comes next`() async throws {
        for _ in 0..<2 { #expect(try await app.value(Self.split) == "0") }
        #expect(try await isCopying())
        // Meanwhile no other partition is created: the copy would have its events.
        #expect(try await app.value("select afterpush.ensure_partitions('2001-01-02', 0, 0)") == "0")
        let worker = PartitionWorker(pool: app.database.worker, logger: TestCluster.logger)
        #expect(try await worker.ensure() == 1)
        #expect(try await app.value("select count(*) from afterpush.events_2010_05") == "10001")
        #expect(try await !isCopying())
    }

    @Test func `a copy ends when another partition is dropped, whose events the copy would not accept`() async throws {
        _ = try await app.value("select afterpush.ensure_partitions('2001-01-02', 0, 0)")
        try await app.store([Self.event(40_000, "2001-01-05")])
        try await app.rollUp()
        for _ in 0..<2 { #expect(try await app.value(Self.split) == "0") }
        let retention = Retention(pool: app.database.owner, RetentionPeriods(events: 1)) {}
        try await retention.deleteMonths(archivedBy: { _ in }, onDeleted: { _ in })
        #expect(try await !isCopying())
        #expect(try await app.value("select to_regclass('afterpush.events_2001_01') is null") == "t")
    }
}
