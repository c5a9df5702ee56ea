import AfterpushWire
import Foundation
import Ingest
import Postgres
import TestSupport
import Testing

@testable import Events
@testable import Spool
@testable import Storage

/// Tests the spool drainer without a collector.
@Suite struct SpoolDrainerTests {
    private let app: TestApp
    private let directory = CollectorProcess.spoolDirectory()
    private let breaker = CircuitBreaker(logger: TestCluster.logger)

    init() async throws {
        app = try await TestApp()
    }

    private var sink: PostgresSink { PostgresSink(pool: app.database.ingest, logger: TestCluster.logger) }

    /// A group of requests with an event each.
    private func group(_ events: [[String: any Sendable]]) throws -> EventGroup {
        try group(requests: events.map { [$0] })
    }

    private func group(requests: [[[String: any Sendable]]]) throws -> EventGroup {
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        return EventGroup(
            try requests.map { events in
                PendingSubmission(try Submission.read(Array(try EventJSON.body(events)), as: .json), context)
            })
    }

    /// Opens the spool, fills it, and drains it completely.
    private func drained(_ fill: (Spool) async throws -> Void) async throws -> SpoolStatus {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let spool = try await Spool.open(Spool.Configuration(directory: directory), logger: TestCluster.logger)
        try await fill(spool)
        let drainer = SpoolDrainer(sink, spool: spool, breaker: breaker, logger: TestCluster.logger)
        let run = Task { try await drainer.run() }
        defer { run.cancel() }
        try await app.waitUntil("the spool is drained") { await spool.status.entries == 0 }
        return await spool.status
    }

    @Test func `every received event is counted exactly once as stored, duplicate or rejected`() async throws {
        var events = (0..<50).map { _ in EventJSON.event() }
        _ = try await sink.store(try group(Array(events[..<10])))
        try await TestCluster.script(
            "alter table afterpush.events add constraint poison check (campaign_id is distinct from 'poison')",
            on: app.conninfo)
        for place in [12, 13, 40] { events[place]["campaign_id"] = "poison" }
        events.append(EventJSON.event(["event_id": "no"]))
        let status = try await drained { spool in _ = try await spool.add(try group(events)) }
        #expect(status.counts == SpoolCounts(spooled: 50, stored: 37, duplicates: 10, rejected: 3))
        #expect(status.events == 0 && status.setAsideEntries == 0)
        #expect(try await app.value("select count(*) from afterpush.events") == "47")
        let codes =
            "select string_agg(code || count, ' ' order by code) from "
            + "(select code, count(*) from afterpush.rejected_events group by code) as c"
        #expect(try await app.value(codes) == "event_id_invalid1 storage_refused3")
        #expect(
            try await app.value("select bool_and(event like '%occurred_at%') from afterpush.rejected_events") == "t")
    }

    @Test func `repeating a replay that was interrupted between commit and delete changes nothing`() async throws {
        let events = (0..<20).map { _ in EventJSON.event() } + [EventJSON.event(["event_id": "no"])]
        let group = try group(events)
        // This run commits and is killed before the delete.
        _ = try await sink.store(group)
        let status = try await drained { spool in _ = try await spool.add(group) }
        #expect(status.counts == SpoolCounts(spooled: 20, duplicates: 20))
        #expect(try await app.value("select count(*) from afterpush.events") == "20")
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "1")
    }

    @Test func `an entry that PostgreSQL always refuses is set aside, and the others are stored`()
        async throws
    {
        // Neither the event nor its rejection can be stored.
        try await TestCluster.script(
            """
            alter table afterpush.events add constraint poison check (campaign_id is distinct from 'poison');
            alter table afterpush.rejected_events add constraint poison check (event not like '%poison%')
            """, on: app.conninfo)
        var events = (0..<9).map { _ in EventJSON.event() }
        events[4]["campaign_id"] = "poison"
        let status = try await drained { spool in _ = try await spool.add(try group(events)) }
        #expect(status.setAsideEntries == 1 && status.setAsideEvents == 1)
        // Events that were stored before the refused one are duplicates when the rest is retried.
        #expect(status.counts.stored + status.counts.duplicates == 8)
        #expect(status.counts.spooled == 9 && status.counts.setAside == 1 && status.counts.rejected == 0)
        #expect(try await app.value("select count(*) from afterpush.events") == "8")
        #expect(!breaker.isOpen)
    }

    @Test func `entries that were set aside lose erased devices, and damaged files are deleted after their time`()
        async throws
    {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let spool = try await Spool.open(Spool.Configuration(directory: directory), logger: TestCluster.logger)
        let events = ["gone", "stays"].map { EventJSON.event(["device_id": $0, "campaign_id": "of-\($0)"]) }
        _ = try await spool.add(try group(requests: [events]))
        let entry = try #require(try await spool.oldest(1, events: 2).first)
        // A retry would store both events before the device is erased.
        try await spool.setAside(entry.id, events: 2, reason: "refused", isRetried: false)
        let before = await spool.status
        #expect(before.setAsideEvents == 2 && before.entries == 0)
        let aside = directory + "/spool-0-0.aside-1"
        try Data("remains".utf8).write(to: URL(filePath: aside))
        var devices = SuppressionList()
        let key = DeviceKey([1, 2, 3])
        devices.add(key.hash(of: "gone"), by: key, app: app.app.id)
        let erased = devices
        func drainer(_ configuration: SpoolDrainer.Configuration) -> SpoolDrainer {
            SpoolDrainer(
                sink, spool: spool, breaker: breaker, configuration: configuration, logger: TestCluster.logger,
                suppressionList: { erased })
        }
        let erasing = Task { try await drainer(SpoolDrainer.Configuration()).run() }
        defer { erasing.cancel() }
        try await app.waitUntil("the device is erased") { await spool.status.setAsideEvents == 1 }
        erasing.cancel()
        _ = try? await erasing.value
        let bytes = try Data(contentsOf: URL(filePath: directory + "/spool-0-0.sqlite"))
        #expect(bytes.range(of: Data("of-gone".utf8)) == nil && bytes.range(of: Data("of-stays".utf8)) != nil)
        #expect(FileManager.default.fileExists(atPath: aside), "its time has not come")

        var configuration = SpoolDrainer.Configuration()
        configuration.remainsLifetime = .zero
        let deleting = Task { [configuration] in try await drainer(configuration).run() }
        defer { deleting.cancel() }
        try await app.waitUntil("the file and the entry, which is not retried, are deleted") {
            await spool.status.setAsideEntries == 0 && !FileManager.default.fileExists(atPath: aside)
        }
    }

    @Test func `a locked table sets no entry aside`() async throws {
        async let locked: Void = app.database.owner.withConnection { connection in
            try await connection.script("begin; lock table afterpush.events in access exclusive mode")
            // This is longer than the lock timeout of a group.
            try await Task.sleep(for: .seconds(4))
        }
        try await Task.sleep(for: .milliseconds(300))
        let status = try await drained { spool in _ = try await spool.add(try group([EventJSON.event()])) }
        try await locked
        #expect(status.counts == SpoolCounts(spooled: 1, stored: 1))
    }
}
