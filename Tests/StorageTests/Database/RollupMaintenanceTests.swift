import Declarations
import Events
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

/// Tests that `verify` finds errors and `rebuild` corrects them; in the model tests they find none.
@Suite struct RollupMaintenanceTests {
    @Test(arguments: [
        ("deliveries", "update afterpush.deliveries set kinds = kinds | 512"),
        ("deliveries", "update afterpush.deliveries set converted_at = first_event_at"),
        ("rollup_delivery_counts", "update afterpush.campaigns set counted_window = '1 second'"),
        ("rollup_device_buckets", "update afterpush.campaigns set counted_window = '1 second'"),
        ("deliveries", "delete from afterpush.deliveries"),
        (
            "deliveries",
            """
            insert into afterpush.deliveries
            select (jsonb_populate_record(d, jsonb_build_object('delivery_id', gen_random_uuid()))).*
            from afterpush.deliveries as d
            """
        ),
        ("rollup_delivery_counts", "update afterpush.rollup_delivery_counts set opened = opened + 1"),
        ("rollup_delivery_counts", "update afterpush.rollup_delivery_counts set modes = 1 where modes = 3"),
        ("rollup_app_version_counts", "update afterpush.rollup_app_version_counts set modes = 2 where modes = 3"),
        ("rollup_app_version_counts", "delete from afterpush.rollup_app_version_counts"),
        ("rollup_action_counts", "update afterpush.rollup_action_counts set bucket = bucket + 1"),
        (
            "rollup_action_counts",
            """
            insert into afterpush.rollup_action_counts
            select (jsonb_populate_record(a, jsonb_build_object('bucket', 99))).*
            from afterpush.rollup_action_counts as a
            """
        ),
        ("rollup_events", "update afterpush.rollup_events set sent = sent + 1"),
        ("rollup_events", "delete from afterpush.rollup_events"),
        ("rollup_event_hours", "update afterpush.rollup_event_hours set events = events + 1"),
        ("rollup_event_checks", "update afterpush.rollup_event_checks set events = events + 1"),
        ("rollup_event_checks", "update afterpush.rollup_event_checks set value = value + 1"),
        ("rollup_names", "update afterpush.rollup_names set events = events + 1"),
        ("rollup_names", "delete from afterpush.rollup_names"),
        ("rollup_stored_hours", "update afterpush.rollup_stored_hours set timed = timed + 1"),
        ("rollup_stored_hours", "delete from afterpush.rollup_stored_hours"),
        ("rollup_response_counts", "update afterpush.rollup_response_counts set sent_time = sent_time + 1"),
        ("rollup_response_days", "delete from afterpush.rollup_response_days"),
        ("rollup_delivery_days", "update afterpush.rollup_delivery_days set acted_sent = acted_sent + 1"),
        ("rollup_campaign_days", "update afterpush.rollup_campaign_days set locally_sent = locally_sent + 1"),
        ("rollup_goal_days", "delete from afterpush.rollup_goal_days"),
        ("rollup_action_days", "update afterpush.rollup_action_days set times = '{1,1}'"),
        ("rollup_device_buckets", "delete from afterpush.rollup_device_changes where kinds & 1 <> 0"),
        (
            "rollup_device_buckets",
            """
            select afterpush.settle_device_changes(1000);
            update afterpush.rollup_device_buckets set device_buckets = device_buckets + 1
            """
        ),
        (
            "rollup_device_bucket_totals",
            """
            select afterpush.settle_device_changes(1000);
            update afterpush.rollup_device_bucket_totals set kinds = kinds | 512
            """
        ),
        ("delivery_values", "update afterpush.delivery_values set value = value + 1"),
        ("delivery_values", "delete from afterpush.delivery_values"),
        (
            "delivery_values",
            "insert into afterpush.delivery_values select gen_random_uuid(), 'EUR', app_id, 1 from afterpush.batches"
        ),
        ("rollup_values", "update afterpush.rollup_values set squares = squares + 1"),
        ("rollup_values", "delete from afterpush.rollup_values"),
    ])
    func `a damaged layer is found and rebuilt`(layer: String, damage: String) async throws {
        let app = try await TestApp()
        let events = [
            EventJSON.event(["kind": "sent"]), EventJSON.event(),
            EventJSON.event(["kind": "action", "action_identifier": "book"]),
            EventJSON.event([
                "kind": "sent", "campaign_id": "c", "notification_id": "n2", "occurred_at": "2026-11-02T10:00:00Z",
            ]),
            EventJSON.event([
                "kind": "converted", "campaign_id": "c", "notification_id": "n2",
                "occurred_at": "2026-11-02T11:00:00Z", "value": 9.99, "currency": "EUR",
            ]),
        ]
        try await app.registry.putCampaign(CampaignDeclaration(identifier: "c", name: "c"), app: app.app)
        try await app.store(events)
        try await app.rollUp()
        #expect(try await app.maintenance.verify().isEmpty)

        try await TestCluster.script(damage, on: app.conninfo)
        let found = try await app.maintenance.verify().map(\.layer)
        #expect(found.contains(layer), "\(found)")
        try await app.maintenance.rebuild()
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test func `batches that wait from several hours, in any order, are merged with the hour of each`() async throws {
        let app = try await TestApp()
        for number in 0..<12 {
            try await app.store(
                (0..<3).map { part in
                    EventJSON.event([
                        "kind": ["sent", "delivered", "opened"][part], "notification_id": "n-\(number % 5)",
                        "occurred_at": "2026-11-02T0\(number % 3):0\(part):00Z",
                    ])
                })
        }
        // Batch by batch in another hour, as after a spool was replayed.
        try await TestCluster.script(
            """
            with numbered as (select batch_id, row_number() over (order by batch_id) as number from afterpush.batches)
            update afterpush.batches as b
            set started_at = timestamptz '2026-11-03 00:30Z' + (n.number * 7 % 4) * interval '1 hour'
            from numbered as n
            where n.batch_id = b.batch_id
            """, on: app.conninfo)
        try await app.rollUp()
        #expect(
            try await app.value(
                """
                select count(*) from afterpush.deliveries as d
                where d.last_stored_hour <> (
                    select date_trunc('hour', max(b.started_at))
                    from afterpush.events as e
                    join afterpush.batches as b using (batch_id)
                    where e.delivery_id = d.delivery_id
                )
                """) == "0")
        #expect(try await app.value("select count(distinct last_stored_hour) > 1 from afterpush.deliveries") == "t")
        #expect(try await app.maintenance.verify().map(\.row) == [])
    }

