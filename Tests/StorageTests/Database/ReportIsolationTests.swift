import AfterpushWire
import Events
import Foundation
import Ingest
import Postgres
import Storage
import TestSupport
import Testing

/// Enumerates what a dashboard's login can reach. Own reports reach no more: their role is a member of the same role.
///
/// What is new and shows more than the rows of one app fails, unless `HarmlessToReports` says why that does no harm.
@Suite struct ReportIsolationTests {
    /// A word that is in every text of the other app.
    private static let canary = "canary"

    /// A database with two apps, and a connection of the login of one.
    private func withLogin(_ body: (TestApp, Connection) async throws -> Void) async throws {
        let app = try await TestApp()
        let other = try await TestApp(named: "\(Self.canary) app", conninfo: app.conninfo)
        for (app, word) in [(app, "plain"), (other, Self.canary)] {
            try await declare(word, in: app)
            try await store(word, in: app)
        }
        try await app.rollUp()
        try await app.superuserValue("analyze")
        let (name, conninfo) = try await app.makeReportLogin()
        let login = try await Connection.open(PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        try await body(app, login)
        await login.close()
        try await TestCluster.script("drop role \(name)", on: app.conninfo)
    }

    /// Stores events of each kind of table, all of whose texts contain a word, and one that is rejected.
    private func store(_ word: String, in app: TestApp) async throws {
        let names = [
            "campaign_id": "\(word) campaign", "category_id": "\(word) category", "variant": "\(word) variant",
            "app_version": "\(word) version", "notification_id": "\(word) notification",
        ]
        let events = (0..<40).map { number in
            let kinds: [[String: String]] = [
                ["kind": "sent"], ["kind": "delivered"], ["kind": "action", "action_identifier": "\(word) action"],
                ["kind": "text_input", "action_identifier": "\(word) action", "user_text": "\(word) text"],
                ["kind": "app_opened"],
            ]
            let own = ["device_id": "\(word) device \(number / 5)"]
            return EventJSON.event(names.merging(own) { $1 }.merging(kinds[number % 5]) { $1 })
        }
        let refused = EventJSON.event(["kind": "\(word) kind"])
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        let submission = try Submission.read(Array(try EventJSON.body(events + [refused])), as: .json)
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        let outcomes = try await sink.store(EventGroup([PendingSubmission(submission, context)]))
        #expect(outcomes[0].accepted == 40)
    }

    /// Declares a campaign and a category, all of whose texts contain a word.
    private func declare(_ word: String, in app: TestApp) async throws {
        try await TestCluster.script(
            """
            insert into afterpush.campaigns (app_id, campaign_id, name)
            values (\(app.app.id), '\(word) campaign', '\(word) name');
            insert into afterpush.categories (app_id, category_id, version, effective_from)
            values (\(app.app.id), '\(word) category', 1, now());
            insert into afterpush.actions (app_id, category_id, version, action_id, position, title, text_input)
            values (\(app.app.id), '\(word) category', 1, '\(word) action', 1, '\(word) title', true)
            """, on: app.conninfo)
    }

    /// The relations that a role can read, each with the columns that it can read.
    private static func relations(readableBy role: String) -> String {
        """
        select c.oid::regclass::text as relation, n.nspname = 'afterpush' as is_own,
            string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
            coalesce(bool_or(a.attname = 'app_id'), false) as has_app
        from pg_class as c
        join pg_namespace as n on n.oid = c.relnamespace
        join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relkind in ('r', 'p', 'v', 'm', 'f')
          and has_schema_privilege('\(role)', n.oid, 'usage')
          and has_column_privilege('\(role)', c.oid, a.attnum, 'select')
        group by c.oid, n.nspname
        order by 1
        """
    }

    @Test func `no relation shows a login a row of another app`() async throws {
        try await withLogin { app, login in
            let relations = try await login.query(Self.relations(readableBy: "afterpush_report"))
            #expect(relations.count > 200)
            for row in relations {
                let (relation, isOwn, columns, hasApp) = try row.decode(String.self, Bool.self, String.self, Bool.self)
                let name = relation.replacing("afterpush.", with: "")
                let isHarmless = try HarmlessToReports.reason(name, in: HarmlessToReports.relations) != nil
                #expect(hasApp && isOwn || isHarmless, "\(relation) has no entry in HarmlessToReports")
                if hasApp {
                    let others = "select count(*) from \(relation) where app_id <> \(app.app.id)"
                    #expect(try await login.query(others, format: .text)[0].text(0) == "0", "\(relation)")
                }
                // Not written out, because the login sees its own statement.
                let found = """
                    select count(*) from (select \(columns) from \(relation)) as r where r::text like '%cana' || 'ry%'
                    """
                #expect(try await login.query(found, format: .text)[0].text(0) == "0", "\(relation)")
            }
        }
    }

    @Test func `the search for rows of another app would find them`() async throws {
        try await withLogin { app, _ in
            let owned = """
                select string_agg(relname, ' ') from pg_class
                where relnamespace = 'afterpush'::regnamespace and relkind in ('r', 'p') and not relispartition
                """
            var found: [String] = []
            for table in try await app.superuserValue(owned)?.split(separator: " ").map(String.init) ?? [] {
                let rows = try await app.superuserValue(
                    "select count(*) from afterpush.\(table) as r where r::text like '%canary%'")
                if rows != "0" { found.append(table) }
            }
            let tables = [
                "apps", "events", "deliveries", "replies", "rejected_events", "rollup_action_counts", "campaigns",
            ]
            for table in tables {
                #expect(found.contains(table), "\(found)")
            }
            let samples = "select count(*) from pg_stats where most_common_vals::text like '%canary%'"
            #expect(try await app.superuserValue(samples) != "0")
        }
    }

    @Test func `the planner's estimates tell a login nothing about the order or the beginnings of texts`() async throws
    {
        try await withLogin { app, login in
            let columns = try await login.query(
                """
                select attrelid::regclass::text, quote_ident(attname)
                from pg_attribute
                join pg_class as c on c.oid = attrelid
                where c.relnamespace = 'afterpush'::regnamespace
                  and c.relkind in ('r', 'p', 'v', 'm')
                  and attnum > 0
                  -- A constant for each part of a view, whose comparison the planner carries out.
                  and not (c.relkind = 'v' and attname = 'source')
                  and atttypid in ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype, 'name'::regtype)
                  and has_column_privilege(attrelid, attnum, 'select')
                """)
            #expect(columns.count > 100)
            for row in columns {
                let (relation, column) = try row.decode(String.self, String.self)
                let name = relation.replacing("afterpush.", with: "")
                if try HarmlessToReports.reason(name, in: HarmlessToReports.relations) != nil { continue }
                // What differs within a pair would tell where the texts are.
                for pair in [
                    ["< 'a'", "< 'canary d'"], ["> 'canary t'", ">= 'z'"], ["~<~ 'a'", "~<=~ 'd'"],
                    ["^@ 'canary'", "^@ 'zebras'"], ["like 'canary%'", "like 'zebras%'"],
                    ["~ '^canary'", "~ '^zebras'"],
                ] {
                    var estimates: Set<Substring> = []
                    for condition in pair {
                        // An `or` with another relation's column is estimated without rounding to whole rows first.
                        let plan = try await login.query(
                            """
                            explain select from \(relation), generate_series(1, 1000000) as g
                            where (\(column)::text \(condition)) or g < 0
                            """, format: .text)
                        estimates.insert(try #require(plan[0].text(0)?.firstMatch(of: /rows=(\d+)/)?.output.1))
                    }
                    #expect(estimates.count == 1, "\(relation).\(column) \(pair): \(estimates)")
                }
            }
            let samples = """
                select count(*) from pg_stats
                where schemaname = 'afterpush' and attname = 'user_text'
                   or tablename = 'rejected_events' and attname in ('event', 'detail')
                """
            #expect(try await app.superuserValue(samples) == "0")
        }
    }

    @Test func `a login can't read secrets and can't write`() async throws {
        let app = try await TestApp()
        let closed = try await app.value(
            """
            select string_agg(relname, ' ' order by relname)
            from pg_class
            where relnamespace = 'afterpush'::regnamespace
              and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
              and not has_table_privilege('afterpush_report', oid, 'select')
              and not has_any_column_privilege('afterpush_report', oid, 'select')
              and relname in ('report_logins', 'report_secret', 'api_keys', 'receipt_secrets', 'suppression_keys')
            """)
        #expect(closed == "api_keys receipt_secrets report_logins report_secret suppression_keys")
        let writable = try await app.value(
            """
            select string_agg(oid::regclass::text, ' ')
            from pg_class
            where case relkind
                when 'S' then has_sequence_privilege('afterpush_report', oid, 'usage, update')
                when 'i' then false
                else has_table_privilege('afterpush_report', oid, 'insert, update, delete, truncate, references, trigger')
                    or has_any_column_privilege('afterpush_report', oid, 'insert, update, references')
            end
            """)
        // Hence `lock table` locks in no mode but access share; `prepare` locks as if the login could write.
        #expect(writable == nil || writable == "pg_settings", "\(writable ?? "")")
        let roles = try await app.value(
            """
            select string_agg(r.rolname, ' ')
            from pg_roles as r
            where pg_has_role('afterpush_confined', r.oid, 'member')
              and r.rolname not in ('afterpush_confined', 'afterpush_report')
            """)
        #expect(roles == nil, "own reports run with the rights of no other role")
        let owned = try await app.value(
            """
            select string_agg(pg_describe_object(classid, objid, objsubid), ' ')
            from pg_shdepend
            where refobjid = 'afterpush_report'::regrole and deptype = 'o'
            """)
        #expect(owned == nil)
    }

    /// Commands of a login that would make everybody wait if PostgreSQL began them.
    private static let commands = [
        "create rule r as on insert to afterpush.events do instead nothing",
        "create rule r as on insert to pg_authid do instead nothing",
        "create trigger t before insert on afterpush.events execute function suppress_redundant_updates_trigger()",
        "comment on table afterpush.events is 'x'", "create statistics s on kind, app_id from afterpush.events",
        "create index on afterpush.events (kind)", "create policy p on afterpush.events",
        "alter table afterpush.events add x integer", "drop table afterpush.events", "truncate afterpush.events",
        "lock table afterpush.events", "lock table pg_authid in share mode", "cluster afterpush.events",
        "reindex table pg_authid", "copy afterpush.suppressed_devices from stdin",
    ]

    @Test func `a command of a login is refused before it waits for a lock`() async throws {
        try await withLogin { app, login in
            try await login.execute("set default_transaction_read_only = off")
            try await login.execute("begin")
            try await login.execute("prepare p as select * from afterpush.events, pg_authid")
            try await login.execute("prepare q as delete from afterpush.suppressed_devices")
            let name = try #require(try await login.query("select session_user::text", format: .text)[0].text(0))
            let other = try await Connection.open(
                PostgresConfiguration(conninfo: app.conninfo.replacing(/user='?[a-z_]+'?/, with: "user=\(name)")),
                logger: TestCluster.logger)
            try await other.execute("set default_transaction_read_only = off")
            try await other.execute("set lock_timeout = '1s'")
            for sql in Self.commands {
                try await other.execute("begin")
                let error = await #expect(throws: PostgresError.self, "\(sql)") { try await other.execute(sql) }
                #expect(error?.sqlState == "42501", "\(sql): \(String(describing: error))")
                try await other.execute("rollback")
            }
            await other.close()
        }
    }

    @Test func `a login that waits for a lock of owners loses all its sessions, and ingest goes on`() async throws {
        try await withLogin { app, login in
            let (name, configuration) = try await self.configuration(of: login, in: app)
            let worker = ReportSessionWorker(pool: app.database.logins, logger: TestCluster.logger)
            let holding = try await Connection.open(configuration, logger: TestCluster.logger)
            let waiting = try await Connection.open(configuration, logger: TestCluster.logger)
            try await waiting.execute("set default_transaction_read_only = off")
            try await holding.execute("begin")
            _ = try await holding.query("select count(*) from afterpush.events")
            // `login` holds and waits for nothing, but is a session of the same login.
            #expect(try await worker.endOldSessions() == [])
            // PostgreSQL asks for the lock first. Once `holding` has ended, it may get it before its session is ended, and
            // find that it may not vacuum.
            let outcome = Task { try await waiting.execute("vacuum full afterpush.events") }
            var ended: [String] = []
            for _ in 0..<100 where ended.isEmpty {
                ended = try await worker.endOldSessions()
                if ended.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
            }
            #expect(ended.count >= 2 && Set(ended) == [name], "\(ended)")
            _ = await outcome.result
            await #expect(throws: PostgresError.self) { try await waiting.execute("select 1") }
            await #expect(throws: PostgresError.self) { try await holding.execute("select 1") }
            await holding.close()
            await waiting.close()
            try await store("later", in: app)
        }
    }

    @Test func `a login can't shut others out of the database, also while no collector is connected`() async throws {
        try await withLogin { app, login in
            let (name, configuration) = try await self.configuration(of: login, in: app)
            let database = try #require(try await app.superuserValue("select current_database()"))
            let holding = try await Connection.open(configuration, logger: TestCluster.logger)
            let waiting = try await Connection.open(configuration, logger: TestCluster.logger)
            for session in [holding, waiting] {
                try await session.execute("set default_transaction_read_only = off")
                try await session.execute("set statement_timeout = 0")
                try await session.execute("set lock_timeout = 0")
            }
            try await holding.execute("begin")
            try await holding.execute("alter role \(name) in database \(database) set work_mem = '1MB'")
            let outcome = Task { try await waiting.execute("drop database \(database)") }
            var own = PostgresConfiguration(conninfo: app.conninfo)
            own.connectTimeout = .seconds(2)
            var isShutOut = false
            for _ in 0..<50 where !isShutOut {
                do {
                    await (try Connection.open(own, logger: TestCluster.logger)).close()
                    try await Task.sleep(for: .milliseconds(50))
                } catch { isShutOut = true }
            }
            #expect(isShutOut)
            // The session of another login is not ended.
            let other = try await TestApp(named: "other")
            let (otherName, otherConninfo) = try await other.makeReportLogin()
            let innocent = try await Connection.open(
                PostgresConfiguration(conninfo: otherConninfo), logger: TestCluster.logger)
            own.connectTimeout = .seconds(20)
            let rescue = ConnectionRescue(conninfo: app.conninfo, logger: TestCluster.logger)
            let connection = try await rescue.during { [own] in
                try await Connection.open(own, logger: TestCluster.logger)
            }
            await connection.close()
            _ = await outcome.result
            await #expect(throws: PostgresError.self) { try await holding.execute("select 1") }
            try await innocent.execute("select 1")
            for session in [holding, waiting, innocent] { await session.close() }
            try await other.superuserValue("drop role \(otherName)")
        }
    }

    @Test func `a login whose transaction writes loses all its sessions`() async throws {
        try await withLogin { app, login in
            let (name, configuration) = try await self.configuration(of: login, in: app)
            let database = try #require(try await app.superuserValue("select current_database()"))
            let worker = ReportSessionWorker(pool: app.database.logins, logger: TestCluster.logger)
            // The second one also holds a lock for which `alter database` would wait.
            for change in ["alter role \(name)", "alter role \(name) in database \(database)"] {
                let writing = try await Connection.open(configuration, logger: TestCluster.logger)
                try await writing.execute("set default_transaction_read_only = off")
                try await writing.execute("begin")
                try await writing.execute("savepoint s")
                #expect(try await worker.endOldSessions() == [])
                try await writing.execute("\(change) set work_mem = '5MB'")
                let ended = try await worker.endOldSessions()
                #expect(!ended.isEmpty && Set(ended) == [name], "\(change): \(ended)")
                await #expect(throws: PostgresError.self, "\(change)") { try await writing.execute("commit") }
                await writing.close()
            }
        }
    }

    private func configuration(
        of login: Connection, in app: TestApp
    ) async throws -> (name: String, configuration: PostgresConfiguration) {
        let name = try #require(try await login.query("select session_user::text", format: .text)[0].text(0))
        let conninfo = app.conninfo.replacing(/user='?[a-z_]+'?/, with: "user=\(name)")
        return (name, PostgresConfiguration(conninfo: conninfo))
    }

    @Test func `every function that a login can execute has the rights of the login, or is harmless`() async throws {
        let app = try await TestApp()
        let definers = try await app.value(
            """
            select string_agg(p.oid::regproc::text, ' ' order by p.proname)
            from pg_proc as p
            where p.prosecdef and has_function_privilege('afterpush_report', p.oid, 'execute')
              and has_schema_privilege('afterpush_report', p.pronamespace, 'usage')
            """)
        // They return the number of the login's app, and run a statement with fewer rights than the login has.
        #expect(definers == "afterpush.report_app afterpush.run_report")
        let volatile = try await app.database.owner.withConnection { connection in
            try await connection.query(
                """
                select distinct n.nspname || '.' || p.proname
                from pg_proc as p
                join pg_namespace as n on n.oid = p.pronamespace
                where p.provolatile = 'v' and n.nspname <> 'afterpush'
                  and has_function_privilege('afterpush_report', p.oid, 'execute')
                  and has_schema_privilege('afterpush_report', n.oid, 'usage')
                """
            ).map { try $0.decode(String.self, column: 0) }
        }
        // The others are declared to change nothing, and what they read is in the relations.
        for name in volatile {
            let function = name.replacing("pg_catalog.", with: "")
            let reason = try HarmlessToReports.reason(function, in: HarmlessToReports.functions)
            #expect(reason != nil, "\(name) has no entry in HarmlessToReports")
        }
    }

    @Test func `every setting that a login can change is its own, and none holds a secret`() async throws {
        let app = try await TestApp()
        let settings = try await app.database.owner.withConnection { connection in
            try await connection.query(
                """
                select category, name
                from pg_settings
                where context = 'user' and name !~ '\\.'
                   or has_parameter_privilege('afterpush_report', name, 'set') and context = 'superuser'
                """
            ).map { try $0.decode(String.self, String.self) }
        }
        #expect(settings.count > 100)
        for (category, name) in settings {
            let reason =
                try HarmlessToReports.reason(name, in: HarmlessToReports.settings)
                ?? HarmlessToReports.reason(category, in: HarmlessToReports.settingCategories)
            #expect(reason != nil, "\(category): \(name) has no entry in HarmlessToReports")
        }
        let login = try await app.makeReportLogin()
        let names = try await app.value(
            """
            select string_agg(split_part(setting, '=', 1), ' ' order by setting)
            from pg_db_role_setting as s, unnest(setconfig) as setting
            where s.setrole = '\(login.name)'::regrole
            """)
        let expected = """
            TimeZone default_transaction_read_only jit log_min_messages search_path statement_timeout temp_file_limit
            """
        #expect(Set(names?.split(separator: " ") ?? []) == Set(expected.split(separator: " ")))
        try await TestCluster.script("drop role \(login.name)", on: app.conninfo)
    }
}
