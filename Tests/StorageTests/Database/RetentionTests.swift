import AfterpushWire
import Declarations
import Events
import Foundation
import Ingest
import Postgres
import SQLFiles
import Storage
import TestSupport
import Testing

@Suite struct RetentionTests {
    let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    static func time(daysAgo days: Double) -> String {
        Date(timeIntervalSinceNow: -days * 86_400).formatted(.iso8601)
    }

    func store(_ events: [[String: any Sendable]]) async throws -> SubmissionOutcome {
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        let submission = try Submission.read(Array(EventJSON.body(events)), as: .json)
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        return try await sink.store(EventGroup([PendingSubmission(submission, context)]))[0]
    }

    /// Makes a retention.
    ///
    /// - Parameter ahead: The seconds by which the collector's clock is ahead of the database's.
    func retention(_ periods: RetentionPeriods, ahead: Int64 = 0) -> Retention {
        let clock = { @Sendable in Int64(Date().timeIntervalSince1970 * 1_000_000) + ahead * 1_000_000 }
        return Retention(pool: app.database.owner, periods, clock: clock, reportTimeout: .zero) {
            try await RollupWorker(pool: app.database.worker, logger: TestCluster.logger).rollUp()
        }
    }

    @Test func `a collector that does not know of the retention limit yet learns of it when it stores`() async throws {
        let old = EventJSON.event(["occurred_at": Self.time(daysAgo: 100)])
        #expect(try await store([old]).accepted == 1)
        let gone = try await retention(RetentionPeriods(events: 30 * 86_400, deliveries: 30 * 86_400)).run()
        #expect(gone.contains { $0.what == "deliveries" && $0.rows == 1 }, "\(gone)")
        #expect(try await app.value("select count(*) from afterpush.events") == "0")
        #expect(try await app.value("select count(*) from afterpush.deliveries") == "0")
        #expect(
            try await app.value("select sum(deliveries) from afterpush.rollup_deliveries where not verified") == "1")

        let outcome = try await store([
            EventJSON.event(["occurred_at": Self.time(daysAgo: 101)]),
            EventJSON.event(["occurred_at": Self.time(daysAgo: 1)]),
        ])
        #expect(outcome.accepted == 1)
        #expect(outcome.rejections.map(\.code) == [.occurredAtOutOfRange])
        try await app.rollUp()
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test func `a delivery is kept as long as its reply's text, so that erasure finds it`() async throws {
        let reply = EventJSON.event([
            "kind": "text_input", "action_identifier": "a", "user_text": "yes", "occurred_at": Self.time(daysAgo: 100),
        ])
        #expect(try await store([reply]).accepted == 1)
        let periods = RetentionPeriods(events: 30 * 86_400, deliveries: 30 * 86_400)
        _ = try await retention(periods).run()
        #expect(try await app.value("select count(*) from afterpush.events") == "0")
        #expect(try await app.value("select string_agg(device_id, ' ') from afterpush.deliveries") == "d1")
        try await TestCluster.script(
            "update afterpush.replies set stored_at = now() - interval '91 days'", on: app.conninfo)
        let gone = try await retention(periods).run()
        #expect(gone.map(\.what) == ["replies", "deliveries"])
        #expect(try await app.value("select count(*) from afterpush.deliveries") == "0")
    }

