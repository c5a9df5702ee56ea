import Postgres
import Storage
import TestSupport
import Testing

/// What the roles of the database may run.
@Suite struct PrivilegeTests {
    @Test func `nobody but the roles can run a function, and those that run with another's rights each have one`()
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
        actions_stored afterpush_ingest, conflicting_events afterpush_ingest, differing_events afterpush_ingest, \
        ensure_partitions afterpush_worker, erase_step afterpush_worker, excluded_events afterpush_ingest, \
        find_erased_devices afterpush_worker, is_excluded afterpush_ingest, report_app afterpush_report, \
        request_erasure afterpush_worker, restore_suppression afterpush_worker, run_report afterpush_report, \
        take_names afterpush_ingest
        """

    @Test func `a login that reads reports can take no lock that storing or erasing waits for`() async throws {
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
              and p.prosrc like '%pg_advisory%'
            """)
        #expect(advisory == nil)
    }

    @Test func `what a later migration makes is closed`() async throws {
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

    @Test func `a login that reads reports can neither erase devices nor ask about them`() async throws {
        let app = try await TestApp()
        for call in [
            "request_erasure(1, 'd1')", "excluded_events(array[1], array['d1'], array[now()])", "erase_step(1)",
            "take_names('{}', '{}', '{}', '{}', '{}', '{}')",
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
