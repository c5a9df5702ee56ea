import Foundation
import Postgres
import Storage
import TestSupport
import Testing

/// Tests that ids of erased devices are looked for in alerts in bounded steps, beside merges and the erasures of others.
@Suite struct ErasedTextTests {
    /// Adds changes of alerts, a second apart, each with two messages; and as many messages without a change.
    private func addAlerts(_ count: Int, naming device: String, to app: TestApp) async throws {
        try await app.superuserValue(
            """
            with changes as (
                insert into afterpush.alert_history
                    (app_id, alert_name, series, from_state, to_state, changed_at, description)
                select
                    \(app.app.id), 'r', json_build_object('reason', 'of ' || case when n % 10 = 3 then '\(device)' else 'x' end),
                    'ok', 'firing', now() - interval '1 hour' + n * interval '1 s', ''
                from generate_series(1, \(count)) as n
                returning transition_id, changed_at
            )
            insert into afterpush.alert_messages
                (app_id, message_id, kind, target, subject, body, created_at, next_attempt_at)
            select \(app.app.id), c.transition_id, 'webhook', target, '', '{}', c.changed_at, now() + interval '1 day'
            from changes as c
            cross join (values ('a'), ('b')) as t (target)
            union all
            select
                \(app.app.id), gen_random_uuid(), 'email', 'a', '', case when n % 10 = 3 then '\(device)' else 'x' end,
                now() - interval '1 hour' + n * interval '1 s', now() + interval '1 day'
            from generate_series(1, \(count)) as n
            """)
    }

    /// Adds jobs of which only texts are left to be erased.
    private func addJobs(_ devices: [String], to app: TestApp) async throws {
        for device in devices {
            _ = try await app.value("select afterpush.request_erasure(\(app.app.id), '\(device)')")
        }
        _ = try await app.superuserValue(
            "update afterpush.erasures set phase = 'erasing_texts' where phase = 'announced'")
    }

    private func count(_ table: String, _ app: TestApp, where condition: String = "true") async throws -> String? {
        try await app.superuserValue(
            "select count(*) from afterpush.\(table) where app_id = \(app.app.id) and \(condition)")
    }

    @Test func `history and messages are searched a page at a time, without the lock of merges`() async throws {
        let app = try await TestApp()
        try await addAlerts(100, naming: "d1", to: app)
        try await addJobs(["d1", "d2"], to: app)
        try await app.database.owner.withConnection { connection in
            // Waits until the steps are done, which run on other connections.
            try await connection.execute("begin")
            _ = try await connection.query("select from afterpush.rollup_worker for update")
            var pages: [String] = []
            try await app.waitUntil("both are erased") {
                let step = try await app.superuserValue("select afterpush.run_erasure_step(200, 30)")
                #expect(step == "busy" || step == "working" || step == "idle")
                if step == "working" { pages.append(try await count("alert_history", app) ?? "") }
                return try await count("erasures", app, where: "phase = 'done'") == "2"
            }
            // After two steps about names. A page ends with the second of the 31st message, which is the eleventh.
            #expect(pages == ["100", "100", "99", "98", "96", "95", "94", "93", "92", "91", "90", "90"])
            try await connection.execute("rollback")
        }
        #expect(try await count("alert_messages", app) == "270")
        #expect(try await count("alert_messages", app, where: "body = 'd1'") == "0")
        #expect(try await count("erasures", app, where: "device_id is null and alerts_checked = '-infinity'") == "2")
    }

    @Test func `an app with many changes of alerts does not delay the erasures of another`() async throws {
        let app = try await TestApp()
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        try await addAlerts(400, naming: "d1", to: app)
        // Each job is at a place of its own, so none shares a page.
        for number in 1...20 {
            try await addJobs(["d\(number)"], to: app)
            try await app.superuserValue("select afterpush.erase_texts(1)")
        }
        try await addJobs(["d1"], to: other)
        var steps = 0
        while try await count("erasures", other, where: "phase = 'done'") != "1" {
            _ = try await app.superuserValue("select afterpush.run_erasure_step(200, 1)")
            steps += 1
        }
        #expect(steps < 200)
        #expect(try await count("erasures", app, where: "phase = 'done'") == "0")
    }

    @Test func `an erasure waits for an analysis that may have read the device`() async throws {
        let app = try await TestApp()
        try await app.store([EventJSON.event(["device_id": "d1"])])
        try await app.rollUp()
        try await TestCluster.script(
            """
            insert into afterpush.deliveries
            select (jsonb_populate_record(d, jsonb_build_object('delivery_id', gen_random_uuid()))).*
            from afterpush.deliveries as d
            cross join generate_series(1, 5000)
            """, on: app.conninfo)
        try await app.database.owner.withConnection { analyzing in
            // It reads a page after the other, and sleeps in between.
            try await analyzing.script("set vacuum_cost_delay = '100ms'; set vacuum_cost_limit = 1")
            async let analyzed: Void = analyzing.script("analyze afterpush.deliveries (device_id)")
            try await app.waitUntil("it is being analyzed") {
                try await app.superuserValue("select count(*) from pg_stat_progress_analyze") != "0"
            }
            try await addJobs(["d1"], to: app)
            try await app.superuserValue("update afterpush.erasures set deleted_at = clock_timestamp()")
            for _ in 0..<5 { _ = try await app.superuserValue("select afterpush.erase_texts(100)") }
            #expect(try await count("erasures", app, where: "phase = 'erasing_texts'") == "1")
            try await analyzed
        }
        try await TestCluster.script("delete from afterpush.deliveries", on: app.conninfo)
        try await app.waitUntil("it is erased") {
            _ = try await app.superuserValue("select afterpush.erase_texts(100)")
            return try await count("erasures", app, where: "phase = 'done'") == "1"
        }
        let samples =
            "select count(*) from pg_stats where most_common_vals::text like '%d1%' and tablename = 'deliveries'"
        #expect(try await app.superuserValue(samples) == "0")
    }

    @Test func `no table with texts of devices has samples of them`() async throws {
        let app = try await TestApp()
        let unsampled = """
            select string_agg(c.relname || '.' || a.attname, ' ')
            from pg_attribute as a
            join pg_class as c on c.oid = a.attrelid
            where c.relnamespace = 'afterpush'::regnamespace
              and c.relkind in ('r', 'p')
              and a.attname in ('reason', 'properties', 'user_text')
              and c.relname not in ('dialect_events')
              and a.attstattarget <> 0
            """
        #expect(try await app.superuserValue(unsampled) == nil)
        // Also while the default partition is copied.
        for _ in 0..<2 {
            try await app.superuserValue("select afterpush.split_default_partition(now(), 0, 6)")
            #expect(try await app.superuserValue(unsampled) == nil)
        }
    }

    @Test func `a device that is requested again while its texts are erased goes back one phase`() async throws {
        let app = try await TestApp()
        try await addJobs(["d1"], to: app)
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'd1')")
        #expect(try await app.value("select phase from afterpush.erasures") == "checking_rejected")
    }
}
