import Events
import Storage
import TestSupport
import Testing

/// Tests how much a run of merges takes.
@Suite struct MergeSizeTests {
    private func delivered(_ count: Int) -> [[String: any Sendable]] {
        (0..<count).map { EventJSON.event(["kind": "delivered", "device_id": "device-\($0)"]) }
    }

    /// The batches that a run would merge, and the numbers of their events and verified copies.
    private func waiting(_ limit: Int, _ app: TestApp) async throws -> String? {
        // A run has batches of one hour.
        try await app.superuserValue(
            "update afterpush.batches set started_at = '2026-11-20' where rolled_up_at is null")
        return try await app.value(
            """
            select concat_ws(' ', cardinality(batch_ids), events, upgrades)
            from afterpush.waiting_batches(\(limit), null, null)
            """)
    }

    @Test func `a run takes as many batches as have its events, or a tenth as many verified copies`() async throws {
        let app = try await TestApp()
        let events = delivered(6)
        try await app.store(events, scope: .ingest)
        try await app.rollUp()
        // A batch each.
        for event in events { try await app.store([event]) }
        #expect(try await waiting(1, app) == "1 0 1")
        #expect(try await waiting(10, app) == "1 0 1")
        #expect(try await waiting(11, app) == "2 0 2")
        #expect(try await waiting(60, app) == "6 0 6")
        // Events and copies don't add up, so a run with few copies is as large as one without.
        for event in delivered(20) { try await app.store([event.merging(["notification_id": "n2"]) { $1 }]) }
        #expect(try await waiting(60, app) == "6 0 6")
        #expect(try await waiting(70, app) == "26 20 6")
        #expect(try await app.value("select afterpush.roll_up(20)") == "2")
        #expect(try await app.value("select afterpush.roll_up(60)") == "24")
        #expect(try await app.value("select afterpush.roll_up(60)") == "0")
        #expect(try await app.maintenance.verify().map { "\($0)" } == [])
    }

