import Declarations
import Foundation
import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests that conversions are recounted in steps after a window was changed.
@Suite struct RecountTests {
    /// The conversions by the rollups, all and verified ones.
    private static let counted = """
        select string_agg(concat_ws(' ', campaign_id, verified, converted), ', ' order by campaign_id, verified)
        from (
            select campaign_id, verified, sum(converted_events) as converted
            from afterpush.rollup_delivery_days
            group by 1, 2
        ) as c
        """

    private func put(_ campaign: String, hours: Int64, _ app: TestApp) async throws {
        var declaration = CampaignDeclaration(identifier: campaign, name: campaign)
        declaration.conversionWindow = .seconds(hours * 3_600)
        try await app.registry.putCampaign(declaration, app: app.app)
    }

    /// Events of some devices: sends, and conversions up to five hours later.
    private func events(_ count: Int, _ random: inout SeededGenerator) -> [[String: any Sendable]] {
        (0..<count).flatMap { _ in
            let delivery: [String: any Sendable] = [
                "device_id": "d\(Int.random(in: 0..<80, using: &random))",
                "notification_id": "n\(Int.random(in: 0..<2, using: &random))",
                "campaign_id": "c\(Int.random(in: 0..<3, using: &random))",
            ]
            let hour = Int.random(in: 0..<5, using: &random)
            return [
                EventJSON.event(delivery.merging(["kind": "sent", "occurred_at": "2026-11-20T00:00:00Z"]) { $1 }),
                EventJSON.event(
                    delivery.merging(["kind": "converted", "occurred_at": "2026-11-20T0\(hour):30:00Z"]) { $1 }),
            ]
        }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `merges between the steps count exactly, and an erasure waits for the last step`(seed: UInt64) async throws {
        let app = try await TestApp()
        var random = SeededGenerator(seed: seed)
        for campaign in ["c0", "c1"] { try await put(campaign, hours: 4, app) }
        try await app.store(events(100, &random) + [EventJSON.event(["device_id": "d7", "campaign_id": "c0"])])
        try await app.rollUp()
        /// Lets the app have so many deliveries that a step takes a tenth of the devices.
        func pretendMany(_ body: () async throws -> Void) async throws {
            try await TestCluster.script(
                """
                insert into afterpush.rollup_campaign_days
                values (\(app.app.id), false, '2026-11-20 00:00Z', 'pretended', 200000, 0, 0, 0, 0)
                """, on: app.conninfo)
            try await body()
            try await TestCluster.script(
                "delete from afterpush.rollup_campaign_days where campaign_id = 'pretended'", on: app.conninfo)
        }
        try await put("c0", hours: 1, app)
        try await put("c1", hours: 2, app)
        var steps = 0
        var isLeft = true
        while isLeft {
            try await pretendMany {
                isLeft = try await app.database.worker.withConnection { connection in
                    let row = try await connection.query("select afterpush.recount_step(\(app.app.id))")[0]
                    return try row.decode(Bool?.self, column: 0) == true
                }
            }
            steps += 1
            switch steps {
            case 3:
                // Its turn is after the window that is being counted.
                try await put("c0", hours: 3, app)
            case 5:
                _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'd7')")
            default: break
            }
            if steps < 10 {
                for _ in 0..<5 { _ = try await app.value("select afterpush.run_erasure_step(100)") }
                #expect(try await app.value("select count(*) > 0 from afterpush.events where device_id = 'd7'") == "t")
            }
            if !steps.isMultiple(of: 3) {
                // Not rollUp() of the app, which would recount all.
                let worker = RollupWorker(pool: app.database.worker, logger: TestCluster.logger)
                try await app.store(events(5, &random).filter { $0["device_id"] as? String != "d7" })
                try await worker.rollUp()
            }
            #expect(try await app.maintenance.verify().map { "\($0)" } == [], "seed \(seed), step \(steps)")
        }
        #expect(steps == 22, "two times eleven steps")
        let counted = try await app.value(Self.counted)
        try await app.maintenance.rebuild()
        #expect(try await app.value(Self.counted) == counted, "seed \(seed)")
        let windows = "select string_agg(counted_window::text, ' ' order by campaign_id) from afterpush.campaigns"
        #expect(try await app.value(windows) == "03:00:00 02:00:00")
        try await app.waitUntil("the device is erased") {
            _ = try await app.value("select afterpush.run_erasure_step(100)")
            return try await app.value("select count(*) from afterpush.events where device_id = 'd7'") == "0"
        }
        #expect(try await app.maintenance.verify().map { "\($0)" } == [], "seed \(seed)")
    }