    private func converted(_ app: TestApp) async throws -> String? {
        try await app.value(
            """
            select string_agg(coalesce(c.campaign_id, '') || ' ' || c.converted, ', ' order by c.campaign_id)
            from afterpush.report_counts(
                'shop', null, null, null, null, null, null, false, '{}', 'campaign', 'UTC'
            ) as c
            """)
    }

    @Test func `conversions are counted again when a campaign's conversion window changes`() async throws {
        let app = try await TestApp()
        for (campaign, hours) in [("a", 1), ("a", 30), ("a", 80), ("b", 30)] {
            let fields = ["campaign_id": campaign, "notification_id": "\(campaign)-\(hours)"]
            let time = "2026-11-\(String(format: "%02d", 2 + hours / 24))T\(String(format: "%02d", hours % 24)):00:00Z"
            try await app.store([
                EventJSON.event(fields.merging(["kind": "sent", "occurred_at": "2026-11-02T00:00:00Z"]) { $1 }),
                EventJSON.event(fields.merging(["kind": "converted", "occurred_at": time]) { $1 }),
            ])
        }
        try await app.rollUp()
        #expect(try await converted(app) == "a 2, b 1", "72 hours without a declaration")

        for (window, response, expected) in [(nil, 72, "a 2, b 1"), (1, 72, "a 1, b 1"), (nil, 80, "a 3, b 1")] {
            var campaign = CampaignDeclaration(identifier: "a", name: "a")
            campaign.conversionWindow = window.map { .seconds($0 * 3_600) }
            campaign.responseWindow = .seconds(response * 3_600)
            try await app.registry.putCampaign(campaign, app: app.app)
            try await app.rollUp()
            #expect(try await converted(app) == expected)
            #expect(try await app.maintenance.verify().map(\.row) == [])
            try await app.maintenance.rebuild()
            #expect(try await converted(app) == expected, "rebuilt")
            #expect(try await app.maintenance.verify().map(\.row) == [])
        }
        let settled = "select count(*) from afterpush.campaigns where counted_window <> interval '80 hours'"
        #expect(try await app.value(settled) == "0")
    }

    @Test func `a conversion counts once its delivery's anchor or campaign moves it into the window`() async throws {
        let app = try await TestApp()
        var campaign = CampaignDeclaration(identifier: "week", name: "week")
        campaign.conversionWindow = .seconds(7 * 86_400)
        try await app.registry.putCampaign(campaign, app: app.app)
        func store(_ kind: String, _ time: String, _ fields: [String: any Sendable] = [:]) async throws {
            try await app.store([EventJSON.event(["kind": kind, "occurred_at": time].merging(fields) { $1 })])
            try await app.rollUp()
            #expect(try await app.maintenance.verify().map(\.row) == [])
        }
        try await store("converted", "2026-11-06T00:00:00Z")
        #expect(try await converted(app) == " 1", "it is the anchor itself")
        try await store("delivered", "2026-11-02T00:00:00Z")
        #expect(try await converted(app) == " 0", "4 days after the anchor")
        try await store("delivered", "2026-11-02T00:00:01Z", ["campaign_id": "week"])
        #expect(try await converted(app) == "week 1", "within its campaign's window")
        try await store("sent", "2026-11-07T00:00:00Z", ["campaign_id": "week"])
        #expect(try await converted(app) == "week 0", "before the anchor")
        try await store("sent", "2026-11-05T00:00:00Z", ["campaign_id": "week"])
        #expect(try await converted(app) == "week 1", "after the anchor again")
    }

