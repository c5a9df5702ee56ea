import Foundation
import Postgres
import Reports
import Storage
import TestSupport
import Testing

/// Attacks of a report's author, and of a dashboard's login, on other apps and on the server.
@Suite struct ReportConfinementTests {
    /// Two apps in one database, each with a dashboard's login, and a collector with the reports of a team.
    private struct Tenants {
        let shop: TestApp
        let other: TestApp
        let collector: CollectorProcess
        let client: TestClient
        private let directory: String
        private let logins: [(name: String, conninfo: String)]

        /// - Parameter reports: The statements of the team's own reports, by name. Each has a column `x`.
        init(reports: [String: String] = [:]) async throws {
            shop = try await TestApp()
            other = try await TestApp(named: "other", conninfo: shop.conninfo)
            logins = [try await shop.makeReportLogin(), try await other.makeReportLogin()]
            directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            let head = "-- title: T\n-- column: x text  x\n\\if :{?app} \\else \\set app '' \\endif\n"
            for (name, sql) in reports {
                try Data((head + sql).utf8).write(to: URL(filePath: "\(directory)/\(name).sql"))
            }
            collector = try await CollectorProcess(
                conninfo: shop.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
            client = TestClient(url: collector.url, timeout: 60)
        }

        var login: String { logins[0].name }

        /// Opens a connection as the login of `shop`.
        func connect() async throws -> Connection {
            try await Connection.open(
                PostgresConfiguration(conninfo: logins[0].conninfo), logger: TestCluster.logger)
        }

        /// Runs a report of `shop` over HTTP.
        func report(_ name: String) async throws -> TestClient.Response {
            try await client.get("/v1/reports/\(name)", key: shop.readKey)
        }

        func close() async throws {
            await collector.stop()
            try? FileManager.default.removeItem(atPath: directory)
            for login in logins { try await TestCluster.script("drop role \(login.name)", on: shop.conninfo) }
        }
    }

    /// A value of another login's settings that could be a secret, or an empty text.
    private static let settings = """
        select coalesce(max(value), '')
        from pg_db_role_setting, unnest(setconfig) as setting, substr(setting, strpos(setting, '=') + 1) as value
        where setting ~ '^afterpush' and value is distinct from current_setting('afterpush.report_token', true)
        """

    @Test func `a login reads its own app, whatever it sets`() async throws {
        let tenants = try await Tenants()
        let login = try await tenants.connect()
        let apps = "select string_agg(name, ' ' order by name) from afterpush.apps"
        #expect(try await login.query(apps, format: .text)[0].text(0) == "shop")
        let secret = try await login.query(Self.settings, format: .text)[0].text(0) ?? ""
        let claim = try await tenants.shop.database.report.withConnection { connection in
            let opening = ReportAccess.opening(app: tenants.other.app.id)
            return try await connection.snapshot(
                asking: opening + "select current_setting('afterpush.report_claim')"
            ) { _, rows in rows[0].text(0) }
        }
        for value in [secret, try #require(claim), ""] {
            for name in ["afterpush.report_token", "afterpush.report_claim"] {
                try await login.execute("select set_config($1, $2, false)", [.text(name), .text(value)])
            }
            #expect(try await login.query(apps, format: .text)[0].text(0) == "shop")
        }
        try await login.execute("set row_security = off")
        await #expect(throws: PostgresError.self) { try await login.query(apps) }
        await login.close()
        try await tenants.close()
    }

    @Test func `a login of another database reads nothing`() async throws {
        let tenants = try await Tenants()
        let elsewhere = try await TestApp()
        let login = try await Connection.open(
            PostgresConfiguration(
                conninfo: elsewhere.conninfo.replacing(/user='?[a-z_]+'?/, with: "user=\(tenants.login)")),
            logger: TestCluster.logger)
        #expect(try await login.query("select from afterpush.apps").isEmpty)
        #expect(try await login.query("select from afterpush.spools").isEmpty)
        await login.close()
        try await tenants.close()
    }