    @Test func `an event with a wrong device time is kept as long as its hour is open`() async throws {
        // The device's clock was a hundred days slow, as sent_at shows.
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        let body = try JSONSerialization.data(withJSONObject: [
            "sent_at": Self.time(daysAgo: 100),
            "events": [EventJSON.event(["occurred_at": Self.time(daysAgo: 100.01)])],
        ])
        let submission = try Submission.read(Array(body), as: .json)
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        _ = try await sink.store(EventGroup([PendingSubmission(submission, context)]))
        _ = try await store([EventJSON.event(["occurred_at": Self.time(daysAgo: 100), "device_id": "d2"])])
        try await app.rollUp()
        _ = try await retention(RetentionPeriods(events: 30 * 86_400)).run()
        #expect(try await app.value("select string_agg(device_id, ' ') from afterpush.events") == "d1")
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test func `texts expire by their category's period or the app's, and rejected events by their own`() async throws {
        let json = """
            {"categories": [
                {"identifier": "short", "actions": [{"identifier": "a", "title": "A", "text_input": {}}], "text_retention": "2d"},
                {"identifier": "long", "actions": [{"identifier": "a", "title": "A", "text_input": {}}], "text_retention": "400d"}
            ]}
            """
        _ = try await app.registry.putCategories(
            CategorySet(json: Data(json.utf8)), app: app.app,
            at: AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)))
        for (category, ages) in [("short", [1, 3]), ("long", [300, 401]), ("none", [89, 91])] {
            for age in ages {
                let fields: [String: any Sendable] = [
                    "kind": "text_input", "action_identifier": "a", "user_text": "\(category) \(age)",
                    "category_id": category, "notification_id": "\(category) \(age)",
                    "occurred_at": Self.time(daysAgo: 0),
                ]
                #expect(
                    try await store([EventJSON.event(fields), EventJSON.event(["event_id": "\(age)"])]).accepted == 1)
                try await TestCluster.script(
                    """
                    update afterpush.replies set stored_at = now() - interval '\(age) days'
                    where user_text = '\(category) \(age)';
                    update afterpush.rejected_events set received_at = now() - interval '\(age) days'
                    where event_id = '\(age)'
                    """, on: app.conninfo)
            }
        }
        let retention = retention(RetentionPeriods(rejected: 90 * 86_400))
        let planned = try await retention.plan()
        let gone = try await retention.run()
        #expect(planned.map(\.rows) == [3, 3] && gone.map(\.rows) == [3, 3], "\(planned) \(gone)")
        #expect(
            try await app.value("select string_agg(user_text, ', ' order by user_text) from afterpush.replies")
                == "long 300, none 89, short 1")
        #expect(
            try await app.value("select string_agg(event_id, ' ' order by event_id) from afterpush.rejected_events")
                == "1 3 89")
        #expect(try await retention.plan() == [])
    }

    @Test func `the plan includes events of the default partition like those of a month`() async throws {
        // This time is before the first partition.
        let ages = [400, 410, 420]
        let events = ages.map {
            EventJSON.event(["notification_id": "n\($0)", "occurred_at": Self.time(daysAgo: Double($0))])
        }
        #expect(try await store(events).accepted == 3)
        #expect(try await app.value("select count(*) from afterpush.events_default") == "3")
        try await app.rollUp()
        let retention = retention(RetentionPeriods(events: 100 * 86_400))
        let planned = try await retention.plan()
        #expect(planned.map(\.item) == ["in the default partition"] && planned.map(\.rows) == [3], "\(planned)")
        #expect(try await retention.run() == planned)
        #expect(try await retention.plan() == [])
    }

    @Test(arguments: [2, 8])
    func `old batches without events are compacted, and their sums are kept`(days: Int) async throws {
        let event = EventJSON.event()
        for _ in 0..<20 { _ = try await store([event]) }
        try await app.rollUp()
        try await TestCluster.script(
            "update afterpush.batches set started_at = started_at - interval '\(days) days'", on: app.conninfo)
        let sums = "select concat_ws(' ', sum(events), sum(duplicates)) from afterpush.batches"
        #expect(try await app.value(sums) == "1 19")
        _ = try await retention(RetentionPeriods()).run()
        #expect(try await app.value(sums) == "1 19")
        // One batch has the event. The others become one, or two if the hour changed in between.
        #expect(try await (2...3).contains(Int(app.value("select count(*) from afterpush.batches") ?? "") ?? 0))
    }

    @Test func `changed goals count only for hours that are not sealed`() async throws {
        func converted() async throws -> String? {
            try await app.value(
                """
                select string_agg(converted::text, ' ' order by day)
                from afterpush.report_counts('shop', null, null, null, null, null, null, false, '{}', 'day', 'UTC')
                """)
        }
        func put(goals: [String]) async throws {
            var campaign = CampaignDeclaration(identifier: "c", name: "c")
            campaign.goalActions = goals
            try await app.registry.putCampaign(campaign, app: app.app)
        }
        for days in [100.0, 1] {
            _ = try await store([
                EventJSON.event([
                    "kind": "action", "action_identifier": "a", "campaign_id": "c", "device_id": "\(days)",
                    "occurred_at": Self.time(daysAgo: days),
                ])
            ])
        }
        try await app.rollUp()
        try await put(goals: ["a"])
        #expect(try await converted() == "1 1")
        _ = try await retention(RetentionPeriods(events: 30 * 86_400)).run()
        try await put(goals: ["b"])
        #expect(try await converted() == "1 0")
        try await put(goals: ["a", "b"])
        #expect(try await converted() == "1 1")
    }

    @Test func `a changed conversion window counts only for hours that are not sealed`() async throws {
        func converted() async throws -> String? {
            try await app.value(
                """
                select string_agg(converted::text, ' ' order by day)
                from afterpush.report_counts('shop', null, null, null, null, null, null, false, '{}', 'day', 'UTC')
                """)
        }
        func put(minutes: Int) async throws {
            var campaign = CampaignDeclaration(identifier: "c", name: "c")
            campaign.conversionWindow = .seconds(minutes * 60)
            try await app.registry.putCampaign(campaign, app: app.app)
            try await app.rollUp()
            #expect(try await app.maintenance.verify().map(\.row) == [])
        }
        for days in [100.0, 2] {
            _ = try await store(
                ["sent", "converted"].map { kind in
                    EventJSON.event([
                        "kind": kind, "campaign_id": "c", "device_id": "\(days)",
                        "occurred_at": Self.time(daysAgo: kind == "sent" ? days : days - 1.0 / 24),
                    ])
                })
        }
        try await app.rollUp()
        #expect(try await converted() == "1 1")
        _ = try await retention(RetentionPeriods(events: 30 * 86_400)).run()
        try await put(minutes: 30)
        #expect(try await converted() == "1 0")
        try await app.maintenance.rebuild()
        #expect(try await converted() == "1 0")
        try await put(minutes: 90)
        #expect(try await converted() == "1 1")
    }

    @Test func `retention does not run while rollups are far behind`() async throws {
        _ = try await store([EventJSON.event()])
        try await TestCluster.script(
            "update afterpush.batches set started_at = started_at - interval '1 hour'", on: app.conninfo)
        await #expect(throws: Retention.Failure.self) { try await retention(RetentionPeriods(events: 86_400)).run() }
        #expect(try await app.value("select sealed_before from afterpush.rollup_worker") == "-infinity")
    }

    @Test func `retention does not run while a spool holds events, unless its collector is gone for a day`()
        async throws
    {
        try await TestCluster.script(
            """
            insert into afterpush.spools (collector, events, reported_at)
            values (gen_random_uuid(), 3, now() + interval '1 minute')
            """, on: app.conninfo)
        let retention = retention(RetentionPeriods(events: 86_400))
        await #expect(throws: Retention.Failure.self) { try await retention.run() }
        #expect(try await app.value("select sealed_before from afterpush.rollup_worker") == "-infinity")
        try await TestCluster.script(
            "update afterpush.spools set reported_at = now() - interval '25 hours'", on: app.conninfo)
        _ = try await retention.run()
        #expect(try await app.value("select isfinite(sealed_before) from afterpush.rollup_worker") == "t")
    }

    /// The age of an event in days, and by how much the collector's clock is ahead of the database's.
    @Test(arguments: [(1, -3 * 365 * 86_400), (1, 3 * 365 * 86_400), (100, -400), (100, 400)] as [(Double, Int64)])
    func `retention deletes and seals nothing while the clocks of database and collector differ`(
        daysAgo: Double, ahead: Int64
    ) async throws {
        #expect(try await store([EventJSON.event(["occurred_at": Self.time(daysAgo: daysAgo)])]).accepted == 1)
        _ = try await store([EventJSON.event(["kind": "nonsense"])])
        try await app.rollUp()
        let periods = RetentionPeriods(events: 30 * 86_400, deliveries: 30 * 86_400, rejected: 0)
        let retention = retention(periods, ahead: ahead)
        await #expect(throws: Retention.Failure.clocksDiffer) { try await retention.run() }
        await #expect(throws: Retention.Failure.clocksDiffer) { try await retention.plan() }
        await #expect(throws: Retention.Failure.clocksDiffer) { try await retention.checkClocks() }
        #expect(try await app.value("select count(*) from afterpush.events") == "1")
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "1")
        #expect(try await app.value("select rejected_before from afterpush.retention_state") == "-infinity")
        #expect(try await app.value("select sealed_before from afterpush.rollup_worker") == "-infinity")
    }

    @Test func `what one of the clocks says is not expired is kept`() async throws {
        _ = try await store([EventJSON.event(["kind": "nonsense"])])
        try await TestCluster.script(
            "update afterpush.rejected_events set received_at = now() - interval '1 day'", on: app.conninfo)
        let periods = RetentionPeriods(rejected: 86_400 - 120)
        #expect(try await retention(periods, ahead: -200).run() == [])
        #expect(try await retention(RetentionPeriods(rejected: 86_400 + 120), ahead: 200).run() == [])
        #expect(try await retention(periods, ahead: 200).run().map(\.what) == ["rejected"])
    }

    @Test(arguments: [
        ("begin_retention_step(now() - interval '4 minutes')", "now()"),
        ("begin_retention_step(now())", "now() + interval '1 day'"),
        ("retention_time()", "'2020-01-01Z'"),
    ])
    func `no seal can be in the future, by either clock, or without the collector's`(
        step: String, seal: String
    ) async throws {
        await #expect(throws: PostgresError.self) {
            try await app.database.owner.withConnection { connection in
                try await connection.transaction { connection in
                    _ = try connection.query("select afterpush.\(step)")
                    _ = try connection.query("select afterpush.announce_seal(\(seal))")
                }
            }
        }
        #expect(try await app.value("select rejected_before from afterpush.retention_state") == "-infinity")
    }

    @Test func `a seal that is in the future drops no month that retention would keep`() async throws {
        #expect(try await store([EventJSON.event()]).accepted == 1)
        try await app.rollUp()
        try await TestCluster.script(
            """
            update afterpush.rollup_worker set sealed_before = now() + interval '3 years';
            update afterpush.retention_state set rejected_before = now() + interval '3 years';
            """, on: app.conninfo)
        _ = try await retention(RetentionPeriods(events: 30 * 86_400, deliveries: 30 * 86_400)).run()
        let month = "select to_regclass('afterpush.events_' || to_char(now() at time zone 'UTC', 'YYYY_MM'))::text"
        #expect(try await app.value(month) != nil)
        #expect(try await app.value("select count(*) from afterpush.events") == "1")
    }

    @Test func `retention waits for a day after a gap in which no collector asked, such as a jump of the clock`()
        async throws
    {
        /// Asks, after times were moved into the past, and returns whether retention is due and time passed steadily.
        func ask(after gap: String = "0") async throws -> [Bool] {
            try await TestCluster.script(
                """
                update afterpush.retention_state
                set checked_at = checked_at - interval '\(gap)', steady_since = steady_since - interval '\(gap)',
                    last_run_at = last_run_at - interval '\(gap)';
                """, on: app.conninfo)
            return try await app.database.owner.withConnection { connection in
                let row = try #require(try await connection.query(SQLFiles.checkRetentionDue.text).first)
                return [try row.decode(Bool.self, column: 0), try row.decode(Bool.self, column: 1)]
            }
        }
        #expect(try await ask() == [true, false])
        #expect(try await ask(after: "23 hours") == [true, false])
        #expect(try await ask(after: "2 hours") == [true, true])
        _ = try await retention(RetentionPeriods()).run()
        #expect(try await ask() == [false, true])
        #expect(try await ask(after: "25 hours") == [true, true])
        // Three years forward, and back again.
        #expect(try await ask(after: "3 years") == [true, false])
        #expect(try await ask(after: "-3 years") == [true, false])
        #expect(try await ask(after: "25 hours") == [true, true])
    }
}
