import Foundation
import LocalPostgres
import Logging
import Postgres
import Storage
import TestSupport
import Testing

/// Tests `afterpush doctor` without faults and with the fault that each check detects.
@Suite(.serialized) struct DoctorTests {
    private struct Diagnosis {
        let status: Int32
        let error: String
        /// The level, result and advice of each check.
        let findings: [String: (level: String, finding: String, advice: String?)]
    }

    /// Runs the command, by default with a port where no collector listens.
    private func doctor(
        _ conninfo: String, _ arguments: [String] = [], environment: [String: String] = ["AFTERPUSH_PORT": "1"]
    ) async throws -> Diagnosis {
        let output = try await Program.run(
            ["doctor", "--format", "json", "--database-url", conninfo, "--data-dir", "/tmp"] + arguments,
            environment: environment)
        let object = try JSONSerialization.jsonObject(with: Data(output.output.utf8)) as? [String: Any]
        let list = try #require(object?["findings"] as? [[String: Any]], "\(output.output) \(output.error)")
        var findings: [String: (level: String, finding: String, advice: String?)] = [:]
        for finding in list {
            let check = try #require(finding["check"] as? String)
            findings[check] = (
                finding["level"] as? String ?? "", finding["finding"] as? String ?? "", finding["advice"] as? String
            )
        }
        return Diagnosis(status: output.status, error: output.error, findings: findings)
    }

    /// Changes a new database, and expects a level, an advice and certain words from a check.
    private func expect(
        _ check: String, _ level: String, naming words: String, after script: String, also other: String? = nil
    ) async throws {
        let conninfo = try await TestCluster.database()
        try await TestCluster.script(script, on: conninfo)
        let diagnosis = try await doctor(conninfo)
        let finding = try #require(diagnosis.findings[check])
        #expect(finding.level == level, "\(finding)")
        #expect(finding.finding.contains(words), "\(finding)")
        #expect(finding.advice != nil)
        let others = diagnosis.findings.filter { $0.key != check && $0.value.level != "ok" }.keys
        // A temporary cluster is not durable, and PostgreSQL and the disk are those of the machine.
        #expect(Set(others).isSubset(of: ["durability", "disk", "version"] + [other].compactMap(\.self)), "\(others)")
    }

