import Logging
import Postgres
import SQLFiles
import Storage
import TestSupport
import Testing

/// Tests what the roles of the database can execute and lock.
@Suite struct PrivilegeTests {
    @Test func `only the roles can execute functions, and each security definer function has one role`()
        async throws
    {
        let app = try await TestApp()
        let open = try await app.value(
            """
            select string_agg(p.proname, ', ')
            from pg_proc as p
            where p.pronamespace = 'afterpush'::regnamespace
              and has_function_privilege('public', p.oid, 'execute')
            """)
        #expect(open == nil)
        let roles = try await app.value(
            """
            select string_agg(concat_ws(' ', p.proname, r.rolname), ', ' order by p.proname, r.rolname)
            from pg_proc as p
            join pg_roles as r on has_function_privilege(r.oid, p.oid, 'execute')
            where p.pronamespace = 'afterpush'::regnamespace
              and p.prosecdef
              and r.rolname in ('afterpush_ingest', 'afterpush_worker', 'afterpush_report')
            """)
        #expect(roles == Self.definers)
    }

    static let definers = """
        apply_upgrades afterpush_worker, compare_duplicates afterpush_ingest, count_names_with_id afterpush_worker, \
        decide_due_replies afterpush_worker, decide_noted_replies afterpush_worker, \
        end_report_sessions afterpush_worker, ensure_partitions afterpush_worker, \
        find_erased_devices afterpush_worker, \
        has_suppressed_events afterpush_ingest, note_replies_of_batches afterpush_worker, \
        open_report afterpush_ingest, \
        reply_places afterpush_ingest, report_app afterpush_report, \
        request_erasure afterpush_worker, reserve_names afterpush_ingest, restore_suppression afterpush_worker, \
        run_erasure_step afterpush_worker, run_report afterpush_report, \
        split_default_partition afterpush_worker, stored_actions afterpush_ingest, \
        suppressed_events afterpush_ingest
        """

    @Test func `the report role can execute no function that writes`() async throws {
        let app = try await TestApp()
        // A function that runs a text as SQL would let an own report run several statements, and prepare some.
        let writing = try await app.value(
            """
            select string_agg(p.proname, ', ' order by p.proname)
            from pg_proc as p
            where p.pronamespace = 'afterpush'::regnamespace
              and p.provolatile = 'v' and p.prorettype <> 'trigger'::regtype
              and has_function_privilege('afterpush_report', p.oid, 'execute')
            """)
        #expect(writing == nil)
    }

    @Test func `the report role can't take a lock that ingest or erasure waits for`() async throws {
        let app = try await TestApp()
        let lockable = try await app.value(
            """
            select string_agg(c.relname, ', ' order by c.relname)
            from pg_class as c
            where c.relnamespace = 'afterpush'::regnamespace
              and c.relkind in ('r', 'p')
              and has_table_privilege('afterpush_report', c.oid, 'insert, update, delete, truncate')
            """)
        #expect(lockable == nil)
        let advisory = try await app.value(
            """
            select string_agg(p.proname, ', ' order by p.proname)
            from pg_proc as p
            where p.pronamespace = 'afterpush'::regnamespace
              and p.prokind in ('f', 'p')
              and pg_get_functiondef(p.oid) like '%pg_advisory%'
            """)
        #expect(advisory == nil)
        #expect(SQLFiles.statements.filter { $0.text.contains("pg_advisory") }.map(\.name) == [])
    }

    @Test func `the report role can't block migrations`() async throws {
        let app = try await TestApp()
        let configuration = PostgresConfiguration(conninfo: app.conninfo)
        let reading = try await Connection.open(configuration, logger: Logger(label: "reading"))
        let migrating = try await Connection.open(configuration, logger: Logger(label: "migrating"))
        try await reading.execute("set role afterpush_report")
        // A server that lets everybody take this lock must not make migrations wait either.
        try await TestCluster.script("grant execute on function pg_advisory_lock(bigint) to public", on: app.conninfo)
        _ = try await reading.query("select pg_advisory_lock(hashtext('afterpush.schema_migrations')) is null")
        #expect(try await Migrator().run(on: migrating) == [])
        await reading.close()
        await migrating.close()
    }

    @Test func `an erasure waits for running batches that may not know of it`() async throws {
        let app = try await TestApp()
        let configuration = PostgresConfiguration(conninfo: app.conninfo)
        let storing = try await Connection.open(configuration, logger: Logger(label: "storing"))
        let erasing = try await Connection.open(configuration, logger: Logger(label: "erasing"))
        try await storing.execute("begin")
        try await storing.execute("set local role afterpush_ingest")
        _ = try await storing.query("select afterpush.hold_ingest_barrier(0)")
        try await erasing.execute("select afterpush.request_erasure(app_id, 'd1') from afterpush.apps")
        let phase = "select phase::text from afterpush.erasures"
        try await erasing.execute("set lock_timeout = '300ms'")
        await #expect(throws: PostgresError.self) { try await erasing.query("select afterpush.run_erasure_step(100)") }
        #expect(try await app.value(phase) == "announced")
        try await storing.execute("commit")
        _ = try await erasing.query("select afterpush.run_erasure_step(100)")
        #expect(try await app.value(phase) != "announced")
        await storing.close()
        await erasing.close()
    }

