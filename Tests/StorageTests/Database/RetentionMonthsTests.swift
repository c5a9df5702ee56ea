import Foundation
import Postgres
import Storage
import TestSupport
import Testing

/// Tests deleting months of events that were archived.
@Suite struct RetentionMonthsTests {
    private struct DiskFull: Error {}

    private let app: TestApp

    init() async throws {
        app = try await TestApp()
        _ = try await app.value("select afterpush.ensure_partitions(now(), 6, 1)")
        try await app.store([40.0, 99, 100].map { EventJSON.event(["occurred_at": Self.time(daysAgo: $0)]) })
        try await app.rollUp()
    }

    private static func time(daysAgo days: Double) -> String {
        Date(timeIntervalSinceNow: -days * 86_400).formatted(.iso8601)
    }

    private func retention(days: Int64) -> Retention {
        let app = app
        return Retention(pool: app.database.owner, RetentionPeriods(events: days * 86_400)) {
            try await app.rollUp()
        }
    }

    private func eventCount() async throws -> String? {
        try await app.value("select count(*) from afterpush.events")
    }

    @Test func `months are archived from the oldest, with what they contain`() async throws {
        var archived: [String] = []
        var events: Int64 = 0
        var deleted = 0
        let retention = retention(days: 1)
        try await retention.deleteMonths { month in
            archived.append(month.name)
            for contents in try await retention.contents(of: month) {
                #expect(contents.appName == "shop")
                events += contents.events.events
            }
        } onDeleted: {
            deleted += 1
        }
        #expect(events == 3)
        #expect(deleted == archived.count)
        #expect(archived.count > 1 && archived == archived.sorted(), "\(archived)")
        #expect(try await eventCount() == "0")
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test func `a month that could not be archived stays`() async throws {
        await #expect(throws: DiskFull.self) {
            try await retention(days: 60).deleteMonths(archivedBy: { _ in throw DiskFull() }, onDeleted: {})
        }
        #expect(try await eventCount() == "3")
    }

    @Test func `a month is archived again if a device was erased meanwhile`() async throws {
        var events: [(month: String, count: Int64)] = []
        let retention = retention(days: 1)
        try await retention.deleteMonths { month in
            let count = try await retention.contents(of: month).reduce(0) { $0 + $1.events.events }
            if count > 0 || events.last?.month == month.name { events.append((month.name, count)) }
            guard events.count == 1 else { return }
            // The suppression file in the usual directory may be of another test.
            let spool = CollectorProcess.spoolDirectory()
            defer { try? FileManager.default.removeItem(atPath: spool) }
            let output = try await Program.run(
                ["erase", "d1", "--app", "shop", "--wait", "--database-url", app.conninfo],
                environment: ["AFTERPUSH_SPOOL_DIR": spool])
            #expect(output.status == 0, "\(output)")
        } onDeleted: {
        }
        // The device has all events.
        #expect(events.count == 2 && events[0].month == events[1].month && events[1].count == 0, "\(events)")
    }

    @Test func `a month stays if more hours are sealed while it is archived`() async throws {
        let shorter = retention(days: 1)
        await #expect(throws: Retention.Failure.self) {
            try await retention(days: 32).deleteMonths { _ in
                // It seals, and ends before it deletes anything.
                do {
                    try await shorter.deleteMonths(archivedBy: { _ in throw DiskFull() }, onDeleted: {})
                } catch is DiskFull {}
            } onDeleted: {
            }
        }
        #expect(try await eventCount() == "3")
    }

    @Test func `retention with a longer period leaves the months of an interrupted archive`() async throws {
        await #expect(throws: DiskFull.self) {
            try await retention(days: 1).deleteMonths(archivedBy: { _ in throw DiskFull() }, onDeleted: {})
        }
        // All events are in sealed hours now.
        _ = try await retention(days: 65).run()
        #expect(try await eventCount() == "1")
        _ = try await retention(days: 1).run()
        #expect(try await eventCount() == "0")
    }
}
