import Postgres
import SQLFiles
import Storage
import TestSupport
import Testing

@Suite struct MigratorTests {
    private func connect(_ conninfo: String) async throws -> Connection {
        try await Connection.open(PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
    }

    @Test func `many that migrate at once take turns, and each migration is applied once`() async throws {
        let conninfo = try await TestCluster.database(empty: true)
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask { try await Migrator().run(on: try await connect(conninfo)) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied == SQLFiles.migrations.map(\.name))
    }

    @Test func `a migration that was edited after it was applied is refused`() async throws {
        let conninfo = try await TestCluster.database()
        try await TestCluster.script(
            "update afterpush.schema_migrations set checksum = '\\x00' where name = 'V0002_registry'", on: conninfo)
        await #expect(throws: MigrationError.edited(name: "V0002_registry")) {
            _ = try await Migrator().run(on: try await connect(conninfo))
        }
    }

    @Test func `a text that a migration had on main before is known, of that migration alone`() async throws {
        let conninfo = try await TestCluster.database()
        let earlier = "79647ae6e944ca07a3a175085209a875e605d03595b9b98de24c43f5f2051830"
        func apply(_ name: String) async throws {
            try await TestCluster.script(
                "update afterpush.schema_migrations set checksum = '\\x\(earlier)' where name = '\(name)'", on: conninfo
            )
        }
        try await apply("V0045_slow_reports")
        #expect(try await Migrator().run(on: try await connect(conninfo)) == [])
        try await apply("V0044_faster_quantiles")
        await #expect(throws: MigrationError.edited(name: "V0044_faster_quantiles")) {
            _ = try await Migrator().run(on: try await connect(conninfo))
        }
    }

    @Test func `a database of a newer program is refused`() async throws {
        let conninfo = try await TestCluster.database()
        try await TestCluster.script(
            "insert into afterpush.schema_migrations (name, checksum) values ('V9999_future', '\\x00')", on: conninfo)
        await #expect(throws: MigrationError.newer(name: "V9999_future")) {
            _ = try await Migrator().run(on: try await connect(conninfo))
        }
    }

    @Test func `a migration that fails leaves nothing behind`() async throws {
        let conninfo = try await TestCluster.database(empty: true)
        let connection = try await connect(conninfo)
        let migrations = SQLFiles.migrations.prefix(3) + [SQLFiles.findKey]
        await #expect(throws: PostgresError.self) {
            _ = try await Migrator(migrations: Array(migrations)).run(on: connection)
        }
        let rows = try await connection.query("select to_regnamespace('afterpush') is null", format: .text)
        #expect(rows[0].text(0) == "t")
    }

    @Test func `partitions are made ahead, and what waited in the default one moves`() async throws {
        let app = try await TestApp()
        try await TestCluster.script(
            """
            insert into afterpush.events
                (delivery_id, event_id, device_time, occurred_at, batch_id, app_id, kind, verified, device_id)
            values (gen_random_uuid(), gen_random_uuid(), '2031-05-17', '2031-05-17', 1, 1, 'opened', false, 'd')
            """, on: app.conninfo)
        let count = "select count(*) from afterpush.events"
        #expect(try await app.value("select count(*) from afterpush.events_default") == "1")
        #expect(try await app.value("select afterpush.ensure_partitions('2031-05-02', 0, 1)") == "2")
        #expect(try await app.value("select afterpush.ensure_partitions('2031-05-02', 0, 1)") == "0")
        #expect(try await app.value("select count(*) from afterpush.events_default") == "0")
        #expect(try await app.value(count) == "1")
    }
}
