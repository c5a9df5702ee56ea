import Foundation
import Postgres
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
        try await shop.value("drop trigger obstacle on afterpush.deliveries")
        try await shop.waitUntil("shop is merged") { try await waiting(shop) == false }
        #expect(try await shop.value("select count(*) from afterpush.rollup_verify()") == "0")
        #expect(
            try await shop.value("select sum(events) from afterpush.rollup_events where not verified")
                == shop.value("select count(*) from afterpush.events"))
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

    private func script(_ sql: String, _ app: TestApp) async throws {
        try await app.database.owner.withConnection { try await $0.script(sql) }
    }
}
