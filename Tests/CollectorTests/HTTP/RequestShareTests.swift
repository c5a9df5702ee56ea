import AfterpushWire
import Events
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

/// Tests that an app whose requests wait for PostgreSQL holds up no other app, and no event.
@Suite struct RequestShareTests {
    /// A table that requests of an app wait for, and the request.
    enum Obstacle: String, CaseIterable {
        case sends, arrivals, erasures

        var table: String {
            switch self {
            case .sends: "afterpush.sends"
            case .arrivals: "afterpush.event_arrivals"
            case .erasures: "afterpush.erasures"
            }
        }
    }

    @Test(arguments: Obstacle.allCases)
    func `requests of an app that wait for PostgreSQL hold up no other app, and no event`(obstacle: Obstacle)
        async throws
    {
        let evil = try await TestApp(named: "evil")
        let shop = try await TestApp(named: "shop", conninfo: evil.conninfo)
        let manage = try await evil.registry.createKey(app: evil.app, scope: .manage)
        let shopManage = try await shop.registry.createKey(app: shop.app, scope: .manage)
        let collector = try await CollectorProcess(
            conninfo: evil.conninfo, environment: ["AFTERPUSH_SPOOL_DIR": CollectorProcess.spoolDirectory()])
        let lock = try await Connection.open(PostgresConfiguration(conninfo: evil.conninfo), logger: TestCluster.logger)
        try await lock.script(
            "set idle_in_transaction_session_timeout = 0; begin; lock table \(obstacle.table) in exclusive mode")
        let client = TestClient(url: collector.url)
        let attacker = TestClient(url: collector.url, connections: 40)
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    // What becomes of them doesn't matter.
                    while !Task.isCancelled {
                        _ = try? await Self.request(obstacle, number, evil, manage, attacker)
                        try? await Task.sleep(for: .milliseconds(20))
                    }
                }
            }
            try await evil.waitUntil("requests wait for the lock") {
                try await evil.superuserValue(
                    "select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock'") == "t"
            }
            for _ in 0..<8 {
                let stored = try await client.post("/v1/events", EventJSON.body([EventJSON.event()]), key: shop.sendKey)
                #expect(stored.status == 200, "\(stored.text)")
                // A new key is looked up.
                let key = try await shop.registry.createKey(app: shop.app, scope: .send)
                let first = try await client.post("/v1/events", EventJSON.body([EventJSON.event()]), key: key)
                #expect(first.status == 200, "\(first.text)")
                let declared = try await client.get("/v1/campaigns", key: shopManage)
                #expect(declared.status == 200, "\(declared.text)")
            }
            group.cancelAll()
            try await lock.script("rollback")
        }
        await lock.close()
        await collector.stop()
    }

    private static func request(
        _ obstacle: Obstacle, _ number: Int, _ app: TestApp, _ manage: String, _ client: TestClient
    ) async throws {
        switch obstacle {
        case .sends:
            let send = #"{"send_id":"\#(UUID())","campaign_id":"c","count":1,"sent_at":"2026-11-20T10:00:00Z"}"#
            _ = try await client.post("/v1/sends", Data(#"{"sends":[\#(send)]}"#.utf8), key: app.sendKey)
        case .arrivals:
            let event = #"{"type":"track","event":"Push Notification Tapped","userId":"u","messageId":"\#(UUID())"}"#
            _ = try await client.post("/v1/batch", Data(#"{"batch":[\#(event)]}"#.utf8), key: app.ingestKey)
        case .erasures:
            _ = try await client.delete("/v1/devices/d\(number)", key: manage)
        }
    }
}
