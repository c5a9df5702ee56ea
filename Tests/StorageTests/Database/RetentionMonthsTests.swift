import Foundation
import Postgres
import Reports
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
        try await retention.deleteMonths { snapshot in
            archived.append(snapshot.month.name)
            for contents in snapshot.contents {
                #expect(contents.appName == "shop")
                events += contents.events.events
            }
        } onDeleted: { missesErasures in
            #expect(!missesErasures)
            deleted += 1
        }
        #expect(events == 3)
        #expect(deleted == archived.count)
        #expect(archived.count > 1 && archived == archived.sorted(), "\(archived)")
        #expect(try await eventCount() == "0")
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test func `hours are sealed only for months that have events to archive`() async throws {
        var sealed: [String] = []
        // The months that are old enough have only empty partitions.
        let longer = self.retention(days: 150)
        let nothing = try await longer.planMonths()
        #expect(nothing.months.isEmpty && nothing.seal == nil, "\(nothing)")
        try await longer.deleteMonths(
            archivedBy: { _ in throw DiskFull() }, onDeleted: { _ in }, onSealed: { sealed.append($0) })
        #expect(sealed.isEmpty)
        #expect(try await app.value("select isfinite(sealed_before) from afterpush.rollup_worker") == "f")

        let shorter = self.retention(days: 60)
        let plan = try await shorter.planMonths()
        do {
            try await shorter.deleteMonths(
                archivedBy: { _ in throw DiskFull() }, onDeleted: { _ in }, onSealed: { sealed.append($0) })
        } catch is DiskFull {}
        #expect(sealed.count == 1 && sealed.first == plan.seal && plan.months.count > 1, "\(sealed) \(plan)")
        // The next run has nothing to seal, but the months of the one that failed.
        let rest = try await shorter.planMonths()
        #expect(rest.seal == nil && rest.months.map(\.item) == plan.months.map(\.item), "\(rest)")
        try await shorter.deleteMonths(
            archivedBy: { _ in }, onDeleted: { _ in }, onSealed: { sealed.append($0) })
        #expect(sealed.count == 1)
        #expect(try await eventCount() == "1")
    }

    @Test func `a month that could not be archived stays`() async throws {
        await #expect(throws: DiskFull.self) {
            try await retention(days: 60).deleteMonths(archivedBy: { _ in throw DiskFull() }, onDeleted: { _ in })
        }
        #expect(try await eventCount() == "3")
    }

    @Test func `a month is archived again if a device was erased meanwhile`() async throws {
        var events: [(month: String, count: Int64)] = []
        let retention = retention(days: 1)
        try await retention.deleteMonths { snapshot in
            let month = snapshot.month.name
            let count = Self.eventCount(snapshot)
            if count > 0 || events.last?.month == month { events.append((month, count)) }
            guard events.count == 1 else { return }
            // The suppression file in the usual directory may be of another test.
            let spool = CollectorProcess.spoolDirectory()
            defer { try? FileManager.default.removeItem(atPath: spool) }
            let output = try await Program.run(
                ["erase", "d1", "--app", "shop", "--wait", "--database-url", app.conninfo],
                environment: ["AFTERPUSH_SPOOL_DIR": spool])
            #expect(output.status == 0, "\(output)")
        } onDeleted: { missesErasures in
            #expect(!missesErasures)
        }
        // The device has all events.
        #expect(events.count == 2 && events[0].month == events[1].month && events[1].count == 0, "\(events)")
    }

    private static func eventCount(_ snapshot: MonthSnapshot) -> Int64 {
        snapshot.contents.reduce(0) { $0 + $1.events.events }
    }

    @Test func `devices whose erasure has not ended are left out, and not waited for`() async throws {
        try await app.store(
            ["d1", "d2"].map { EventJSON.event(["occurred_at": Self.time(daysAgo: 98), "device_id": $0]) })
        try await app.rollUp()
        // No collector runs, so the erasure stays unfinished.
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'd1')")
        var events: Int64 = 0
        try await retention(days: 1).deleteMonths {
            events += Self.eventCount($0)
        } onDeleted: { missesErasures in
            #expect(!missesErasures)
        }
        #expect(events == 1)
        #expect(try await eventCount() == "0")
    }

    @Test func `erasures that are requested without end do not keep a month from being deleted`() async throws {
        var rounds: [String: Int] = [:]
        var missed = 0
        try await retention(days: 1).deleteMonths { snapshot in
            rounds[snapshot.month.name, default: 0] += 1
            _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'unknown')")
        } onDeleted: { missesErasures in
            missed += missesErasures ? 1 : 0
        }
        #expect(rounds.count > 1 && rounds.values.allSatisfy { $0 == 3 }, "\(rounds)")
        #expect(missed == rounds.count)
        #expect(try await eventCount() == "0")
    }

    @Test func `an archive reads what its snapshot has, whatever is erased meanwhile`() async throws {
        var counts: [Int] = []
        try await retention(days: 1).deleteMonths { snapshot in
            guard let app = snapshot.contents.first else { return }
            try await TestCluster.script("delete from afterpush.events", on: self.app.conninfo)
            let month = snapshot.month
            let request = ExportRequest(
                eventsOf: (month.start, month.end), before: month.sealedBefore, in: snapshot.name, text: false)
            var lines = 0
            try await ExportService(pool: ReadPool(self.app.database.export)).run(request, app: app.app) { piece in
                lines += piece.count { $0 == UInt8(ascii: "\n") }
            }
            #expect(lines == Int(app.events.events))
            counts.append(lines)
        } onDeleted: { _ in
        }
        #expect(!counts.isEmpty)
    }

    @Test func `a month stays if more hours are sealed while it is archived`() async throws {
        // With connections of its own, as in another process.
        let other = Database(conninfo: app.conninfo, logger: TestCluster.logger)
        let shorter = Retention(pool: other.owner, RetentionPeriods(events: 86_400)) { [app] in try await app.rollUp() }
        await #expect(throws: Retention.Failure.self) {
            try await retention(days: 32).deleteMonths { _ in
                // It seals, and ends before it deletes anything.
                do {
                    try await shorter.deleteMonths(archivedBy: { _ in throw DiskFull() }, onDeleted: { _ in })
                } catch is DiskFull {}
            } onDeleted: { _ in
            }
        }
        #expect(try await eventCount() == "3")
    }

    @Test func `retention with a longer period leaves the months of an interrupted archive`() async throws {
        await #expect(throws: DiskFull.self) {
            try await retention(days: 1).deleteMonths(archivedBy: { _ in throw DiskFull() }, onDeleted: { _ in })
        }
        // All events are in sealed hours now.
        _ = try await retention(days: 65).run()
        #expect(try await eventCount() == "1")
        _ = try await retention(days: 1).run()
        #expect(try await eventCount() == "0")
    }
}
