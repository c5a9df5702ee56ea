import Declarations
import Foundation
import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests that an app holds up only its own rollups.
@Suite struct MergeApartTests {
    @Test(arguments: ["perform pg_sleep(0.3)", "raise exception 'no merge of this app'"])
    func `an app whose merges are slow or fail holds up no other, and is complete once they work`(
        obstacle: String
    ) async throws {
        let shop = try await TestApp(named: "shop")
        let news = try await TestApp(named: "news", conninfo: shop.conninfo)
        try await script(
            """
            create function afterpush.obstacle() returns trigger language plpgsql as $$
            begin
                if new.app_id = \(shop.app.id) then \(obstacle); end if;
                return new;
            end
            $$;
            create trigger obstacle before insert on afterpush.deliveries
                for each row execute function afterpush.obstacle()
            """, shop)
        func waiting(_ app: TestApp) async throws -> Bool {
            try await app.value(
                """
                select count(*) from afterpush.batches where rolled_up_at is null and app_id = \(app.app.id)
                """) != "0"
        }
        var configuration = RollupWorker.Configuration()
        configuration.pause = .milliseconds(50)
        let worker = RollupWorker(
            pool: shop.database.worker, configuration: configuration, logger: TestCluster.logger)
        let running = Task { try await worker.run() }
        defer { running.cancel() }

        // More than the worker can merge while the test runs.
        try await shop.store((0..<10).map { _ in EventJSON.event(["device_id": UUID().uuidString]) })
        let storing = Task {
            while !Task.isCancelled {
                try await shop.store([EventJSON.event(["device_id": UUID().uuidString])])
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        defer { storing.cancel() }
        for round in 1...3 {
            try await news.store((0..<10).map { _ in EventJSON.event(["device_id": UUID().uuidString]) })
            try await news.waitUntil("news is merged, round \(round)") { try await waiting(news) == false }
            #expect(try await waiting(shop))
        }

        storing.cancel()
        try await storing.value
        // A merge of many events is still slow.
        try await script(
            "begin; set local lock_timeout = '120s'; drop trigger obstacle on afterpush.deliveries; commit", shop)
        try await shop.waitUntil("shop is merged") { try await waiting(shop) == false }
        #expect(try await shop.value("select count(*) from afterpush.rollup_verify()") == "0")
        #expect(
            try await shop.value("select sum(events) from afterpush.rollup_events where not verified")
                == shop.value("select count(*) from afterpush.events"))
    }

    @Test func `while an app is merged apart, others are merged, recounted and erased beside it`() async throws {
        let shop = try await TestApp(named: "shop")
        let news = try await TestApp(named: "news", conninfo: shop.conninfo)
        for app in [shop, news] {
            try await app.store([EventJSON.event(["device_id": "d"]), EventJSON.event(["device_id": "e"])])
        }
        try await script("select afterpush.merge_apart(\(shop.app.id))", shop)
        try await shop.database.owner.withConnection { connection in
            try await connection.script("begin")
            let merged = try await connection.query("select afterpush.roll_up(1000, \(shop.app.id))", format: .text)
            #expect(merged.first?.text(0) == "2")

            // These run on another connection, while the merge of shop is not committed.
            #expect(try await news.value("select afterpush.roll_up(1000)") == "2")
            #expect(try await news.value("select afterpush.recount_step(\(news.app.id))") == "f")
            try await script("select afterpush.request_erasure(\(news.app.id), 'd')", news)
            try await script("select afterpush.request_erasure(\(shop.app.id), 'd')", news)
            try await news.waitUntil("the device of news is erased") {
                try await script("select afterpush.run_erasure_step(100)", news)
                return try await news.value("select count(*) from afterpush.events where app_id = \(news.app.id)")
                    == "1"
            }
            // Nothing else touches the deliveries of shop.
            #expect(try await shop.value("select afterpush.roll_up(1000, \(shop.app.id)) is null") == "t")
            #expect(try await shop.value("select afterpush.recount_step(\(shop.app.id)) is null") == "t")
            for _ in 0..<5 { try await script("select afterpush.run_erasure_step(100)", shop) }
            #expect(try await shop.value("select count(*) from afterpush.events where app_id = \(shop.app.id)") == "2")
            for statement in ["lock_all_merges()", "rollup_rebuild()", "purge_deliveries(now(), 0, 1)"] {
                await #expect(throws: PostgresError.self, "\(statement) waits") {
                    try await script(
                        "begin; set local statement_timeout = '200ms'; select afterpush.\(statement); commit", shop)
                }
            }
            // What waits for all merges has more patience for those of apps that are merged apart.
            let locking = Task {
                try await script(
                    "begin; set local lock_timeout = '100ms'; select afterpush.lock_all_merges(); commit", shop)
            }
            try await Task.sleep(for: .milliseconds(500))
            try await connection.script("commit")
            try await locking.value
        }
        try await shop.waitUntil("the device of shop is erased") {
            try await script("select afterpush.run_erasure_step(100)", shop)
            return try await shop.value("select count(*) from afterpush.events where app_id = \(shop.app.id)") == "1"
        }
        #expect(try await shop.maintenance.verify().isEmpty)
        try await script("select afterpush.rollup_rebuild()", shop)
        #expect(try await shop.maintenance.verify().isEmpty)
    }

