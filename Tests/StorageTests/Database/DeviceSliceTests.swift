import Events
import Foundation
import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests batches of one slice of devices, and that several of them are merged side by side.
@Suite struct DeviceSliceTests {
    /// How many batches are of each slice, and how many events they have; `several` if the events are of several.
    private static let batches = """
        select string_agg(concat_ws(' ', coalesce(device_slice::text, 'several'), batches, events), ', '
            order by device_slice)
        from (
            select device_slice, count(*) as batches, sum(events) as events from afterpush.batches group by 1
        ) as b
        """

    private func sent(_ count: Int) -> [[String: any Sendable]] {
        (0..<count).map { EventJSON.event(["kind": "sent", "device_id": "device-\($0)"]) }
    }

    @Test func `many events of an app are a batch for each slice, and few are one batch`() async throws {
        let app = try await TestApp()
        try await app.store(sent(255))
        #expect(try await app.value(Self.batches) == "several 1 255")
        try await app.store(sent(256).map { $0.merging(["notification_id": "n2"]) { $1 } })
        #expect(try await app.value("select count(*) from afterpush.batches where device_slice is not null") == "4")
        let wrong = try await app.value(
            """
            select count(*)
            from afterpush.events as e
            join afterpush.batches as b using (batch_id)
            where b.device_slice <> afterpush.device_slice(e.delivery_id)
            """)
        #expect(wrong == "0")
        let miscounted = try await app.value(
            """
            select count(*)
            from afterpush.batches as b
            where b.events <> (select count(*) from afterpush.events as e where e.batch_id = b.batch_id)
            """)
        #expect(miscounted == "0")
        try await app.rollUp()
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test func `merges of different slices run side by side, and nothing else runs beside them`() async throws {
        let app = try await TestApp()
        try await app.store(sent(300))
        try await app.store(sent(10).map { $0.merging(["notification_id": "n2"]) { $1 } })
        func rollUp(_ slices: String, _ connection: Connection) async throws -> Int32? {
            let rows = try await connection.query("select afterpush.roll_up(100000, slices => \(slices))")
            return try rows[0].decode(Int32?.self, column: 0)
        }
        let other = Database(conninfo: app.conninfo, logger: TestCluster.logger)
        try await app.database.worker.withConnection { first in
            try await first.script("begin")
            #expect(try await rollUp("'{0,2}'", first) ?? 0 > 0)
            try await other.worker.withConnection { second in
                // Its slices are locked, or it needs all of them.
                for slices in ["'{2,3}'", "'{}'", "null"] { #expect(try await rollUp(slices, second) == nil) }
                // It merges, and waits only to add to the rollups.
                let waiting = Task { try await rollUp("'{1,3}'", second) }
                try await app.waitUntil("the second merge waits for the first one") {
                    try await app.superuserValue(
                        """
                        select count(*)
                        from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock' and query like '%{1,3}%'
                        """) == "1"
                }
                try await first.script("commit")
                #expect(try await waiting.value ?? 0 > 0)
                #expect(try await rollUp("'{}'", second) == 10)
                #expect(try await rollUp("null", second) == 0)
            }
        }
        #expect(try await app.value("select count(*) from afterpush.deliveries") == "310")
        #expect(try await app.maintenance.verify().isEmpty)
    }

    /// Batches of one slice and of several, with copies and verified copies, while workers of two collectors are behind,
    /// and something else needs the lock from time to time.
    @Test(arguments: [UInt64(11), 12, 13])
    func `workers that are behind merge every event once`(seed: UInt64) async throws {
        let app = try await TestApp()
        let second = Database(conninfo: app.conninfo, logger: TestCluster.logger)
        var configuration = RollupWorker.Configuration()
        configuration.eventsPerRun = 20
        configuration.pause = .milliseconds(20)
        let workers = [app.database, second].map {
            RollupWorker(pool: $0.worker, configuration: configuration, logger: TestCluster.logger)
        }
        let running = workers.map { worker in Task { try await worker.run() } }
        defer { for task in running { task.cancel() } }
        var random = SeededGenerator(seed: seed)
        var stored: [[String: any Sendable]] = []
        for round in 0..<60 {
            let scope: Scope = Bool.random(using: &random) ? .send : .ingest
            let kinds = (scope == .send ? ["sent"] : []) + ["delivered", "opened", "action", "converted"]
            let events = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                let kind = kinds.randomElement(using: &random) ?? ""
                var event = EventJSON.event([
                    "kind": kind, "device_id": "d\(Int.random(in: 0..<40, using: &random))",
                    "notification_id": "n\(Int.random(in: 0..<4, using: &random))",
                    "campaign_id": "c\(Int.random(in: 0..<3, using: &random))",
                ])
                if kind == "action" { event["action_identifier"] = "a\(Int.random(in: 0..<3, using: &random))" }
                if kind == "converted" { event.merge(["value": 1.5, "currency": "EUR"]) { $1 } }
                return event
            }
            let copies =
                Int.random(in: 0..<4, using: &random) == 0
                ? stored.suffix(5).filter { scope == .send || $0["kind"] as? String != "sent" } : []
            try await app.store(events + copies, scope: scope, eventsPerSlice: Int.random(in: 1...8, using: &random))
            stored += events
            if round % 10 == 0 {
                try await app.database.owner.withConnection { connection in
                    try await connection.script(
                        "begin; select from afterpush.rollup_worker for update; select pg_sleep(0.02); commit")
                }
            }
        }
        try await app.waitForRollups()
        #expect(
            try await app.value("select count(distinct device_slice) from afterpush.batches") == "4", "seed \(seed)")
        #expect(try await app.maintenance.verify().map { "\($0)" } == [], "seed \(seed)")
        #expect(try await app.value("select count(*) from afterpush.events") == "\(stored.count)", "seed \(seed)")
    }
}
