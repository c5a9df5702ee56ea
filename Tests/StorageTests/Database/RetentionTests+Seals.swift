import Foundation
import Postgres
import Storage
import TestSupport
import Testing

/// Tests what a seal waits for, and what does not wait for it.
extension RetentionTests {
    @Test func `no hour is sealed until each collector that has not stopped has reported its spool`() async throws {
        let isSealed = "select isfinite(sealed_before) from afterpush.rollup_worker"
        // It can't have reported what it has spooled since.
        try await TestCluster.script(
            "insert into afterpush.spools (collector, events) values (gen_random_uuid(), 0)", on: app.conninfo)
        let retention = retention(RetentionPeriods(events: 86_400))
        await #expect(throws: Retention.Failure.self) { try await retention.run() }
        #expect(try await app.value(isSealed) == "f")
        try await TestCluster.script("update afterpush.spools set is_closed = true", on: app.conninfo)
        try await retention.run()
        #expect(try await app.value(isSealed) == "t")
    }

    @Test func `the status of a spool is closed with its collector, or by the one that emptied it`() async throws {
        let store = PostgresSpoolStatusStore(pool: app.database.ingest)
        func isClosed() async throws -> String? {
            try await app.value("select concat_ws(' ', events, is_closed) from afterpush.spools")
        }
        try await store.put("host:spool", events: 0, oldest: nil, isClosed: true)
        #expect(try await isClosed() == "0 t")
        try await store.put("host:spool", events: 2, oldest: nil, isClosed: false)
        #expect(try await isClosed() == "2 f")
        // Its collector stops, and can't store them.
        try await store.put("host:spool", events: 2, oldest: nil, isClosed: true)
        #expect(try await isClosed() == "2 f")
        // Its collector has just reported, so the spool is in use again.
        try await store.close(["another", "host:spool"])
        #expect(try await isClosed() == "2 f")
        try await TestCluster.script(
            "update afterpush.spools set reported_at = now() - interval '61 seconds'", on: app.conninfo)
        try await store.close(["another", "host:spool"])
        #expect(try await isClosed() == "0 t")
    }

    @Test func `rejected events and replies expire although no hour can be sealed`() async throws {
        let reply = EventJSON.event(["kind": "text_input", "action_identifier": "a", "user_text": "yes"])
        _ = try await store([reply, EventJSON.event(["kind": "nonsense"])])
        try await TestCluster.script(
            """
            update afterpush.replies set stored_at = now() - interval '91 days';
            insert into afterpush.spools (collector, events) values (gen_random_uuid(), 3)
            """, on: app.conninfo)
        var deleted: [String] = []
        await #expect(throws: Retention.Failure.self) {
            try await retention(RetentionPeriods(events: 86_400, rejected: 0)).run { deleted.append($0.what) }
        }
        #expect(deleted == ["replies", "rejected"])
    }

    @Test func `an app that is merged apart and a day behind keeps no hours of other apps from being sealed`()
        async throws
    {
        let old = ["d1", "d2"].map { EventJSON.event(["occurred_at": Self.time(daysAgo: 100), "device_id": $0]) }
        _ = try await store([old[0]])
        try await app.rollUp()
        _ = try await store([old[1]])
        let retention = Retention(pool: app.database.owner, RetentionPeriods(events: 30 * 86_400)) {}
        try await TestCluster.script(
            """
            insert into afterpush.apps_merged_apart values (\(app.app.id));
            update afterpush.batches set started_at = started_at - interval '25 hours' where rolled_up_at is null
            """, on: app.conninfo)
        try await retention.run()
        // The other one is not merged yet, so its event is not deleted; it counts nowhere.
        #expect(try await app.value("select string_agg(device_id, ' ') from afterpush.events") == "d2")
        try await app.rollUp()
        #expect(
            try await app.value("select sum(deliveries) from afterpush.rollup_deliveries where not verified") == "1")
        #expect(try await app.maintenance.verify().isEmpty)
        try await retention.run()
        #expect(try await app.value("select count(*) from afterpush.events") == "0")
    }

    @Test func `a seal looks for apps that are a day behind once, however many of their batches wait`() async throws {
        _ = try await store([EventJSON.event(["device_id": "d1"])])
        // As if many were stored a day ago.
        try await TestCluster.script(
            """
            insert into afterpush.apps_merged_apart values (\(app.app.id));
            insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected)
            select -n, \(app.app.id), now() - interval '25 hours', 0, 0, 0, 0
            from generate_series(1, 500) as n;
            """, on: app.conninfo)
        let announce = """
            with step as materialized (select afterpush.begin_retention_step(now()))
            select afterpush.announce_seal(now() - interval '32 days') from step
            """
        _ = try await app.value(announce)
        #expect(try await app.value(advance) == "waiting")
        let step = try await app.reads(of: ["apps_merged_apart"], in: advance)
        #expect(step.value == "sealed")
        #expect(step.counts[0] < 100)
    }

    private var advance: String {
        """
        with step as materialized (select afterpush.begin_retention_step(now()))
        select afterpush.advance_seal() from step
        """
    }
}