    @Test func `a report can't use the claim or the settings of another app`() async throws {
        let seen = "select coalesce(string_agg(name, ' ' order by name), 'none') as x from afterpush.apps"
        let tenants = try await Tenants(reports: [
            "settings": """
            select set_config('afterpush.report_token', (\(Self.settings)), true) as a \\gset
            \(seen)
            """,
            "app": """
            select set_config('afterpush.report_claim', regexp_replace(
                current_setting('afterpush.report_claim'), '^[0-9]+', '2'), true) as a \\gset
            \(seen)
            """,
            "claim": "select current_setting('afterpush.report_claim') as x",
            "open": "select afterpush.open_report(2)::text as x",
            "sign": "select afterpush.report_claim('\\x00', 2) as x",
        ])
        #expect(try await tenants.report("settings").text.contains("\"shop\""))
        #expect(try await tenants.report("app").text.contains("\"none\""))
        #expect(try await tenants.report("open").text.contains("permission denied for function open_report"))
        #expect(try await tenants.report("sign").text.contains("permission denied for function report_claim"))
        // A claim that was read in one transaction is worthless in the next.
        let rows = try await tenants.report("claim").json()["rows"] as? [[String: Any]]
        let claim = try #require(rows?.first?["x"] as? String)
        #expect(claim.hasPrefix("\(tenants.shop.app.id):"))
        let apps = try await tenants.shop.database.report.withConnection { connection in
            try await connection.snapshot(asking: "select 1") { connection, _ in
                try connection.execute("select set_config('afterpush.report_claim', $1, true)", [.text(claim)])
                return try connection.query("select from afterpush.apps").count
            }
        }
        #expect(apps == 0)
        try await tenants.close()
    }

    @Test func `a report can't read what earlier reports of other apps asked on its connection`() async throws {
        let tenants = try await Tenants(reports: [
            "statements": "select coalesce(string_agg(statement, ' '), 'none') as x from pg_prepared_statements"
        ])
        for _ in 0..<8 {
            let path = "/v1/reports/conversion?campaign=canary"
            #expect(try await tenants.client.get(path, key: tenants.other.readKey).status == 200)
        }
        for _ in 0..<8 {
            let seen = try await tenants.report("statements")
            #expect(seen.status == 200)
            #expect(!seen.text.contains("canary"), "\(seen.text)")
        }
        try await tenants.close()
    }

    /// Functions and operators in public that match better than PostgreSQL's own, which take any array or any type.
    private static let traps = """
        do $traps$
        declare
            item text;
            signature text;
        begin
            foreach item in array array['text', 'uuid', 'bigint', 'integer', 'bytea', 'timestamptz', 'jsonb'] loop
                foreach signature in array array[
                    'unnest(%1$s[]) returns setof %1$s', 'cardinality(%1$s[]) returns integer',
                    'array_length(%1$s[], integer) returns integer', 'array_position(%1$s[], %1$s) returns integer',
                    'array_to_string(%1$s[], text) returns text', 'array_append(%1$s[], %1$s) returns %1$s[]',
                    'to_jsonb(%1$s) returns jsonb', 'joined(text, %1$s) returns text',
                    'equal(%1$s[], %1$s[]) returns boolean'
                ] loop
                    execute format(
                        'create function public.' || signature
                            || ' language plpgsql as $$ begin raise exception ''a trap''; end $$', item);
                end loop;
                if item <> 'text' then
                    execute format(
                        'create operator public.|| (leftarg = text, rightarg = %1$s, function = public.joined)', item);
                end if;
                execute format(
                    'create operator public.= (leftarg = %1$s[], rightarg = %1$s[], function = public.equal)', item);
            end loop;
        end
        $traps$
        """