    @Test func `a device with very many deliveries is recounted in several steps, and erased ones at the end`()
        async throws
    {
        let app = try await TestApp()
        try await put("c0", hours: 4, app)
        try await app.store(
            (0..<30).flatMap { number -> [[String: any Sendable]] in
                let delivery: [String: any Sendable] = [
                    "notification_id": "n\(number)", "device_id": number < 20 ? "many" : "erased", "campaign_id": "c0",
                ]
                return [
                    EventJSON.event(delivery.merging(["kind": "sent", "occurred_at": "2026-11-20T00:00:00Z"]) { $1 }),
                    EventJSON.event(
                        delivery.merging(["kind": "converted", "occurred_at": "2026-11-20T02:00:00Z"]) { $1 }),
                ]
            })
        try await app.rollUp()
        // The suppression file in the usual directory may be of another test.
        let spool = CollectorProcess.spoolDirectory()
        defer { try? FileManager.default.removeItem(atPath: spool) }
        let erased = try await Program.run(
            ["erase", "erased", "--app", "shop", "--wait", "--database-url", app.conninfo],
            environment: ["AFTERPUSH_SPOOL_DIR": spool])
        #expect(erased.status == 0, "\(erased)")
        try await put("c0", hours: 1, app)
        var steps = 0
        var isLeft = true
        while isLeft {
            isLeft = try await app.value("select afterpush.recount_step(\(app.app.id), 8)") == "t"
            steps += 1
            #expect(try await app.maintenance.verify().map { "\($0)" } == [], "step \(steps)")
        }
        // Of 30 deliveries, 8 in a step, and a device's range and the end take a step each.
        #expect((4...8).contains(steps), "\(steps)")
        #expect(try await app.value(Self.counted) == "c0 f 0, c0 t 0")
    }

    @Test func `a step reads few deliveries, however many a device has in these and other days`() async throws {
        let app = try await TestApp()
        try await put("c0", hours: 4, app)
        try await app.store(
            (0..<300).flatMap { number -> [[String: any Sendable]] in
                let delivery: [String: any Sendable] = [
                    "notification_id": "n\(number)", "device_id": "many", "campaign_id": number < 200 ? "c0" : "c1",
                ]
                let day = number < 200 ? 20 : 18
                return [
                    EventJSON.event(
                        delivery.merging(["kind": "sent", "occurred_at": "2026-11-\(day)T00:00:00Z"]) { $1 }),
                    EventJSON.event(
                        delivery.merging(["kind": "converted", "occurred_at": "2026-11-\(day)T02:00:00Z"]) { $1 }),
                ]
            })
        try await app.rollUp()
        try await put("c0", hours: 1, app)
        var steps = 0
        var isLeft = true
        while isLeft {
            let step = try await app.reads(
                of: ["deliveries"], in: "select afterpush.recount_step(\(app.app.id), 20)")
            isLeft = step.value == "t"
            steps += 1
            // A delivery counts in its table and in indexes, and once more when its rollups change.
            #expect(step.counts[0] < 10 * 20, "step \(steps): \(step.counts)")
        }
        #expect((15...30).contains(steps), "\(steps)")
        #expect(try await app.value(Self.counted) == "c0 f 0, c0 t 0, c1 f 100, c1 t 100")
        #expect(try await app.maintenance.verify().map { "\($0)" } == [])
    }

    @Test func `hours are not sealed while conversions in them are to be recounted`() async throws {
        let app = try await TestApp()
        _ = try await app.value("select afterpush.ensure_partitions(now(), 6, 1)")
        try await put("c0", hours: 4, app)
        let time = Date(timeIntervalSinceNow: -99 * 86_400).formatted(.iso8601)
        try await app.store([EventJSON.event(["occurred_at": time, "campaign_id": "c0"])])
        try await app.rollUp()
        try await put("c0", hours: 1, app)
        let counted = "select counted_window from afterpush.campaigns"
        let retention = Retention(pool: app.database.owner, RetentionPeriods(events: 32 * 86_400)) {
            #expect(try await app.value("select sealed_before from afterpush.rollup_worker") == "-infinity")
            try await app.rollUp()
        }
        _ = try await retention.run()
        #expect(try await app.value(counted) == "01:00:00")
        #expect(try await app.value("select count(*) from afterpush.events") == "0")
    }