    @Test func `a healthy database and collector pass all checks, and the exit code is 0`() async throws {
        // A durable cluster, because a temporary one does not flush to disk.
        let cluster = try await TestCluster.open(throwaway: false)
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: cluster.conninfo), logger: TestCluster.logger)
        _ = try await Migrator().run(on: connection)
        await connection.close()
        let app = try await TestApp(conninfo: cluster.conninfo)
        _ = try await app.makeReportLogin()
        let collector = try await CollectorProcess(conninfo: cluster.conninfo)
        let diagnosis = try await doctor(cluster.conninfo)
        let others = diagnosis.findings.filter { $0.value.level != "ok" }.keys
        #expect(Set(others).isSubset(of: ["disk", "version"]), "\(diagnosis)")
        #expect(diagnosis.status == 0)
        #expect(diagnosis.findings.values.allSatisfy { $0.level != "ok" || $0.advice == nil })
        #expect(
            Set(diagnosis.findings.keys) == [
                "database", "version", "writable", "clock", "durability", "connections", "roles", "migrations",
                "report_limits", "report_logins", "search_path", "transactions", "worker", "rollups", "partitions",
                "default_partition", "disk", "reports", "unit", "http", "proxies",
            ])
        let table = try await Program.run(
            ["doctor", "--database-url", cluster.conninfo, "--data-dir", cluster.directory])
        #expect(table.output.contains(/\nok    roles              all exist/), "\(table.output)")
        await collector.stop()
        await cluster.close()
        try? FileManager.default.removeItem(atPath: cluster.directory)
    }

    @Test func `a missing, edited or unknown migration is reported`() async throws {
        let last = "(select max(name) from afterpush.schema_migrations)"
        try await expect(
            "migrations", "fail", naming: "1 not applied: V00",
            after: "delete from afterpush.schema_migrations where name = \(last)")
        try await expect(
            "migrations", "fail", naming: "different text of schema file V0002_types",
            after: "update afterpush.schema_migrations set checksum = '\\x00' where name = 'V0002_types'")
        try await expect(
            "migrations", "fail", naming: "V9999_future",
            after: "insert into afterpush.schema_migrations (name, checksum) values ('V9999_future', '\\x00')")
    }

    @Test func `a month without a partition and events in the default partition are reported`() async throws {
        let drop = """
            do $$
            begin
                execute 'drop table afterpush.events_' || to_char(now() at time zone 'UTC' + interval '%', 'YYYY_MM');
            end
            $$
            """
        try await expect(
            "partitions", "fail", naming: "the current month", after: drop.replacing("%", with: "0 months"))
        try await expect("partitions", "warn", naming: "2 months", after: drop.replacing("%", with: "2 months"))
        let stray = """
            insert into afterpush.events_default
                (delivery_id, event_id, device_time, occurred_at, batch_id, app_id, kind, verified, device_id)
            values (gen_random_uuid(), gen_random_uuid(), now() - interval '%', now(), 1, 1, 'opened', false, 'd')
            """
        let conninfo = try await TestCluster.database()
        try await TestCluster.script(
            drop.replacing("%", with: "0 months") + ";" + stray.replacing("%", with: "1 second") + ";"
                + stray.replacing("%", with: "20 years"), on: conninfo)
        let found = try await doctor(conninfo).findings["default_partition"]
        #expect(found?.level == "warn")
        #expect(found?.finding.hasPrefix("1 events of months") == true)
        // The advice solves the problem, and a wrong device clock is no error.
        let migrate = try await Program.run(["migrate", "--database-url", conninfo])
        #expect(migrate.status == 0)
        let after = try await doctor(conninfo).findings
        #expect(after["partitions"]?.level == "ok")
        #expect(after["default_partition"]?.finding == "1 events of devices whose clocks are far off")
        #expect(after["default_partition"]?.level == "ok")
        // Months that are sealed get no partition any more.
        try await TestCluster.script(
            "update afterpush.rollup_worker set sealed_before = now() + interval '40 days';"
                + drop.replacing("%", with: "0 months") + ";" + stray.replacing("%", with: "1 second"), on: conninfo)
        let sealed = try await doctor(conninfo).findings["default_partition"]
        #expect(sealed?.level == "ok")
        #expect(sealed?.finding.contains("1 events that retention left of sealed months") == true)
    }

    @Test func `waiting batches are reported with the age of the oldest`() async throws {
        func batch(_ age: String) -> String {
            """
            insert into afterpush.apps (name) values ('late');
            insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected)
            select 1, app_id, now() - interval '\(age)', 7, 0, 0, 0 from afterpush.apps
            """
        }
        try await expect("rollups", "warn", naming: "1 batches with 7 events", after: batch("2 minutes"))
        try await expect("rollups", "fail", naming: "for 60 min", after: batch("1 hour"))
    }

    @Test func `a read-only server is reported`() async throws {
        try await expect(
            "writable", "fail", naming: "read-only",
            after: """
                do $$
                begin
                    execute format('alter database %I set default_transaction_read_only = on', current_database());
                end
                $$
                """)
    }

    @Test
    func
        `a login without a role is reported with the role, and the checks that need the role say that they were not made`()
        async throws
    {
        let conninfo = try await TestCluster.database()
        let login = "login_\(UUID().uuidString.prefix(8).lowercased())"
        try await TestCluster.script(
            """
            create role \(login) login;
            grant afterpush_owner, afterpush_ingest, afterpush_report, afterpush_confined to \(login);
            grant select on afterpush.schema_migrations, afterpush.installed_definitions to \(login)
            """,
            on: conninfo)
        let diagnosis = try await doctor(conninfo.replacing(/user=[a-z]+/, with: "user=\(login)"))
        #expect(diagnosis.status == 1)
        #expect(diagnosis.findings["roles"]?.finding == "the login is not a member of afterpush_worker")
        #expect(diagnosis.findings["rollups"]?.finding.hasPrefix("not checked: PostgreSQL 42501") == true)
        #expect(diagnosis.findings["migrations"]?.level == "ok")
        try await TestCluster.script(
            "drop owned by \(login); drop role \(login)",
            on: conninfo)
    }

    @Test func `a server that lets reports do more than read is reported`() async throws {
        try await expect(
            "report_limits", "warn", naming: "call 1 functions that lock or write, such as pg_advisory_lock",
            after: "grant execute on function pg_advisory_lock(bigint) to public")
        try await expect(
            "report_limits", "warn", naming: "create tables in schema public",
            after: "grant create on schema public to public", also: "search_path")
        try await expect(
            "search_path", "warn", naming: "every role can create in schema public",
            after: "grant create on schema public to public", also: "report_limits")
        try await expect(
            "report_limits", "warn", naming: "run blocks of PL/pgSQL",
            after: "grant usage on language plpgsql to public")
        try await expect(
            "report_limits", "warn", naming: "begin commands that lock tables",
            after: "alter event trigger afterpush_refuse_commands disable")
        try await expect(
            "report_limits", "warn", naming: "find names and devices of other apps in the planner's estimates",
            after: "alter function starts_with(text, text) leakproof")
    }

    /// A table with the columns of Citus's list that `doctor` reads takes the place of Citus, which Debian doesn't have.
    @Test func `tables that Citus distributes are reported, and those that it only knows are not`() async throws {
        let list = """
            set allow_system_table_mods = on;
            create table pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char");
            grant select on pg_catalog.pg_dist_partition to public;
            insert into pg_catalog.pg_dist_partition values ('afterpush.sends', 'n', 's');
            """
        let conninfo = try await TestCluster.database()
        #expect(try await doctor(conninfo).findings["citus"] == nil)
        try await TestCluster.script(list, on: conninfo)
        let known = try await doctor(conninfo).findings["citus"]
        #expect(known?.level == "ok" && known?.finding == "all tables are on this server alone")
        try await expect(
            "citus", "fail", naming: "it distributes apps, events, which is not supported: events and what",
            after: list + """
                insert into pg_catalog.pg_dist_partition values
                    ('afterpush.events', 'h', 's'), ('afterpush.events_default', 'h', 's'), ('afterpush.apps', 'n', 't')
                """)
    }

    @Test func `what to do about schemas of the search path can be pasted into psql, for each of them`() async throws {
        let conninfo = try await TestCluster.database()
        let role = "My \"own\" \(UUID().uuidString.prefix(8))"
        let name = "\"\(role.replacing("\"", with: "\"\""))\""
        try await TestCluster.script(
            """
            create role \(name);
            create schema "The app's";
            grant create on schema "The app's" to \(name);
            grant create on schema public to public;
            do $$
            begin
                execute format('alter database %I set search_path to "The app''s", public', current_database());
            end
            $$
            """, on: conninfo)
        let found = try #require(try await doctor(conninfo).findings["search_path"])
        let commands = #"revoke create on schema "The app's" from \#(name); revoke create on schema public from public"#
        #expect(found.advice == "take that right from them: \(commands); see docs/report-isolation.md", "\(found)")
        try await TestCluster.script(commands, on: conninfo)
        #expect(try await doctor(conninfo).findings["search_path"]?.level == "ok")
        try await TestCluster.script("drop role \(name)", on: conninfo)
    }

    @Test func `a report login that may do too much is reported`() async throws {
        let app = try await TestApp()
        let login = try await app.makeReportLogin().name
        try await TestCluster.script(
            "alter role \(login) connection limit -1; grant pg_read_all_data to \(login)", on: app.conninfo)
        let found = try #require(try await doctor(app.conninfo).findings["report_logins"])
        #expect(found.level == "fail")
        for words in ["\(login) is a member of pg_read_all_data", "\(login) can have any number of connections"] {
            #expect(found.finding.contains(words), "\(found)")
        }
        try await TestCluster.script(
            "revoke pg_read_all_data from \(login); alter role \(login) connection limit 10", on: app.conninfo)
        let database = try await app.value("select current_database()") ?? ""
        try await TestCluster.script(
            "grant select on afterpush.api_keys to \(login); grant temporary on database \(database) to \(login)",
            on: app.conninfo)
        let granted = try #require(try await doctor(app.conninfo).findings["report_logins"])
        #expect(granted.level == "fail")
        for words in ["has privileges of its own on table afterpush.api_keys", "can create schemas, or temporary"] {
            #expect(granted.finding.contains("\(login) \(words)"), "\(granted)")
        }
        try await TestCluster.script(
            "revoke select on afterpush.api_keys from \(login); revoke temporary on database \(database) from \(login)",
            on: app.conninfo)
        for (setting, words) in [
            ("statement_timeout", "has no statement_timeout"), ("log_min_messages", "can write lines of errors"),
            ("temp_file_limit", "has no limit on temporary files"), ("search_path", "looks for names in other schemas"),
        ] {
            try await TestCluster.script(
                "alter role \(login) set statement_timeout to '30s'; alter role \(login) set temp_file_limit to '1GB'; "
                    + "alter role \(login) set search_path to pg_catalog, pg_temp; "
                    + "alter role \(login) set log_min_messages to fatal; alter role \(login) reset \(setting)",
                on: app.conninfo)
            let less = try #require(try await doctor(app.conninfo).findings["report_logins"])
            #expect(less.level == "warn" && less.finding.contains("\(login) \(words)"), "\(less)")
            #expect(less.finding.contains("looks for names") == (setting == "search_path"), "\(less)")
            #expect(less.advice?.contains("run dashboards/grafana/role.sql again") == true)
        }
        // As role.sql of an unreleased version did it.
        try await TestCluster.script(
            """
            alter role \(login) set "afterpush.report_token" to 'x'
            """, on: app.conninfo)
        let old = try #require(try await doctor(app.conninfo).findings["report_logins"])
        #expect(old.level == "fail" && old.finding.contains("\(login) has a report token in its settings"), "\(old)")
        try await TestCluster.script(
            """
            alter role \(login) reset "afterpush.report_token";
            alter event trigger afterpush_refuse_commands disable
            """, on: app.conninfo)
        let unguarded = try #require(try await doctor(app.conninfo).findings["report_logins"])
        #expect(unguarded.level == "fail", "\(unguarded)")
        #expect(unguarded.finding.contains("\(login) can lock everybody out"), "\(unguarded)")
        try await TestCluster.script("drop role \(login)", on: app.conninfo)
    }

    @Test(arguments: [("rollup_worker", "running"), ("apps_merged_apart", "merging an app apart from the others")])
    func `a long transaction and the current rollup worker are reported`(table: String, doing: String) async throws {
        let conninfo = try await TestCluster.database()
        var configuration = PostgresConfiguration(conninfo: conninfo)
        configuration.applicationName = "forgotten"
        let session = try await Connection.open(configuration, logger: TestCluster.logger)
        try await session.script("begin; select from afterpush.\(table) for update")
        try await Task.sleep(for: .milliseconds(30))
        let findings = await DatabaseChecks(conninfo: conninfo, transactionLimit: 0.02, logger: TestCluster.logger)
            .findings(address: "here")
        let transactions = try #require(findings.first { $0.check == "transactions" })
        #expect(transactions.level == .warn)
        #expect(transactions.finding.contains("'forgotten'"))
        let worker = try #require(findings.first { $0.check == "worker" })
        #expect(worker.finding.hasPrefix("'forgotten', process "))
        #expect(worker.finding.contains(", has been \(doing) for "))
        await session.close()
    }

    @Test func `an unreachable database is a single result, and all other checks are made`() async throws {
        let diagnosis = try await doctor("postgres://someone:canary-secret@127.0.0.1:1/none")
        #expect(diagnosis.status == 1)
        #expect(Set(diagnosis.findings.keys) == ["database", "disk", "reports", "unit", "http", "proxies"])
        #expect(diagnosis.findings["database"]?.finding.contains("connection refused") == true, "\(diagnosis)")
        #expect(diagnosis.error.isEmpty, "\(diagnosis.error)")
        #expect(!"\(diagnosis)".contains("canary-secret"))
    }

    @Test func `nothing is created if the data directory has no cluster`() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        let output = try await Program.run(
            ["doctor", "--data-dir", directory], environment: ["AFTERPUSH_DATABASE_URL": "", "DATABASE_URL": ""])
        #expect(output.status == 1)
        #expect(output.output.hasPrefix("fail  database  there is no database URL, and no cluster in \(directory)\n"))
        #expect(output.output.contains("\n                -> give --database-url or --data-dir"))
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test func `an unreadable report is reported`() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try Data("select 1".utf8).write(to: URL(filePath: directory + "/mine.sql"))
        let diagnosis = try await doctor(try await TestCluster.database(), ["--reports", directory])
        #expect(diagnosis.findings["reports"]?.level == "fail")
        #expect(diagnosis.findings["reports"]?.finding.contains("mine") == true)
    }

    @Test func `a collector that others can reach without TLS is reported`() async throws {
        let conninfo = try await TestCluster.database()
        func http(_ environment: [String: String]) async throws -> (level: String, finding: String, advice: String?)? {
            try await doctor(conninfo, environment: environment.merging(["AFTERPUSH_PORT": "1"]) { $1 })
                .findings["http"]
        }
        let local = try #require(try await http([:]))
        #expect(local.level == "ok" && local.finding.contains("127.0.0.1:1, serves every host name"), "\(local)")
        let open = try #require(try await http(["AFTERPUSH_HOST": "0.0.0.0"]))
        #expect(open.level == "warn" && open.advice?.contains("AFTERPUSH_TLS_CERTIFICATE") == true, "\(open)")
        let proxied = ["AFTERPUSH_HOST": "::", "AFTERPUSH_HTTP_PROXIES": "10.0.0.1"]
        let listed = try #require(
            try await http(proxied.merging(["AFTERPUSH_HTTP_HOSTS": "push.example.com"]) { $1 }))
        #expect(listed.level == "ok" && listed.finding.contains("[::]:1, serves push.example.com"), "\(listed)")
    }

    @Test(arguments: [(9, "warn", "in 8 days"), (60, "ok", "valid until")])
    func `a TLS certificate is checked for its end`(days: Int, level: String, words: String) async throws {
        let certificate = TestCertificate()
        defer { certificate.remove() }
        try await certificate.make(days: days)
        let diagnosis = try await doctor(
            try await TestCluster.database(),
            environment: certificate.environment.merging(["AFTERPUSH_PORT": "1"]) { $1 })
        let finding = try #require(diagnosis.findings["certificate"])
        #expect(finding.level == level && finding.finding.contains(words), "\(finding)")
        #expect((finding.advice?.contains("SIGHUP") == true) == (level != "ok"), "\(finding)")
    }

    @Test func `a proxy that is not trusted is reported`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let environment = ["AFTERPUSH_PORT": "\(collector.port)"]
        let before = try #require(try await doctor(app.conninfo, environment: environment).findings["proxies"])
        #expect(before.level == "ok" && before.finding.contains("has seen none"), "\(before)")
        let headers = ["X-Forwarded-For": "1.2.3.4"]
        _ = try await TestClient(url: collector.url).get("/livez", key: nil, headers: headers)
        let after = try #require(try await doctor(app.conninfo, environment: environment).findings["proxies"])
        #expect(after.level == "warn" && after.advice?.contains("AFTERPUSH_HTTP_PROXIES") == true, "\(after)")
        await collector.stop()
        let none = try #require(try await doctor(app.conninfo, environment: environment).findings["proxies"])
        #expect(none.level == "ok" && none.finding.contains("no collector"), "\(none)")
    }

    @Test func `clock, disk and connection checks have their thresholds`() {
        let clocks = [(0.5, 0), (-1.9, 0), (3, 2), (2.5, 0), (-59, 0), (61, 0), (-3_600, 0)].map {
            DatabaseChecks.clock(difference: $0.0, within: Double($0.1)).level
        }
        #expect(clocks == [.ok, .ok, .ok, .warn, .warn, .fail, .fail])
        let disks = [10 << 30, 1 << 30, 100 << 20].map { DiskChecks.finding("/x", free: $0, of: 1 << 40).level }
        #expect(disks == [.ok, .warn, .fail])
        let connections = [(97, 26), (26, 24), (8, 2)].map {
            DatabaseChecks.connections(allowed: $0.0, open: $0.1).level
        }
        #expect(connections == [.ok, .warn, .fail])
        let versions: [Int32] = [
            140_024, 150_018, 150_019, 160_014, 160_015, 170_010, 170_011, 180_004, 180_006, 190_000,
        ]
        let levels = versions.map { DatabaseChecks.version($0, "").level }
        #expect(levels == [.fail, .warn, .ok, .warn, .ok, .warn, .ok, .warn, .ok, .ok])
        #expect(DatabaseChecks.version(150_018, "15.18").advice == "upgrade to 15.19 or newer")
        #expect(DatabaseChecks.version(180_004, "18.4").advice == "upgrade to 18.6 or newer")
    }
}
