import AfterpushWire
import Declarations
import Events
import Foundation
import Ingest
import Postgres
import Storage
import TestSupport
import Testing

@Suite struct RetentionTests {
    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    private static func time(daysAgo days: Double) -> String {
        Date(timeIntervalSinceNow: -days * 86_400).formatted(.iso8601)
    }

    private func store(_ events: [[String: any Sendable]]) async throws -> SubmissionOutcome {
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        let submission = try Submission.read(Array(EventJSON.body(events)), as: .json)
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        return try await sink.store(EventGroup([PendingSubmission(submission, context)]))[0]
    }

    private func retention(_ periods: RetentionPeriods) -> Retention {
        Retention(pool: app.database.owner, periods) {
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

    @Test func `old batches without events are compacted, and their sums are kept`() async throws {
        let event = EventJSON.event()
        for _ in 0..<20 { _ = try await store([event]) }
        try await app.rollUp()
        try await TestCluster.script(
            "update afterpush.batches set started_at = started_at - interval '8 days'", on: app.conninfo)
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
}