    @Test func `no session calls what others have put into public`() async throws {
        let tenants = try await Tenants(reports: [
            "own": "select array_to_string(array['a', 'b'], '-') || 1 as x", "short": "select x from bait",
            "full": "select x from public.bait",
        ])
        let conninfo = tenants.shop.conninfo
        try await TestCluster.script(
            "create table public.bait as select 'bait' as x; grant select on public.bait to public", on: conninfo)
        // As long as nobody else may create there, public is in the search path of own reports.
        for name in ["short", "full"] {
            #expect(try await tenants.report(name).text.contains("\"bait\""), "\(name)")
        }
        let creator = "creator_\(UUID().uuidString.prefix(8).lowercased())"
        try await TestCluster.script(
            "create role \(creator) nologin; grant create on schema public to \(creator)", on: conninfo)
        try await TestCluster.script(Self.traps, on: conninfo)
        // They work in a session with the server's search path.
        await #expect(throws: PostgresError.self) {
            try await TestCluster.script("select array_to_string(array['a'], '-')", on: conninfo)
        }
        let event = EventJSON.event(["kind": "opened", "campaign_id": "c", "action_id": "a"])
        let response = try await tenants.client.post(
            "/v1/events", EventJSON.body([event]), key: tenants.shop.ingestKey)
        #expect(response.status == 200, "\(response.text)")
        try await tenants.shop.rollUp()
        for name in ["conversion", "actions", "timeseries", "funnel", "experiment", "overview", "fatigue"] {
            let report = try await tenants.report(name)
            #expect(report.status == 200, "\(name): \(report.text)")
        }
        let own = try await tenants.report("own")
        #expect(own.text.contains("\"a-b1\""), "\(own.text)")
        #expect(try await tenants.report("short").text.contains("does not exist"))
        #expect(try await tenants.report("full").text.contains("\"bait\""))
        for arguments in [
            ["rollup", "verify"], ["rollup", "rebuild"], ["apps", "list"], ["keys", "list"], ["migrate"],
            ["erase", "d1", "--app", "shop"], ["report", "conversion", "--app", "shop"],
            ["export", "events", "--app", "shop"],
        ] {
            let output = try await Program.run(arguments + ["--database-url", conninfo])
            #expect(output.status == 0, "\(arguments): \(output)")
        }
        let doctor = try await Program.run(["doctor", "--database-url", conninfo]).output
        #expect(doctor.contains("\(creator) can create in schema public"), "\(doctor)")
        #expect(!doctor.contains("not checked:"), "\(doctor)")
        let login = try await tenants.connect()
        #expect(try await login.query("select array_to_string(array['a', 'b'], '-')")[0].text(0) == "a-b")
        await login.close()
        try await TestCluster.script("drop owned by \(creator); drop role \(creator)", on: conninfo)
        try await tenants.close()
    }

    /// Statements of a login that has turned off what are only defaults.
    private static let refused = [
        "alter function afterpush.run_report(text, integer, bigint, bigint) security invoker",
        "alter function afterpush.run_report(text, integer, bigint, bigint) set search_path = public",
        "drop function afterpush.run_report(text, integer, bigint, bigint)", "set role afterpush_confined",
        "insert into afterpush.report_logins values ('x', 1, 1)", "select afterpush.open_report(2)",
        "select afterpush.end_report_sessions('0 s')", "select pg_advisory_lock(1)",
        "select pg_try_advisory_lock_shared(1)", "select lo_from_bytea(0, 'x')",
        "select pg_logical_emit_message(false, 'x', 'x')", "select pg_export_snapshot()",
        "create temporary table x ()", "create table public.x ()", "do $$ begin end $$",
        "lock table afterpush.events in row share mode", "set temp_file_limit = -1", "set log_min_messages = 'info'",
    ]