    /// Both apps change between merged apart and merged together, while workers of two collectors merge, devices are
    /// erased, and windows change.
    @Test(arguments: [UInt64(21), 22, 23])
    func `apps that come to be apart and together are merged exactly`(seed: UInt64) async throws {
        let shop = try await TestApp(named: "shop")
        let news = try await TestApp(named: "news", conninfo: shop.conninfo)
        let second = Database(conninfo: shop.conninfo, logger: TestCluster.logger)
        var configuration = RollupWorker.Configuration()
        configuration.eventsPerRun = 50
        configuration.pause = .milliseconds(20)
        let workers = [shop.database, second].map {
            RollupWorker(pool: $0.worker, configuration: configuration, logger: TestCluster.logger)
        }
        let running = workers.map { worker in Task { try await worker.run() } }
        defer { for task in running { task.cancel() } }
        var random = SeededGenerator(seed: seed)
        for round in 0..<40 {
            for app in [shop, news] {
                let events = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                    let kind = ["delivered", "opened", "converted"].randomElement(using: &random) ?? ""
                    return EventJSON.event([
                        "kind": kind, "device_id": "d\(Int.random(in: 0..<20, using: &random))",
                        "notification_id": "n\(Int.random(in: 0..<4, using: &random))",
                        "campaign_id": "c\(Int.random(in: 0..<3, using: &random))",
                    ])
                }
                let erased = [EventJSON.event(["device_id": "erased after \(round)"])]
                try await app.store(events + erased, eventsPerSlice: Int.random(in: 1...8, using: &random))
            }
            let app = Bool.random(using: &random) ? shop : news
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: try await script("select afterpush.merge_apart(\(app.app.id))", app)
            case 2: try await script("delete from afterpush.apps_merged_apart where app_id = \(app.app.id)", app)
            case 3:
                let hours = Int.random(in: 1...100, using: &random)
                var campaign = CampaignDeclaration(identifier: "c1", name: "c1")
                campaign.conversionWindow = .seconds(hours * 3_600)
                try await app.registry.putCampaign(campaign, app: app.app)
            default:
                try await script("select afterpush.request_erasure(\(app.app.id), 'erased after \(round)')", app)
                for _ in 0..<3 { try await script("select afterpush.run_erasure_step(100)", app) }
            }
        }
        try await script("delete from afterpush.apps_merged_apart", shop)
        try await shop.waitForRollups()
        #expect(try await shop.maintenance.verify().map { "\($0)" } == [], "seed \(seed)")
    }

    @Test func `a merge of the others does not look at batches of an app that is merged apart`() async throws {
        let shop = try await TestApp(named: "shop")
        let news = try await TestApp(named: "news", conninfo: shop.conninfo)
        for _ in 0..<40 { try await shop.store([EventJSON.event(["device_id": "d"])]) }
        try await news.store([EventJSON.event(["device_id": "d"])])
        try await script("select afterpush.merge_apart(\(shop.app.id))", shop)
        for (app, events) in [("null", "1"), ("\(shop.app.id)", "40")] {
            let waiting = try await shop.reads(
                of: ["batches"], in: "select events from afterpush.waiting_batches(1000, \(app), null)")
            #expect(waiting.value == events)
            if app == "null" { #expect(waiting.counts[0] < 20, "\(waiting.counts)") }
        }
    }

    @Test func `an erasure waits for the batches of its own app only`() async throws {
        let shop = try await TestApp(named: "shop")
        let news = try await TestApp(named: "news", conninfo: shop.conninfo)
        try await shop.store([EventJSON.event(["device_id": "d"])])
        try await news.store([EventJSON.event(["device_id": "d"])])
        let worker = RollupWorker(pool: shop.database.worker, logger: TestCluster.logger)
        try await worker.rollUp()
        // Waits, and is never merged here.
        try await news.store([EventJSON.event(["device_id": "e"])])
        try await script("select afterpush.request_erasure(\(shop.app.id), 'd')", shop)
        try await shop.waitUntil("the events of the device are erased") {
            try await script("select afterpush.run_erasure_step(100)", shop)
            return try await shop.value("select count(*) from afterpush.events where app_id = \(shop.app.id)") == "0"
        }
    }

    @Test func `while an erasure waits for the lock of merges, there is a moment between runs that follow each other`()
        async throws
    {
        let shop = try await TestApp(named: "shop")
        try await script("select afterpush.request_erasure(\(shop.app.id), 'd')", shop)
        try await shop.superuserValue("update afterpush.erasures set phase = 'erasing'")
        for _ in 0..<8 { try await shop.store([EventJSON.event(["device_id": UUID().uuidString])]) }
        // Each run is full with a batch.
        var configuration = RollupWorker.Configuration()
        configuration.connections = 1
        configuration.eventsPerRun = 1
        let worker = RollupWorker(pool: shop.database.worker, configuration: configuration, logger: TestCluster.logger)
        let running = Task { try await worker.run() }
        defer { running.cancel() }
        try await shop.waitUntil("all are merged") {
            try await shop.value("select count(*) from afterpush.batches where rolled_up_at is null") == "0"
        }
        // An erasure looks ten times a second whether the lock is free.
        let isLongEnough = try await shop.value(
            """
            select min(pause) >= interval '0.1 s'
            from (
                select rolled_up_at - lag(rolled_up_at) over (order by rolled_up_at) as pause
                from afterpush.batches
            ) as runs
            """)
        #expect(isLongEnough == "t")
    }

    private func script(_ sql: String, _ app: TestApp) async throws {
        try await app.database.owner.withConnection { try await $0.script(sql) }
    }
}
