import Declarations
import Postgres
import Storage
import TestSupport
import Testing

/// Tests that the apps share the connections for declarations.
struct RegistryShareTests {
    @Test func `declarations of one app that take long leave a connection to another app`() async throws {
        let app = try await TestApp()
        let other = try await app.registry.createApp("other")
        let lock = try await Connection.open(PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await lock.script("begin; select from afterpush.apps where app_id = \(app.app.id) for no key update")
        let campaign = CampaignDeclaration(identifier: "spring", name: "spring")
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { [app] in try await app.registry.putCampaign(campaign, app: app.app) }
            }
            try await app.waitUntil("declarations wait for the lock") {
                try await app.superuserValue(
                    "select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock'") == "t"
            }
            // Otherwise it would wait for a connection in vain, and fail.
            try await app.registry.putCampaign(campaign, app: other)
            #expect(try await app.registry.campaigns(app: other).count == 1)
            try await lock.script("commit")
            try await group.waitForAll()
        }
        await lock.close()
    }
}
