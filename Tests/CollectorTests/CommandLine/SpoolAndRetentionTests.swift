import Foundation
import TestSupport
import Testing

/// Tests that retention rejects nothing that a collector has acknowledged while it could not reach the database.
@Suite struct SpoolAndRetentionTests {
    @Test func `no hour is sealed while a collector can't report what it has spooled`() async throws {
        let app = try await TestApp()
        let address = try DatabaseAddress(app.conninfo)
        let proxy = try TCPProxy(to: address.upstream)
        defer { proxy.close() }
        let spools = [CollectorProcess.spoolDirectory(), CollectorProcess.spoolDirectory()]
        defer { for spool in spools { try? FileManager.default.removeItem(atPath: spool) } }
        let collector = try await CollectorProcess(conninfo: address.conninfo(through: proxy), spool: spools[0])
        let client = TestClient(url: collector.url)
        let old = Date(timeIntervalSinceNow: -99 * 86_400).formatted(.iso8601)
        func post() async throws -> Int {
            try await client.post(
                "/v1/events", EventJSON.body([EventJSON.event(["occurred_at": old])]), key: app.ingestKey
            ).status
        }
        /// As on another host.
        func retention() async throws -> Program.Output {
            try await Program.run(
                ["retention", "--events", "32d", "--database-url", app.conninfo],
                environment: ["AFTERPUSH_SPOOL_DIR": spools[1]])
        }
        try await app.waitUntil("the empty spool is reported") {
            try await app.value("select events from afterpush.spools") == "0"
        }
        #expect(try await post() == 200)
        proxy.mode = .reset
        try await app.waitUntil("its connections are gone") {
            try await app.superuserValue(
                """
                select count(*) from pg_stat_activity
                where application_name = 'afterpush ingest' and datname = current_database()
                """) == "0"
        }
        #expect(try await post() == 202)
        let refused = try await retention()
        #expect(refused.status == 1 && refused.error.contains("has not reported its spool since"), "\(refused)")
        #expect(try await app.value("select isfinite(rejected_before) from afterpush.retention_state") == "f")

        let end = try await app.value("select now()::text") ?? ""
        proxy.mode = .pass
        try await app.waitUntil("the spool is empty, and reported") {
            try await app.value("select events = 0 and reported_at > '\(end)' from afterpush.spools") == "t"
        }
        #expect(try await app.value("select count(*) from afterpush.events") == "2")
        await collector.stop()
        #expect(try await app.value("select is_closed from afterpush.spools") == "t")
        let done = try await retention()
        #expect(done.status == 0 && done.output.contains("sealed before"), "\(done)")
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "0")
    }

    @Test func `a collector that was killed with an empty spool is not waited for by a command with its settings`()
        async throws
    {
        let app = try await TestApp()
        let spool = CollectorProcess.spoolDirectory()
        defer { try? FileManager.default.removeItem(atPath: spool) }
        let collector = try await CollectorProcess(conninfo: app.conninfo, spool: spool)
        try await app.waitUntil("the empty spool is reported") {
            try await app.value("select events from afterpush.spools") == "0"
        }
        func retention(_ days: Int) async throws -> Program.Output {
            try await Program.run(
                ["retention", "--events", "\(days)d", "--database-url", app.conninfo],
                environment: ["AFTERPUSH_SPOOL_DIR": spool])
        }
        // Its next report is waited for.
        let running = try await retention(64)
        #expect(running.status == 0, "\(running)")
        #expect(try await app.value("select is_closed from afterpush.spools") == "f")
        await collector.kill()
        let killed = try await retention(32)
        #expect(killed.status == 0, "\(killed)")
        #expect(try await app.value("select is_closed from afterpush.spools") == "t")
    }
}