    /// Deliveries without events, and as many correct ones.
    private func damaged(_ count: Int) async throws -> TestApp {
        let app = try await TestApp()
        try await app.store((0..<count).map { EventJSON.event(["kind": "sent", "notification_id": "n-\($0)"]) })
        try await app.rollUp()
        try await TestCluster.script(
            """
            insert into afterpush.deliveries
            select (jsonb_populate_record(d, jsonb_build_object('delivery_id', gen_random_uuid()))).*
            from afterpush.deliveries as d
            """, on: app.conninfo)
        return app
    }

    @Test(arguments: [1, 2, 8, 50])
    func `a rebuild finds each wrong delivery once, whatever its ranges are`(ranges: Int) async throws {
        let app = try await damaged(20)
        #expect(try await app.maintenance.verify().map(\.layer).contains("deliveries"))
        try await TestCluster.script(
            """
            begin;
            select afterpush.rebuild_deliveries('-infinity', \(ranges));
            do $$
            begin
                assert (select count(*) from differing) = 20, 'found ' || (select count(*) from differing);
                assert (select count(distinct stored_id) from differing) = 20;
            end
            $$;
            commit;
            """, on: app.conninfo)
        #expect(try await app.value("select count(*)::text from afterpush.deliveries") == "20")
        try await app.maintenance.rebuild()
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test func `events that are stored during a rebuild are counted once`() async throws {
        let app = try await TestApp()
        let action = ["kind": "action", "action_identifier": "book"]
        try await app.store([EventJSON.event(["kind": "sent"]), EventJSON.event(action)])
        try await app.rollUp()

        // The rebuild waits for this month, and ingest does not write to it.
        let month = try #require(
            try await app.value(
                "select min(inhrelid::regclass::text) from pg_inherits where inhparent = 'afterpush.events'::regclass"))
        let holder = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await holder.script("begin; lock table \(month) in access exclusive mode")
        async let rebuilding: Void = app.maintenance.rebuild()
        try await app.waitUntil("a rebuild that waits for \(month)") {
            try await app.value(
                "select count(*) from pg_locks where relation = '\(month)'::regclass and not granted") == "1"
        }
        try await app.store([EventJSON.event(action)])
        try await holder.script("commit")
        try await rebuilding
        try await app.rollUp()
        #expect(try await app.maintenance.verify().map(\.row) == [])
        #expect(try await app.value("select sum(events) from afterpush.rollup_actions where not verified") == "2")
    }

    @Test func `events that are stored while a verified copy replaces an event are counted once`() async throws {
        let app = try await TestApp()
        let action = EventJSON.event(["kind": "action", "action_identifier": "book"])
        try await app.store([action], scope: .ingest)
        try await app.rollUp()
        try await app.store([action])

        // The worker waits for the event that the copy replaces, and ingest stores another of the same delivery.
        let holder = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await holder.script("begin; select from afterpush.events for update")
        async let merging: Void = app.rollUp()
        try await app.waitUntil("a worker that waits for the event") {
            try await app.value("select count(*) from pg_locks where locktype = 'transactionid' and not granted") == "1"
        }
        try await app.store([EventJSON.event(["kind": "action", "action_identifier": "book"])])
        try await holder.script("commit")
        try await merging
        try await app.rollUp()
        #expect(try await app.maintenance.verify().map(\.row) == [])
        #expect(
            try await app.value(
                "select string_agg(verified || ' ' || events, ', ' order by verified) from afterpush.rollup_actions")
                == "false 2, true 2")
    }

    @Test
    func `a delivery with the most and longest possible actions is counted like any other`()
        async throws
    {
        let app = try await TestApp()
        var random = SystemRandomNumberGenerator()
        func store(_ actions: some Collection<String>) async throws {
            let events = actions.map { EventJSON.event(["kind": "action", "action_identifier": $0]) }
            #expect(try await app.store(events) == actions.count)
            try await app.rollUp()
        }
        // The names are incompressible, because an index entry is limited to 2,704 bytes.
        let actions = (0..<32).map { _ in
            (0..<16).map { _ in String(UInt64.random(in: .max / 2...(.max), using: &random), radix: 16) }.joined()
        }
        try await store(actions.prefix(20))
        try await store(actions.dropFirst(20))
        #expect(
            try await app.value(
                """
                select string_agg(cardinality(actions) || ' ' || deliveries, ', ') from afterpush.rollup_deliveries
                where not verified
                """) == "32 1")
        #expect(try await app.maintenance.verify().isEmpty)
        try await app.maintenance.rebuild()
        #expect(try await app.maintenance.verify().isEmpty)
    }
}
