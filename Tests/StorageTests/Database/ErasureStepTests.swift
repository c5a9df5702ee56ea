import Events
import Foundation
import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests that each step of an erasure is bounded by rows, and that the rollups are exact between any two of them.
@Suite struct ErasureStepTests {
    private static let hours = (0..<5).map { "2026-11-20T0\($0):00:00Z" }

    /// Events of some devices, of which the first ones have very many: about a few notifications, and about themselves.
    private func events(_ count: Int, _ random: inout SeededGenerator) -> [[String: any Sendable]] {
        (0..<count).map { _ in
            let device = min(Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random))
            let own: [String: any Sendable] = [
                "device_id": "d\(device)", "occurred_at": Self.hours.randomElement(using: &random) ?? "",
            ]
            if Int.random(in: 0..<4, using: &random) == 0 {
                // Not EventJSON.event, which is about a notification.
                return own.merging(["event_id": UUID().uuidString, "kind": "app_opened", "platform": "ios"]) { $1 }
            }
            let number = min(Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random))
            let kinds: [[String: any Sendable]] = [
                ["kind": "sent"], ["kind": "displayed"], ["kind": "opened"], ["kind": "dismissed"],
                ["kind": "converted", "value": 2.5, "currency": "EUR"],
                ["kind": "action", "action_identifier": "a\(Int.random(in: 0..<2, using: &random))"],
                ["kind": "text_input", "action_identifier": "reply", "user_text": "text"],
            ]
            let delivery: [String: any Sendable] = [
                "notification_id": "n\(number)", "campaign_id": "c\(number % 2)", "platform": "ios",
            ]
            return EventJSON.event(
                own.merging(delivery) { $1 }.merging(kinds.randomElement(using: &random) ?? [:]) { $1 })
        }
    }

    /// What reports count: the rows of the rollups that have no column that an erasure changes.
    private func counts(_ app: TestApp) async throws -> String? {
        try await app.value(
            """
            select md5(string_agg(r, e'\\n' order by r))
            from (
                select r::text as r from afterpush.rollup_events as r
                union all select r::text from afterpush.rollup_deliveries as r
                union all select r::text from afterpush.rollup_actions as r
                union all select r::text from afterpush.rollup_responses as r
                union all select r::text from afterpush.rollup_values as r
                union all select r::text from afterpush.rollup_delivery_days as r
            ) as r
            """)
    }

    private func step(_ app: TestApp, rows: Int) async throws -> String? {
        try await app.value("select afterpush.run_erasure_step(3, \(rows))")
    }

    @Test(arguments: [(UInt64(1), 1), (2, 2), (3, 3), (4, 7), (5, 20), (6, 5_000)])
    func `no step of any size changes a count`(seed: UInt64, rows: Int) async throws {
        let app = try await TestApp()
        var random = SeededGenerator(seed: seed)
        try await app.store(events(120, &random))
        try await app.store(
            events(120, &random).filter { $0["kind"] as? String != "sent" }, scope: .ingest)
        try await app.rollUp()
        let before = try await counts(app)
        let deliveries = try await app.value("select count(*) from afterpush.deliveries")
        func stored(_ devices: String) async throws -> Int {
            Int(try await app.value("select count(*) from afterpush.events where device_id \(devices)") ?? "") ?? 0
        }
        let erased = "in ('d0', 'd3')"
        let events = try await stored(erased)
        let replies = try await app.value("select count(*) from afterpush.replies")
        let others = try await stored("not \(erased)")
        let ids = try await app.value("select count(*) from afterpush.deliveries where device_id \(erased)")
        for device in ["d0", "d3"] {
            _ = try await app.value("select afterpush.request_erasure(\(app.app.id), '\(device)')")
        }
        try await app.superuserValue("update afterpush.erasures set requested_at = now() - interval '3 s'")
        var steps = 0
        var left = events
        while try await app.value("select phase from afterpush.erasures order by finished_at nulls first limit 1")
            != "done"
        {
            guard steps < 2_000 else { throw Program.Failed(message: "2,000 steps did not end the erasure") }
            _ = try await step(app, rows: rows)
            steps += 1
            let now = try await stored(erased)
            #expect(left - now <= rows, "seed \(seed), step \(steps)")
            left = now
            // As if the program was killed here.
            #expect(try await app.maintenance.verify().map { "\($0)" } == [], "seed \(seed), step \(steps)")
            if steps.isMultiple(of: 5) || rows > 10 {
                try await app.maintenance.rebuild()
                #expect(
                    try await app.maintenance.verify().map { "\($0)" } == [], "seed \(seed), step \(steps), rebuilt")
            }
            #expect(try await counts(app) == before, "seed \(seed), step \(steps)")
        }
        #expect(left == 0)
        #expect(try await stored("not \(erased)") == others)
        #expect(try await app.value("select count(*) from afterpush.deliveries") == deliveries)
        let jobs = try await app.value(
            """
            select concat_ws(' ', sum(events), sum(replies) + (select count(*) from afterpush.replies), sum(deliveries))
            from afterpush.erasures
            """)
        #expect(jobs == "\(events) \(replies ?? "") \(ids ?? "")", "seed \(seed)")
        let orphans =
            "select count(*) from afterpush.replies where delivery_id not in (select delivery_id from afterpush.events)"
        #expect(try await app.value(orphans) == "0")
        let known = "select count(*) from afterpush.deliveries where device_id is null and notification_id is not null"
        #expect(try await app.value(known) == "0")
        // No delivery is found by its former id.
        let former = """
            select count(*) from afterpush.erased_event_counts
            union all select count(*) from afterpush.erasures where partial_delivery is not null
            order by 1 limit 1
            """
        #expect(try await app.value(former) == "0")
    }

    @Test(arguments: [#""notification_id": "n1","#, ""])
    func `a step reads and deletes only its part of very many events`(of delivery: String) async throws {
        let app = try await TestApp()
        let kind = delivery.isEmpty ? "app_opened" : "displayed"
        let event = EventJSON.event(["kind": "displayed"])
        var first = event
        if delivery.isEmpty {
            first = event.filter { $0.key != "notification_id" }
            first["kind"] = "app_opened"
        }
        try await app.store([first])
        try await app.superuserValue(
            """
            with many as (
                insert into afterpush.events
                select e.*
                from afterpush.events as stored
                cross join generate_series(1, 20000) as n
                cross join lateral jsonb_populate_record(stored, jsonb_build_object('event_id', md5(n::text)::uuid)) as e
                where stored.kind = '\(kind)'
            )
            update afterpush.batches set events = events + 20000 where batch_id = (select max(batch_id) from afterpush.events)
            """)
        try await app.rollUp()
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'd1')")
        for _ in 0..<2 { _ = try await step(app, rows: 500) }
        // Old statistics, and those of a device that has nearly all events.
        for analyzes in [false, true] {
            if analyzes { try await app.superuserValue("analyze afterpush.events") }
            let step = try await app.reads(of: ["events_"], in: "select afterpush.run_erasure_step(200, 500)")
            // Each event is read a few times: it is picked, summed up three times, and deleted.
            #expect(step.counts[0] < 15 * 500)
        }
        #expect(try await app.value("select count(*) from afterpush.events") == "19001")
        #expect(try await app.value("select sum(events) from afterpush.rollup_events where not verified") == "20001")
    }

    @Test func `of very many jobs a step reads few, and apps have their turns from their first job on`() async throws {
        let app = try await TestApp()
        let other = try await app.registry.createApp("other")
        // The later a job is in the table, the earlier it was requested.
        for (id, jobs) in [(app.app.id, 20_000), (other.id, 20)] {
            try await app.superuserValue(
                """
                with suppressed as (
                    insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
                    select \(id), sha256(i::text::bytea), (select min(key_id) from afterpush.suppression_keys)
                    from generate_series(1, \(jobs)) as i
                    returning app_id, device_hash
                )
                insert into afterpush.erasures (app_id, device_hash, device_id, phase, requested_at)
                select app_id, device_hash, 'd' || n, 'erasing', now() - interval '1 hour' - n * interval '1 ms'
                from (select app_id, device_hash, row_number() over () as n from suppressed) as s
                """)
        }
        try await app.superuserValue("analyze afterpush.erasures")
        for _ in 0..<2 {
            let step = try await app.reads(of: ["erasures"], in: "select afterpush.run_erasure_step(200, 500)")
            #expect(step.value == "working")
            #expect(step.counts[0] < 1_000)
        }
        func erased(_ app: TestApp, _ id: Int32) async throws -> Int {
            let count = try await app.value(
                "select count(*) from afterpush.erasures where app_id = \(id) and phase <> 'erasing'")
            return Int(count ?? "") ?? 0
        }
        try await app.waitUntil("both apps had a turn") {
            _ = try await step(app, rows: 500)
            let counts = [try await erased(app, app.app.id), try await erased(app, other.id)]
            return counts.allSatisfy { $0 > 0 }
        }
        let isInOrder = """
            select bool_and(ordered)
            from (
                select max(requested_at) filter (where phase <> 'erasing')
                    < min(requested_at) filter (where phase = 'erasing') as ordered
                from afterpush.erasures
                group by app_id
            ) as apps
            """
        #expect(try await app.value(isInOrder) == "t")
    }

    @Test func `jobs are announced while merges hold their lock`() async throws {
        let app = try await TestApp()
        try await app.store([EventJSON.event(["device_id": "d1"])])
        try await app.rollUp()
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'd1')")
        try await app.database.worker.withConnection { merging in
            try await merging.script("begin; select from afterpush.rollup_worker for update")
            try await app.waitUntil("the job waits only for the lock") {
                try await step(app, rows: 500) == "busy"
            }
            #expect(try await app.value("select phase from afterpush.erasures") == "erasing")
            try await merging.script("rollback")
        }
    }

    /// Stores rejected events that the collector found no erased device in.
    private func reject(_ count: Int, _ app: TestApp, of other: App? = nil) async throws {
        try await app.superuserValue(
            """
            insert into afterpush.rejected_events (app_id, received_at, code, detail, event, checked_until)
            select \((other ?? app.app).id), now(), 'kind_unknown', '', gen_random_uuid(), 1
            from generate_series(1, \(count))
            """)
    }

    @Test func `an erasure reads no rejected event of another app`() async throws {
        let app = try await TestApp()
        try await reject(5_000, app, of: try await app.registry.createApp("other"))
        try await app.superuserValue("analyze afterpush.rejected_events")
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        // One transaction, whose reads PostgreSQL counts; with plans that don't know the app.
        try await connection.script("begin; set local plan_cache_mode = force_generic_plan")
        _ = try await connection.query("select afterpush.request_erasure($1, 'd1')", [.int4(app.app.id)])
        try await connection.script(
            """
            update afterpush.erasures set requested_at = requested_at - interval '3 seconds';
            do $$
            begin
                for step in 1..50 loop
                    perform afterpush.run_erasure_step(3, 5000);
                end loop;
            end
            $$
            """)
        let phases = try await connection.query("select string_agg(phase, ' ') from afterpush.erasures")
        #expect(try phases.first?.decode(String.self) == "done")
        #expect(try await reads(of: "rejected_events", connection) < 100)
        await connection.close()
    }

    /// Returns how many entries of a table and its indexes the connection's transaction has read.
    private func reads(of table: String, _ connection: Connection) async throws -> Int64 {
        let rows = try await connection.query(
            """
            select sum(pg_stat_get_xact_tuples_returned(c.oid))::bigint
            from pg_class as c
            left join pg_index as i on i.indexrelid = c.oid
            where 'afterpush.\(table)'::regclass in (c.oid, i.indrelid)
            """)
        return try #require(rows.first).decode(Int64.self)
    }

    @Test func `what is stored after a long list of erased devices was read doesn't read it again`() async throws {
        let app = try await TestApp()
        try await app.superuserValue(
            """
            insert into afterpush.suppressed_devices (app_id, device_hash, key_id, suppressed_at)
            select \(app.app.id), sha256(n::text::bytea), min(k.key_id), now() - interval '1 hour'
            from afterpush.suppression_keys as k
            cross join generate_series(1, 5000) as n
            group by n
            """)
        try await app.superuserValue("analyze afterpush.suppressed_devices")
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        let last = try await connection.query("select max(suppression_id) from afterpush.suppressed_devices")
        let position = try #require(last.first).decode(Int64.self)
        // As after many calls, with plans that know no position.
        try await connection.script("begin; set local plan_cache_mode = force_generic_plan")
        _ = try await connection.query("select afterpush.hold_ingest_barrier($1)", [.int8(position)])
        _ = try await connection.query(
            """
            insert into afterpush.rejected_events (app_id, received_at, code, detail, event, checked_until)
            select $1, now(), 'kind_unknown', '', n::text, $2 from generate_series(1, 20) as n
            """, [.int4(app.app.id), .int8(position)])
        #expect(try await reads(of: "suppressed_devices", connection) < 100)
        await connection.close()
    }

    @Test func `an erasure waits for no rejected event that comes more than two seconds after it`() async throws {
        let app = try await TestApp()
        let eraser = Eraser(worker: app.database.worker, owner: app.database.owner)
        try await reject(3, app)
        _ = try await eraser.request("d1", app: app.app.id)
        try await app.waitUntil("the device is erased") {
            try await reject(1, app)
            _ = try await eraser.step()
            return try await app.value("select phase from afterpush.erasures") == "done"
        }
        let unchecked = """
            select count(*) filter (where rejection_id <= rejected_until) || ' ' || (count(*) > 0)
            from afterpush.erasures
            join afterpush.rejected_events on rejection_id > rejected_checked
            """
        #expect(try await app.superuserValue(unchecked) == "0 true")
    }

    @Test func `a repeated request goes on where the check of rejected events is`() async throws {
        let app = try await TestApp()
        func checked() async throws -> String? {
            try await app.value(
                """
                select (e.rejected_checked - (select min(rejection_id) from afterpush.rejected_events))::text
                from afterpush.erasures as e
                """)
        }
        let eraser = Eraser(worker: app.database.worker, owner: app.database.owner)
        try await reject(3_000, app)
        _ = try await eraser.request("d1", app: app.app.id)
        try await reject(3_000, app)
        try await app.waitUntil("the first pages are checked") {
            _ = try await eraser.step()
            return try await checked() == "3999"
        }
        _ = try await eraser.request("d1", app: app.app.id)
        // Rejected events that were being stored while a page was read may be missing in it.
        #expect(try await checked() == "2999")
        try await app.waitUntil("the device is erased") {
            _ = try await eraser.step()
            return try await app.value("select phase from afterpush.erasures") == "done"
        }
        _ = try await eraser.request("d1", app: app.app.id)
        #expect(try await app.value("select rejected_checked from afterpush.erasures") == "0")
    }
}
