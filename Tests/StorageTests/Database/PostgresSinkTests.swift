import AfterpushWire
import Declarations
import Events
import Foundation
import Ingest
import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests storing groups without HTTP.
@Suite struct PostgresSinkTests {
    private func store(
        _ bodies: [Data], _ app: TestApp, _ sink: PostgresSink? = nil, scope: Scope = .send
    ) async throws -> [SubmissionOutcome] {
        let sink = sink ?? PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: scope, receivedAt: now)
        let pending = try bodies.map {
            PendingSubmission(try Submission.read(Array($0), as: .json), context)
        }
        return try await sink.store(EventGroup(pending))
    }

    @Test func `an event is stored once within its request, within its group and afterwards`() async throws {
        let app = try await TestApp()
        let event = EventJSON.event()
        let twice = try EventJSON.body([event, event])
        let outcomes = try await store([twice, EventJSON.body([event])], app)
        #expect(outcomes.map(\.accepted) == [1, 0])
        #expect(outcomes.map(\.duplicates) == [1, 1])
        #expect(try await store([EventJSON.body([event])], app)[0].duplicates == 1)
        #expect(try await app.value("select count(*) from afterpush.events") == "1")
        #expect(try await app.value("select sum(duplicates) from afterpush.batches") == "3")
    }

    @Test func `an event with the same identity and other content changes nothing and is counted as a conflict`()
        async throws
    {
        let app = try await TestApp()
        var event = EventJSON.event(["campaign_id": "spring"])
        // After a duplicate this sink uses the careful statement, and a new sink uses the optimistic one.
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        _ = try await store([EventJSON.body([event])], app, sink)
        event["campaign_id"] = "autumn"
        _ = try await store([EventJSON.body([event])], app, sink)
        #expect(try await app.value("select campaign_id from afterpush.events") == "spring")
        #expect(try await app.value("select sum(conflicts) from afterpush.batches") == "1")
        // Conflicts within a group are counted, too, with either statement.
        let sinks: [(String, PostgresSink?)] = [("a", sink), ("b", nil)]
        for (name, sink) in sinks {
            let first = EventJSON.event(["app_version": name])
            let other = first.merging(["app_version": "other"]) { $1 }
            let again = first.merging(["properties": ["k": 1], "reason": "x"]) { $1 }
            _ = try await store([EventJSON.body([first, first, other]), EventJSON.body([again])], app, sink)
        }
        #expect(try await app.value("select sum(conflicts) from afterpush.batches") == "5")
        #expect(try await app.value("select sum(duplicates) from afterpush.batches") == "7")
        // The same id at another time is another event.
        event["occurred_at"] = "2026-11-20T10:00:01Z"
        #expect(try await store([EventJSON.body([event])], app)[0].accepted == 1)
    }

    @Test func `rejected events are searched again for devices that were erased since they were validated`()
        async throws
    {
        let app = try await TestApp()
        for device in ["d0", "d1"] {
            _ = try await app.value("select afterpush.request_erasure(\(app.app.id), '\(device)')::text")
        }
        let suppressionList = SuppressionListWorker(
            pool: app.database.requests, restoring: app.database.background, file: nil, logger: TestCluster.logger)
        try await suppressionList.refresh()
        let knowing = PostgresSink(
            pool: app.database.ingest, logger: TestCluster.logger, suppressionList: { suppressionList.current })
        let unknowing = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        // The requests are validated without the list.
        for (sink, name) in [(knowing, "knowing"), (unknowing, "unknowing")] {
            let events = ["d1", "d2"].map { #"{"device_id":"\#($0)","kind":"\#(name)"}"# }
            _ = try await store([EventJSON.body(raw: events)], app, sink)
        }
        let kept = try await app.value(
            """
            select string_agg(code || event, ' ' order by code, event collate "C") from afterpush.rejected_events
            """)
        #expect(
            kept == #"device_suppressed{} field_missing{"device_id":"d2","kind":"knowing"} field_missing{}"#,
            "\(kept ?? "")")
    }

    @Test func `repeated events don't wait for a merge that changes the stored ones`() async throws {
        let app = try await TestApp()
        let events = (0..<4).map { EventJSON.event(["campaign_id": "c\($0)"]) }
        let bodies = try events.map { try EventJSON.body([$0]) }
        let careful = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        _ = try await store(bodies, app, careful, scope: .ingest)
        // Now this sink expects duplicates, and the first event waits for its verified copy.
        _ = try await store([bodies[0]], app, careful)
        let merge = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await merge.script(
            """
            set idle_in_transaction_session_timeout = 0;
            begin;
            update afterpush.events set verified = true;
            delete from afterpush.event_upgrades
            """)
        for sink in [careful, PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)] {
            let outcomes = try await store(bodies, app, sink, scope: .ingest)
            #expect(outcomes.map(\.duplicates) == [1, 1, 1, 1])
            #expect(try await store([bodies[0]], app, sink)[0].duplicates == 1)
        }
        // Otherwise storing would have failed while the transaction is open.
        try await merge.script("rollback")
        #expect(try await app.value("select count(*) from afterpush.event_upgrades") == "1")
        await merge.close()
    }

    @Test func `a group that was checked before an erasure ten minutes ago is not stored`() async throws {
        let app = try await TestApp()
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'erased')::text")
        for change in ["suppressed_devices set suppressed_at", "retention_state set announced_at"] {
            _ = try await app.value("update afterpush.\(change) = now() - interval '11 minutes' returning 1")
        }
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        let stored = EventJSON.event()
        for events in [[EventJSON.event(["device_id": "erased"])], [stored], [stored]] {
            let body = try EventJSON.body(events)
            await #expect(throws: SinkError.unavailable) { try await store([body], app, sink) }
            var context = ValidationContext(
                appID: app.app.id, scope: .send,
                receivedAt: AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)))
            context.suppressionList.position = 1
            let pending = PendingSubmission(try Submission.read(Array(body), as: .json), context)
            _ = try await sink.store(EventGroup([pending]))
        }
        try await sink.probe()
        // With a duplicate, the sink uses the other statement.
        #expect(try await app.value("select count(*) || ' ' || sum(duplicates) from afterpush.batches") == "3 1")
    }

    @Test func `the same ids in two apps belong to two events`() async throws {
        let one = try await TestApp()
        let other = try await TestApp(named: "other", conninfo: one.conninfo)
        let body = try EventJSON.body([EventJSON.event()])
        #expect(try await store([body], one)[0].accepted == 1)
        #expect(try await store([body], other)[0].accepted == 1)
    }

    @Test func `a delivery accepts at most 32 distinct actions`() async throws {
        let app = try await TestApp()
        func tap(_ number: Int) -> [String: any Sendable] {
            EventJSON.event(["kind": "action", "action_identifier": "action-\(number)"])
        }
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        let together = try await store([EventJSON.body((1...40).map(tap))], app, sink)
        #expect(together[0].accepted == 32)
        #expect(Set(together[0].rejections.map(\.code)) == [.tooManyActions])
        // An existing action is still accepted, also alone and later.
        let taken = try await app.value("select min(action_identifier) from afterpush.events") ?? ""
        let again = EventJSON.event(["kind": "action", "action_identifier": taken])
        #expect(try await store([EventJSON.body([again])], app, sink)[0].accepted == 1)
        for number in 41...60 {
            #expect(try await store([EventJSON.body([tap(number)])], app, sink)[0].accepted == 0)
        }
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "28")
    }

    @Test func `the limit of actions reads few events of a delivery that has very many`() async throws {
        let app = try await TestApp()
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        func tap(_ number: Int) -> [String: any Sendable] {
            EventJSON.event(["kind": "action", "action_identifier": "action-\(number)"])
        }
        _ = try await store([EventJSON.body((1...32).map(tap))], app, sink)
        try await app.rollUp()
        try await TestCluster.script(
            """
            insert into afterpush.events
            select e.*
            from afterpush.events as stored
            cross join generate_series(1, 40000) as n
            cross join lateral jsonb_populate_record(
                stored,
                jsonb_build_object(
                    'event_id', lpad(to_hex(n), 32, '0')::uuid, 'kind', 'displayed', 'action_identifier', null,
                    'verified', false)
            ) as e
            where stored.action_identifier = 'action-1'
            """, on: app.conninfo)
        let found = try await app.reads(
            of: ["events"],
            in: """
                select cardinality(action_identifiers)
                from afterpush.stored_actions((select array_agg(delivery_id) from afterpush.deliveries))
                """)
        #expect(found.value == "32")
        // A row counts up to five times: in the table and its index.
        #expect(found.counts[0] < 6 * 5_000, "\(found.counts)")
        #expect(try await store([EventJSON.body([tap(33), tap(33)])], app, sink)[0].accepted == 0)
    }

    @Test func `the limit of actions reads few events of many deliveries that have very many`() async throws {
        let app = try await TestApp()
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        let event = EventJSON.event(["kind": "action", "action_identifier": "book"])
        _ = try await store([EventJSON.body([event])], app, sink)
        try await TestCluster.script(
            """
            insert into afterpush.events (
                delivery_id, event_id, device_time, occurred_at, batch_id, app_id, kind, verified, device_id,
                action_identifier
            )
            select
                md5('delivery ' || n % 100)::uuid, md5(n::text)::uuid, e.device_time, e.occurred_at, e.batch_id,
                e.app_id, 'action', true, e.device_id, 'book'
            from afterpush.events as e
            cross join generate_series(1, 80000) as n
            """, on: app.conninfo)
        func found(_ deliveries: Int) async throws -> (value: String?, counts: [Int64]) {
            try await app.reads(
                of: ["events"],
                in: """
                    select count(*)
                    from afterpush.stored_actions(
                        array(select md5('delivery ' || n)::uuid from generate_series(0, \(deliveries - 1)) as n)
                    )
                    """)
        }
        let all = try await found(100)
        #expect(all.value == "100")
        // All deliveries share 20,000 events, each of which counts up to five times: in the table and its index.
        #expect(all.counts[0] < 6 * 20_000, "\(all.counts)")
        #expect(try await found(0).value == "0")
    }

    @Test func `an event that the database refuses is found, rejected and kept, and the others are stored`()
        async throws
    {
        let app = try await TestApp()
        try await TestCluster.script(
            "alter table afterpush.events add constraint poison check (campaign_id is distinct from 'poison')",
            on: app.conninfo)
        var events = (0..<999).map { _ in EventJSON.event() }
        events.insert(EventJSON.event(["campaign_id": "poison"]), at: 500)
        let outcome = try await store([EventJSON.body(events)], app)[0]
        #expect(outcome.accepted == 999)
        #expect(outcome.rejections.map(\.index) == [500])
        #expect(outcome.rejections.map(\.code) == [.storageRefused])
        #expect(try await app.value("select count(*) from afterpush.events") == "999")
        #expect(try await app.value("select event like '%poison%' from afterpush.rejected_events") == "t")
    }

    @Test func `many large rejected events are stored in several transactions, after the group's events`()
        async throws
    {
        let app = try await TestApp()
        let rejected = (0..<40).map { number in
            EventJSON.event(["event_id": "no", "campaign_id": String(repeating: "x", count: 4_000) + "\(number)"])
        }
        let outcome = try await store([EventJSON.body(rejected + [EventJSON.event()])], app)[0]
        #expect(outcome.accepted == 1 && outcome.rejections.count == 40)
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "40")
        let batches = "select string_agg(events || ' ' || rejected, ', ' order by batch_id) from afterpush.batches"
        #expect(try await app.value(batches) == "1 0, 0 15, 0 15, 0 10")
    }

    @Test func `a repeated rejected event is kept once`() async throws {
        let app = try await TestApp()
        let bad = try EventJSON.body([EventJSON.event(["event_id": "no"])])
        for _ in 0..<3 { _ = try await store([bad], app) }
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "1")
    }

    @Test func `typed text is stored only in replies, and nowhere if its category keeps none`() async throws {
        let app = try await TestApp()
        let document = #"{"categories":[{"identifier":"quiet","text_retention":"none","actions":[]}]}"#
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        _ = try await app.registry.putCategories(CategorySet(json: Data(document.utf8)), app: app.app, at: now)
        func reply(_ text: String, _ category: String) -> [String: any Sendable] {
            EventJSON.event([
                "kind": "text_input", "action_identifier": "say", "user_text": text, "category_id": category,
            ])
        }
        _ = try await store([EventJSON.body([reply("grüße", "open"), reply("psst", "quiet")])], app)
        #expect(try await app.value("select string_agg(user_text, ',') from afterpush.replies") == "grüße")
        #expect(
            try await app.value("select string_agg(text_length::text, ',' order by text_length) from afterpush.events")
                == "4,7")
        #expect(try await app.value("select count(*) from afterpush.events as e where e::text like '%psst%'") == "0")
    }

    /// The category can be stated by the send alone, before or after the reply.
    @Test func `text of an unknown category waits outside replies if a category of the app keeps none`() async throws {
        let app = try await TestApp()
        let document = #"{"categories":[{"identifier":"quiet","text_retention":"none","actions":[]}]}"#
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        _ = try await app.registry.putCategories(CategorySet(json: Data(document.utf8)), app: app.app, at: now)
        func reply(_ text: String) -> [String: any Sendable] {
            EventJSON.event([
                "kind": "text_input", "action_identifier": "say", "user_text": text, "notification_id": text,
            ])
        }
        func sent(_ notification: String, _ category: String) -> [String: any Sendable] {
            EventJSON.event(["kind": "sent", "notification_id": notification, "category_id": category])
        }
        func texts(_ table: String) async throws -> String? {
            try await app.value("select string_agg(user_text, ' ' order by user_text) from afterpush.\(table)")
        }

        _ = try await store([EventJSON.body([sent("known quiet", "quiet"), sent("known open", "open")])], app)
        try await app.rollUp()
        let replies = ["known quiet", "known open", "later quiet", "later open", "never"].map(reply)
        _ = try await store([EventJSON.body(replies)], app)
        #expect(try await texts("replies") == "known open")
        #expect(try await texts("waiting_replies") == "later open later quiet never")

        _ = try await store([EventJSON.body([sent("later quiet", "quiet"), sent("later open", "open")])], app)
        try await app.rollUp()
        #expect(try await texts("replies") == "known open later open")
        #expect(try await texts("waiting_replies") == "never")

        // Nothing is known of the last one, until no category keeps texts from being stored any more.
        let open = #"{"categories":[{"identifier":"quiet","text_retention":"1d","actions":[]}]}"#
        _ = try await app.registry.putCategories(CategorySet(json: Data(open.utf8)), app: app.app, at: now)
        try await app.purgeReplies()
        #expect(try await texts("replies") == "known open later open never")
        #expect(try await texts("waiting_replies") == nil)
    }

    @Test func `waiting text is deleted after the app's retention, or with its device`() async throws {
        let app = try await TestApp()
        let document = #"{"categories":[{"identifier":"quiet","text_retention":"none","actions":[]}]}"#
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        _ = try await app.registry.putCategories(CategorySet(json: Data(document.utf8)), app: app.app, at: now)
        let replies = ["old", "new"].map { text in
            EventJSON.event([
                "kind": "text_input", "action_identifier": "say", "user_text": text, "notification_id": text,
            ])
        }
        _ = try await store([EventJSON.body(replies)], app)
        try await app.rollUp()
        try await TestCluster.script(
            "update afterpush.waiting_replies set stored_at = now() - interval '91 days' where user_text = 'old'",
            on: app.conninfo)
        #expect(try await app.purgeReplies() == "1")
        #expect(try await app.value("select string_agg(user_text, ' ') from afterpush.waiting_replies") == "new")
        let erased = try await app.value(
            """
            select sum(c.replies)
            from (select distinct app_id, device_id from afterpush.deliveries) as d
            cross join lateral afterpush.erase_device_chunk(d.app_id, d.device_id, 100) as c
            """)
        #expect(erased == "1")
        #expect(try await app.value("select count(*) from afterpush.waiting_replies") == "0")
    }

    @Test func `groups of several writers with the same deliveries never deadlock`() async throws {
        let app = try await TestApp()
        let devices = (0..<40).map { "device-\($0)" }
        // A connection for each writer.
        try await app.withPatientIngestPool(size: 8) { pool in
            try await withThrowingTaskGroup { group in
                for writer in 0..<8 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(writer))
                        for _ in 0..<10 {
                            let events = devices.shuffled(using: &random).map { device in
                                EventJSON.event([
                                    "device_id": device, "event_id": "00000000-0000-4000-8000-000000000001",
                                ])
                            }
                            let sink = PostgresSink(pool: pool, logger: TestCluster.logger)
                            _ = try await store([EventJSON.body(events)], app, sink)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(try await app.value("select count(*) from afterpush.events") == "40")
        #expect(try await app.value("select deadlocks from pg_stat_database where datname = current_database()") == "0")
    }
}
