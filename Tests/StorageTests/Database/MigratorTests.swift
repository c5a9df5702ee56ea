import Postgres
import SQLFiles
import Storage
import TestSupport
import Testing

@Suite struct MigratorTests {
    private func connect(_ conninfo: String) async throws -> Connection {
        try await Connection.open(PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
    }

    private func migrate(_ conninfo: String, _ migrator: Migrator = Migrator()) async throws -> [String] {
        let connection = try await connect(conninfo)
        do {
            let applied = try await migrator.run(on: connection)
            await connection.close()
            return applied
        } catch {
            await connection.close()
            throw error
        }
    }

    private func value(_ sql: String, _ conninfo: String) async throws -> String? {
        let connection = try await connect(conninfo)
        let rows = try await connection.query(sql, format: .text)
        await connection.close()
        return rows.first?.text(0)
    }

    @Test func `processes that migrate at the same time take turns, and each file is applied once`() async throws {
        let conninfo = try await TestCluster.database(empty: true)
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask { try await migrate(conninfo) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied == SQLFiles.schema.map(\.name) + [SchemaDefinitions.name])
    }

    @Test func `a process waits for its turn to migrate beyond its time limit for locks`() async throws {
        let conninfo = try await TestCluster.database()
        let migrating = try await connect(conninfo)
        try await migrating.execute("begin")
        try await migrating.execute("lock table afterpush.schema_migrations in share row exclusive mode")
        let waiting = try await connect(conninfo)
        try await waiting.execute("set lock_timeout = '50ms'")
        async let applied = Migrator().run(on: waiting)
        try await Task.sleep(for: .milliseconds(500))
        try await migrating.execute("rollback")
        #expect(try await applied == [])
        let limit = try await waiting.query("show lock_timeout", format: .text)
        #expect(limit.first?.text(0) == "50ms")
        await migrating.close()
        await waiting.close()
    }

    @Test func `a schema file that was edited after it was applied is refused`() async throws {
        let conninfo = try await TestCluster.database()
        try await TestCluster.script(
            "update afterpush.schema_migrations set checksum = '\\x00' where name = 'V0003_apps'", on: conninfo)
        let error = await #expect(throws: MigrationError.edited(name: "V0003_apps")) { try await migrate(conninfo) }
        #expect(error?.description.contains("afterpush export") == true)
        #expect(error?.description.contains("afterpush import") == true)
    }

    @Test func `a database made by an unreleased version is refused, and the error says what to do`() async throws {
        let conninfo = try await TestCluster.database(empty: true)
        // The unreleased versions had this table, and their first file had this name.
        try await TestCluster.script(
            """
            create schema afterpush;
            create table afterpush.schema_migrations (
                name text primary key, checksum bytea not null, applied_at timestamptz not null default now()
            );
            insert into afterpush.schema_migrations (name, checksum) values ('V0001_schema_and_roles', '\\x00')
            """, on: conninfo)
        let error = await #expect(throws: MigrationError.unreleased) { try await migrate(conninfo) }
        #expect(error?.description.contains("afterpush export") == true)
        #expect(error?.description.contains("afterpush import") == true)
        let connection = try await connect(conninfo)
        await #expect(throws: MigrationError.unreleased) { _ = try await Migrator().pending(on: connection) }
        await connection.close()
        #expect(try await value("select count(*) from afterpush.schema_migrations", conninfo) == "1")
    }

    @Test func `a database of a newer version is refused`() async throws {
        let conninfo = try await TestCluster.database()
        try await TestCluster.script(
            "insert into afterpush.schema_migrations (name, checksum) values ('V9999_future', '\\x00')", on: conninfo)
        await #expect(throws: MigrationError.newer(name: "V9999_future")) { try await migrate(conninfo) }
    }

    @Test func `a file that fails leaves nothing behind`() async throws {
        let conninfo = try await TestCluster.database(empty: true)
        let schema = SQLFiles.schema.prefix(3) + [SQLFiles.findKeys]
        await #expect(throws: PostgresError.self) { try await migrate(conninfo, Migrator(schema: Array(schema))) }
        #expect(try await value("select to_regnamespace('afterpush') is null", conninfo) == "t")
        let definitions = SchemaDefinitions(others: SQLFiles.functionsAndViews + [SQLFiles.findKeys])
        await #expect(throws: PostgresError.self) { try await migrate(conninfo, Migrator(definitions: definitions)) }
        #expect(try await value("select to_regnamespace('afterpush') is null", conninfo) == "t")
    }

    @Test func `functions, views and grants are installed again when their files differ, and only then`() async throws {
        let conninfo = try await TestCluster.database()
        #expect(try await migrate(conninfo) == [])
        // Another version could have installed these: a function with different text, and an extra grant.
        try await TestCluster.script(
            """
            create or replace function afterpush.rate(numerator bigint, denominator bigint, min_n bigint)
            returns double precision language sql immutable parallel safe return 0.5::double precision;
            grant delete on afterpush.events to afterpush_report;
            grant select (secret) on afterpush.receipt_secrets to afterpush_report;
            """, on: conninfo)
        #expect(try await migrate(conninfo) == [])
        #expect(try await value("select afterpush.rate(30, 30, 30)", conninfo) == "0.5")
        try await TestCluster.script(
            "update afterpush.installed_definitions set checksum = '\\x00' where name = 'rate'", on: conninfo)
        let connection = try await connect(conninfo)
        #expect(try await Migrator().pending(on: connection) == [SchemaDefinitions.name])
        await connection.close()
        #expect(try await migrate(conninfo) == [SchemaDefinitions.name])
        #expect(try await value("select afterpush.rate(30, 30, 30)", conninfo) == "1")
        let grants = """
            select has_table_privilege('afterpush_report', 'afterpush.events', 'delete')
                or has_column_privilege('afterpush_report', 'afterpush.receipt_secrets', 'secret', 'select')
            """
        #expect(try await value(grants, conninfo) == "f")
        #expect(try await migrate(conninfo) == [])
    }

    @Test func `installing a function again waits for no report that is running`() async throws {
        let conninfo = try await TestCluster.database()
        let reading = try await connect(conninfo)
        try await reading.execute("begin")
        _ = try await reading.query(
            "select count(*) from afterpush.rollup_deliveries join afterpush.category_versions using (app_id)")
        try await TestCluster.script(
            "update afterpush.installed_definitions set checksum = '\\x00' where name = 'rate'", on: conninfo)
        let connection = try await connect(conninfo)
        try await connection.execute("set lock_timeout = '5s'")
        #expect(try await Migrator().run(on: connection) == [SchemaDefinitions.name])
        await connection.close()
        try await reading.execute("rollback")
        await reading.close()
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