    @Test func `verified copies are applied in parts, and not to a delivery with far too many events`() async throws {
        let app = try await TestApp()
        func event(_ notification: Int, _ number: Int) -> [String: any Sendable] {
            EventJSON.event([
                "kind": "delivered", "device_id": "d", "notification_id": "n\(notification)",
                "event_id": "00000000-0000-4000-8000-00000000000\(number)",
            ])
        }
        let events = [(1, 2), (2, 2), (3, 5)].map { notification, count in (0..<count).map { event(notification, $0) } }
        try await app.store(events.flatMap { $0 }, scope: .ingest)
        try await app.rollUp()
        for event in events { try await app.store([event[0]]) }
        let state = """
            select concat_ws(' ',
                (select count(*) from afterpush.events where verified),
                (select string_agg(distinct notification_id, ',') from afterpush.event_upgrades),
                (select count(*) from afterpush.batches where rolled_up_at is null))
            """
        #expect(try await app.value(state) == "0 n1,n2,n3 3")
        // Each delivery of two events is as much as a run may do, and one of five has too many.
        let isDone = try await app.superuserValue(
            """
            select afterpush.apply_upgrades(array_agg(batch_id), '-infinity', 4, 2)
            from afterpush.batches
            where rolled_up_at is null
            """)
        #expect(isDone == "f")
        let rest = try await app.value(state)
        #expect(rest == "1 n1 3" || rest == "1 n2 3")
        try await app.rollUp()
        #expect(try await app.value(state) == "2 0")
        #expect(
            try await app.value(
                "select string_agg(notification_id, ',' order by notification_id) from afterpush.events where verified")
                == "n1,n2")
        #expect(try await app.maintenance.verify().map { "\($0)" } == [])
    }

    @Test func `a copy is not applied to a notification with very many events, but to any event of a device alone`()
        async throws
    {
        let app = try await TestApp()
        func events(_ fields: [String: any Sendable], _ count: Int) -> [[String: any Sendable]] {
            (0..<count).map { number in
                let id = "00000000-0000-4000-8000-\(String(1_000_000_000_000 + number).dropFirst())"
                let event = EventJSON.event(["event_id": id, "device_id": "d"]).merging(fields) { $1 }
                return fields["notification_id"] == nil ? event.filter { $0.key != "notification_id" } : event
            }
        }
        let many = events(["kind": "read", "notification_id": "many"], 2_001)
        let few = events(["kind": "read", "notification_id": "few"], 2_000)
        let alone = events(["kind": "app_opened"], 2_100)
        for list in [many, few, alone] { try await app.store(list, scope: .ingest) }
        try await app.rollUp()
        try await app.store([many[0], few[0], alone[0], alone[1]])
        try await app.rollUp()
        #expect(
            try await app.value(
                """
                select string_agg(kind || ' ' || n, ', ' order by kind::text)
                from (
                    select coalesce(notification_id, kind::text) as kind, count(*) as n
                    from afterpush.events
                    where verified
                    group by 1
                ) as e
                """) == "app_opened 2, few 1")
        #expect(try await app.maintenance.verify().map { "\($0)" } == [])
    }

    @Test func `apps take turns by their events, and none waits for all of another's hour`() async throws {
        let shop = try await TestApp(named: "shop")
        let news = try await TestApp(named: "news", conninfo: shop.conninfo)
        // As after a flood of an app.
        try await TestCluster.script(
            """
            insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected, upgrades)
            select nextval('afterpush.batch_ids'), \(shop.app.id), date_trunc('hour', now()), 10, 0, 0, 0, 0
            from generate_series(1, 1500);
            insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected, upgrades)
            select nextval('afterpush.batch_ids'), \(news.app.id), date_trunc('hour', now()), events, 0, 0, 0, 0
            from unnest(array[30, 1, 1]) as events;
            """, on: shop.conninfo)
        func batches(_ limit: Int) async throws -> String? {
            try await shop.value(
                """
                select string_agg(a.name || ' ' || n, ', ' order by a.name desc)
                from (
                    select b.app_id, count(*) as n
                    from afterpush.waiting_batches(\(limit), null, null) as w
                    join afterpush.batches as b on b.batch_id = any (w.batch_ids)
                    group by b.app_id
                ) as b
                join afterpush.apps as a using (app_id)
                """)
        }
        #expect(try await batches(1) == "shop 1")
        #expect(try await batches(11) == "shop 1, news 1")
        #expect(try await batches(72) == "shop 4, news 3")
        #expect(try await batches(1_000_000) == "shop 997, news 3")
        try await TestCluster.script(
            """
            update afterpush.batches set started_at = date_trunc('hour', now()) + interval '1 hour'
            where app_id = \(news.app.id)
            """, on: shop.conninfo)
        var found: Set<String> = []
        for _ in 0..<40 { found.insert(try await batches(80) ?? "") }
        #expect(found == ["shop 8", "news 3"])
    }

    @Test func `a worker merges batches that have nothing but verified copies, one after the other`() async throws {
        let app = try await TestApp()
        let events = delivered(5)
        try await app.store(events, scope: .ingest)
        try await app.rollUp()
        for event in events { try await app.store([event]) }
        var configuration = RollupWorker.Configuration()
        configuration.eventsPerRun = 10
        configuration.pace = .milliseconds(1)
        configuration.longestPace = .milliseconds(1)
        configuration.pause = .milliseconds(20)
        let worker = RollupWorker(
            pool: app.database.worker, configuration: configuration, logger: TestCluster.logger)
        let running = Task { try await worker.run() }
        defer { running.cancel() }
        try await app.waitUntil("all copies are merged") {
            try await app.value("select count(*) from afterpush.batches where rolled_up_at is null") == "0"
        }
        #expect(try await app.value("select count(*) from afterpush.event_upgrades") == "0")
        #expect(try await app.value("select count(*) from afterpush.events where verified") == "5")
        // The transaction that merged a batch wrote its row.
        #expect(try await app.value("select count(distinct xmin::text) from afterpush.batches") == "6")
        #expect(try await app.maintenance.verify().map { "\($0)" } == [])
    }
}