    @Test func `a job that is announced while another waits for batches waits for its own`() async throws {
        let app = try await TestApp()
        let configuration = PostgresConfiguration(conninfo: app.conninfo)
        let storing = try await Connection.open(configuration, logger: Logger(label: "storing"))
        let erasing = try await Connection.open(configuration, logger: Logger(label: "erasing"))
        let announcing = try await Connection.open(configuration, logger: Logger(label: "announcing"))
        try await storing.execute("begin")
        _ = try await storing.query("select afterpush.hold_ingest_barrier(0)")
        try await announcing.execute("select afterpush.request_erasure(app_id, 'd1') from afterpush.apps")
        // Ends when `storing` commits.
        let step = Task { try await erasing.query("select afterpush.run_erasure_step(100)") }
        let waits = """
            select count(*) from pg_stat_activity
            where datname = current_database() and wait_event = 'PgSleep' and query like '%run_erasure_step(100)'
            """
        try await app.waitUntil("the step waits for the batch") { try await app.superuserValue(waits) == "1" }
        try await announcing.execute("select afterpush.request_erasure(app_id, 'd2') from afterpush.apps")
        try await storing.execute("commit")
        _ = try await step.value
        let phases = "select string_agg(device_id || ' ' || phase, ', ' order by device_id) from afterpush.erasures"
        #expect(try await app.value(phases) == "d1 merging, d2 announced")
        await announcing.close()
        await storing.close()
        await erasing.close()
    }

    @Test func `a login that locks tables with prepare delays neither erasure nor sealing`() async throws {
        let app = try await TestApp()
        let (name, conninfo) = try await app.makeReportLogin()
        let login = try await Connection.open(PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        try await login.execute("begin")
        let tables = """
            select string_agg(relname, ' ')
            from pg_class
            where relnamespace = 'afterpush'::regnamespace and relkind in ('r', 'p') and not relispartition
            """
        for table in try await app.value(tables)?.split(separator: " ") ?? [] {
            try await login.execute("prepare \(table) as delete from afterpush.\(table)")
        }
        let configuration = PostgresConfiguration(conninfo: app.conninfo)
        let owner = try await Connection.open(configuration, logger: TestCluster.logger)
        try await owner.execute("set lock_timeout = '1s'")
        try await owner.execute("select afterpush.request_erasure(app_id, 'd1') from afterpush.apps")
        let hash = "decode(repeat('00', 32), 'hex')"
        try await owner.execute("select afterpush.restore_suppression(name, \(hash), \(hash)) from afterpush.apps")
        for _ in 0..<10 { try await owner.execute("select afterpush.run_erasure_step(100)") }
        let waiting = "select count(*) from afterpush.erasures where phase in ('announced', 'merging')"
        #expect(try await app.value(waiting) == "0")
        _ = try await owner.query("select set_config('afterpush.collector_time', now()::text, false)")
        try await owner.execute("select afterpush.announce_seal(now() - interval '1 year')")
        try await owner.execute("select afterpush.advance_seal()")
        #expect(try await owner.query("select afterpush.advance_seal()", format: .text)[0].text(0) == "sealed")
        await owner.close()
        await login.close()
        try await TestCluster.script("drop role \(name)", on: app.conninfo)
    }

    @Test func `a function of a later migration can't be executed by public`() async throws {
        let app = try await TestApp()
        let isOpen = try await app.database.owner.withConnection { connection in
            try await connection.transaction { connection in
                try connection.execute("set local role afterpush_owner")
                try connection.execute("create function afterpush.later() returns integer language sql return 1")
                let rows = try connection.query(
                    "select has_function_privilege('public', 'afterpush.later()', 'execute')")
                try connection.execute("drop function afterpush.later()")
                return try rows.first?.decode(Bool.self, column: 0)
            }
        }
        #expect(isOpen == false)
    }

    @Test func `the report role can't call functions of erasure and ingest`() async throws {
        let app = try await TestApp()
        for call in [
            "request_erasure(1, 'd1')", "suppressed_events(array[1], array['d1'], array[now()])", "run_erasure_step(1)",
            "reserve_names('{}', '{}', '{}', '{}', '{}', '{}')",
        ] {
            let error = await #expect(throws: PostgresError.self) {
                try await app.database.owner.withConnection { connection in
                    try await connection.transaction { connection in
                        try connection.execute("set local role afterpush_report")
                        try connection.execute("select afterpush.\(call)")
                    }
                }
            }
            #expect(error?.sqlState == "42501", "\(call): \(String(describing: error))")
        }
    }
}