    @Test func `a login can change no function, and lock and write nothing`() async throws {
        let app = try await TestApp()
        let (name, conninfo) = try await app.makeReportLogin()
        let login = try await Connection.open(PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        try await login.execute("set default_transaction_read_only = off")
        for sql in Self.refused {
            // `lock table` needs a transaction.
            try await login.execute("begin")
            let error = await #expect(throws: PostgresError.self, "\(sql)") { try await login.execute(sql) }
            #expect(error?.sqlState == "42501", "\(sql): \(String(describing: error))")
            try await login.execute("rollback")
        }
        let limits = "select current_setting('temp_file_limit') || ' ' || current_setting('log_min_messages')"
        #expect(try await login.query(limits, format: .text)[0].text(0) == "1GB fatal")
        await login.close()
        try await TestCluster.script("drop role \(name)", on: app.conninfo)
    }

    @Test func `a report can't take locks that aren't of tables, or write`() async throws {
        let tenants = try await Tenants(reports: [
            "locks": "select count(pg_try_advisory_lock(g))::text as x from generate_series(1, 12800) as g",
            "log": "select count(pg_logical_emit_message(false, 'x', repeat('x', 1000)))::text as x",
            "object": "select lo_from_bytea(0, 'x')::text as x",
            "snapshot": "select pg_export_snapshot() as x",
            "disk": "select current_setting('temp_file_limit') as x",
            "unlimited": "select set_config('temp_file_limit', '-1', true) as x",
            "verbose": "select current_setting('log_min_messages') as x",
        ])
        for name in ["locks", "log", "object", "snapshot", "unlimited"] {
            let response = try await tenants.report(name)
            #expect(response.status == 500 && response.text.contains("permission denied"), "\(name): \(response.text)")
        }
        #expect(try await tenants.report("disk").text.contains("\"4GB\""))
        #expect(try await tenants.report("verbose").text.contains("\"fatal\""))
        try await tenants.close()
    }

    @Test func `a session of a login that holds a transaction too long is ended`() async throws {
        let tenants = try await Tenants()
        let database = tenants.shop.database
        let holding = try await tenants.connect()
        let idle = try await tenants.connect()
        try await holding.execute("set statement_timeout = 0")
        try await holding.execute("set idle_in_transaction_session_timeout = 0")
        try await holding.execute("begin")
        try await holding.execute("lock table afterpush.events in access share mode")
        let patient = ReportSessionWorker(pool: database.worker, logger: TestCluster.logger)
        #expect(try await patient.endOldSessions() == [])
        let worker = ReportSessionWorker(
            pool: database.worker, maximumAge: .milliseconds(50), logger: TestCluster.logger)
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await worker.endOldSessions() == [tenants.login])
        await #expect(throws: PostgresError.self) { try await holding.query("select 1") }
        #expect(try await idle.query("select 1", format: .text)[0].text(0) == "1")
        await holding.close()
        await idle.close()
        try await tenants.close()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a login that logs in again to write again is ended within a fraction of a second`() async throws {
        let tenants = try await Tenants()
        var times: [Duration] = []
        for _ in 0..<6 {
            let login = try await tenants.connect()
            try await login.execute("set default_transaction_read_only = off")
            try await login.execute("begin")
            let start = ContinuousClock.now
            try await login.execute("alter role \(tenants.login) set work_mem = '1MB'")
            await #expect(throws: PostgresError.self) { try await login.query("select pg_sleep(20)") }
            times.append(ContinuousClock.now - start)
            await login.close()
        }
        // The first one begins at any time of the collector's usual round, and each other one right after a round.
        #expect(times.dropFirst().sorted()[2] < .milliseconds(500), "\(times)")
        try await tenants.close()
    }

    @Test func `role.sql makes no login that could lock everybody out, unless that is allowed`() async throws {
        let app = try await TestApp()
        let login = "grafana_\(UUID().uuidString.prefix(8).lowercased())"
        try await TestCluster.script("alter event trigger afterpush_refuse_commands disable", on: app.conninfo)
        func run(_ options: String...) async throws -> Program.Output {
            let script = Program.root.appending(path: "dashboards/grafana/role.sql").path
            let arguments = ["-X", "-q", "-d", app.conninfo, "-v", "app=\(app.app.name)", "-v", "login=\(login)"]
            return try await Program.run(
                arguments + options + ["-f", script], program: URL(filePath: "/usr/bin/psql"),
                environment: ["AFTERPUSH_GRAFANA_PASSWORD": "x"])
        }
        let refused = try await run()
        #expect(refused.status != 0)
        for words in ["could lock everybody out", "sql/restrict_public.sql", "allow_lockouts=yes"] {
            #expect(refused.error.contains(words), "\(refused.error)")
        }
        let count = "select count(*) from pg_roles where rolname = '\(login)'"
        #expect(try await app.value(count) == "0")
        let allowed = try await run("-v", "allow_lockouts=yes")
        #expect(allowed.status == 0, "\(allowed.error)")
        #expect(try await app.value(count) == "1")
        try await TestCluster.script("drop role \(login)", on: app.conninfo)
    }

    @Test func `role.sql refuses a login that may do more than read reports`() async throws {
        let app = try await TestApp()
        let login = try await app.makeReportLogin()
        try await TestCluster.script("alter role \(login.name) createrole", on: app.conninfo)
        let script = Program.root.appending(path: "dashboards/grafana/role.sql").path
        let output = try await Program.run(
            ["-X", "-q", "-d", app.conninfo, "-v", "app=shop", "-v", "login=\(login.name)", "-f", script],
            program: URL(filePath: "/usr/bin/psql"), environment: ["AFTERPUSH_GRAFANA_PASSWORD": "x"])
        #expect(output.status != 0)
        #expect(output.error.contains("may do more than read reports"), "\(output.error)")
        try await TestCluster.script("drop role \(login.name)", on: app.conninfo)
    }
}