    @Test func `a seal waits for recounts that have begun, and not for those of windows that are changed meanwhile`()
        async throws
    {
        let app = try await TestApp()
        try await put("c0", hours: 4, app)
        let time = Date(timeIntervalSinceNow: -99 * 86_400).formatted(.iso8601)
        try await app.store([EventJSON.event(["occurred_at": time, "campaign_id": "c0"])])
        try await app.rollUp()
        func advance() async throws -> String? {
            try await app.database.owner.withConnection { connection in
                try await connection.transaction { connection in
                    _ = try connection.query("select afterpush.begin_retention_step(now())")
                    let row = try connection.query("select afterpush.advance_seal()")[0]
                    return try row.decode(String.self, column: 0)
                }
            }
        }
        let step = "select afterpush.recount_step(\(app.app.id))"
        try await app.database.owner.withConnection { connection in
            try await connection.transaction { connection in
                _ = try connection.query("select afterpush.begin_retention_step(now())")
                _ = try connection.query("select afterpush.announce_seal(now() - interval '32 days')")
            }
        }
        #expect(try await advance() == "waiting")
        // A recount has begun.
        try await put("c0", hours: 1, app)
        try await TestCluster.script(
            "update afterpush.campaigns set next_window = interval '1 hour'", on: app.conninfo)
        for hours in [2, 3] as [Int64] {
            try await put("c0", hours: hours, app)
            #expect(try await advance() == "recounting")
        }
        // In the first half minute, another one could begin.
        try await TestCluster.script(
            "update afterpush.retention_state set recounts_awaited_since = now() - interval '31 seconds'",
            on: app.conninfo)
        _ = try await app.value(step)
        #expect(try await app.value("select counted_window from afterpush.campaigns") == "01:00:00")
        #expect(try await app.value(step) == nil)
        #expect(try await advance() == "sealed")
        try await RollupWorker(pool: app.database.worker, logger: TestCluster.logger).recountOnce()
        #expect(try await app.value("select counted_window from afterpush.campaigns") == "03:00:00")
        #expect(try await app.maintenance.verify().map { "\($0)" } == [])
    }

    @Test func `a recount that does not end is waited for at most a day`() async throws {
        let app = try await TestApp()
        try await put("c0", hours: 4, app)
        let time = Date(timeIntervalSinceNow: -99 * 86_400).formatted(.iso8601)
        try await app.store([EventJSON.event(["occurred_at": time, "campaign_id": "c0"])])
        try await app.rollUp()
        try await TestCluster.script(
            """
            update afterpush.campaigns set next_window = interval '1 hour';
            update afterpush.retention_state set recounts_awaited_since = now() - interval '25 hours'
            """, on: app.conninfo)
        // The same seal as in a run of a day before.
        _ = try await app.value("update afterpush.retention_state set rejected_before = now() - interval '32 days'")
        try await Retention(pool: app.database.owner, RetentionPeriods(events: 63 * 86_400)) {}.run()
        #expect(try await app.value("select isfinite(sealed_before) from afterpush.rollup_worker") == "t")
    }

    @Test func `an app whose conversions can't be recounted holds up no other`() async throws {
        let shop = try await TestApp(named: "shop")
        let news = try await TestApp(named: "news", conninfo: shop.conninfo)
        for app in [shop, news] { try await put("c0", hours: 4, app) }
        try await shop.rollUp()
        try await TestCluster.script(
            """
            create function afterpush.obstacle() returns trigger language plpgsql as $$
            begin
                if new.app_id = \(shop.app.id) and new.next_window is not null then raise exception 'no recount'; end if;
                return new;
            end
            $$;
            create trigger obstacle before update on afterpush.campaigns
                for each row execute function afterpush.obstacle()
            """, on: shop.conninfo)
        for app in [shop, news] { try await put("c0", hours: 1, app) }
        let worker = RollupWorker(pool: shop.database.worker, logger: TestCluster.logger)
        let running = Task { try await worker.run() }
        defer { running.cancel() }
        for app in [news, shop] { try await app.store([EventJSON.event(["campaign_id": "c0"])]) }
        try await news.waitUntil("all events are merged") {
            try await news.value("select count(*) from afterpush.batches where rolled_up_at is null") == "0"
        }
        try await news.waitUntil("the other app is recounted") {
            try await news.value(
                "select counted_window from afterpush.campaigns where app_id = \(news.app.id)") == "01:00:00"
        }
        #expect(
            try await shop.value("select counted_window from afterpush.campaigns where app_id = \(shop.app.id)")
                == "04:00:00")
    }
}
