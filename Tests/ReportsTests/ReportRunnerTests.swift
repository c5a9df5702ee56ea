import Foundation
import Logging
import Postgres
import Reports
import SQLFiles
import Testing

@Suite(.throwawayCluster) struct ReportRunnerTests {
    static let schema = """
        create schema afterpush;
        create function afterpush.as_of(app text) returns text language sql stable
            as $$ select case app when 'shop' then '2026-11-21T10:00:00Z' end $$;
        create table deliveries (app text, campaign_id text, day date, anchor timestamptz, opened boolean);
        insert into deliveries values
            ('shop', 'spring', '2026-11-01', '2026-11-01 10:00+00', true),
            ('shop', 'spring', '2026-11-02', '2026-11-02 10:00+00', false),
            ('shop', null, '2026-11-02', '2026-11-02 10:00+00', true),
            ('shop', 'it''s', '2026-10-02', '2026-10-02 10:00+00', true),
            ('other', 'spring', '2026-11-02', '2026-11-02 10:00+00', true);
        create function afterpush.group_columns(by text) returns table (by_columns text, by_group text) language sql
            as $$ select case by when '' then '' else replace(by, 'campaign', 'campaign_id') || ',' end,
                         case by when '' then '()' else replace(by, 'campaign', 'campaign_id') end $$;
        create table secrets (campaign_id text);
        do $$ begin
            create role afterpush_report nologin;
            create role afterpush_confined nologin in role afterpush_report;
            create role afterpush_owner nologin;
        exception when duplicate_object or unique_violation then null;
        end $$;
        grant usage on schema afterpush to afterpush_report;
        grant usage, create on schema afterpush to afterpush_owner;
        grant select on deliveries to afterpush_report;

        """
        + (SQLFiles.definitions.first { $0.name == "run_report" }?.text ?? "")

    static let source = """
        -- title: Opens
        -- parameter: from time
        -- parameter: campaign text
        -- parameter: tz zone
        -- parameter: window duration
        -- parameter: min_n integer 1..
        -- parameter: verified boolean
        -- parameter: by list campaign|day
        -- column: campaign_id text
        -- column: day date
        -- column: deliveries integer
        -- column: opened integer
        -- column: open_rate number ratio
        -- column: slice text
        -- column: note text
        -- column: hours number
        -- column: verified boolean
        -- column: first_at time
        \\if :{?app} \\else \\set app '' \\endif
        \\if :{?from} \\else \\set from '' \\endif
        \\if :{?campaign} \\else \\set campaign '' \\endif
        \\if :{?tz} \\else \\set tz UTC \\endif
        \\if :{?window} \\else \\set window 12h \\endif
        \\if :{?min_n} \\else \\set min_n 1 \\endif
        \\if :{?verified} \\else \\set verified false \\endif
        \\if :{?by} \\else \\set by 'campaign' \\endif
        select by_columns, by_group, 'd' as alias -- :'nothing' \\here
        from afterpush.group_columns(:'by') \\gset
        /* :neither here; /* nor */ here */
        select :by_columns count(*) as deliveries, count(*) filter (where opened) as opened,
            case when count(*) >= :'min_n'::int then (count(*) filter (where opened))::float8 / count(*) end as open_rate,
            (array['a', 'b', 'c'])[1:2]::text as slice, $x$it's :by_group; $x$ || E'\\':by' || ':''from' as note,
            extract(epoch from :'window'::interval) / 3600 as hours, :'verified'::boolean as verified,
            to_char(min(:"alias".anchor) at time zone :'tz', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as first_at
        from deliveries as :"alias"
        where app = :'app' and (:'campaign' = '' or campaign_id = :'campaign')
            and (nullif(:'from', '') is null or anchor >= nullif(:'from', '')::timestamptz)
        group by :by_group
        order by :by_group;
        """

    private func withDatabase(_ body: (Connection, ThrowawayCluster) async throws -> Void) async throws {
        let cluster = try await #require(ThrowawayCluster.current).withNewDatabase()
        _ = try await cluster.psql(["-c", Self.schema])
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: cluster.conninfo), logger: Logger(label: "test"))
        try await body(connection, cluster)
        await connection.close()
    }

    private func run(
        _ source: String, _ given: [String: String] = [:], _ runner: ReportRunner = ReportRunner(),
        isBuiltIn: Bool = false, on connection: Connection
    ) async throws -> ReportResult {
        let definition = try Sample.definition(source, isBuiltIn: isBuiltIn)
        let parameters = try ReportParameters(validating: given, for: definition)
        return try await runner.run(definition, parameters, appName: "shop", on: connection)
    }

    @Test(arguments: [false, true]) func `psql and the report runner return the same rows`(isBuiltIn: Bool) async throws
    {
        try await withDatabase { connection, cluster in
            let file = "\(cluster.directory)/\(cluster.database).sql"
            try Self.source.write(toFile: file, atomically: true, encoding: .utf8)
            let choices: [[String: String]] = [
                [:], ["from": "2026-11-01T00:00:00Z"], ["from": "2026-11-02T10:00:00Z", "by": "day,campaign"],
                ["by": "campaign,day", "min_n": "2"], ["campaign": "it's"],
                ["campaign": "'; drop table deliveries; --"],
                ["campaign": "\\", "window": "90s"], ["verified": "true", "window": "7d", "tz": "Asia/Kolkata"],
                ["window": "15m"], ["campaign": ":'app' $1 :by_group"],
            ]
            for given in choices {
                let result = try await run(Self.source, given, isBuiltIn: isBuiltIn, on: connection)
                let settings = given.merging(["app": "shop"]) { own, _ in own }.flatMap {
                    ["-v", "\($0.key)=\($0.value)"]
                }
                let printed = try await cluster.psql(settings + ["-P", "null=-", "-f", file])
                let lines = result.rows.map { row in
                    zip(row, result.columns).map { value, column in
                        column.kind == .boolean ? value.map { String($0.prefix(1)) } ?? "-" : value ?? "-"
                    }.joined(separator: "|")
                }
                #expect(printed.split(separator: "\n").map(String.init) == lines, "\(given)")
                #expect(result.asOf == "2026-11-21T10:00:00Z")
            }
            #expect(try await run(Self.source, isBuiltIn: isBuiltIn, on: connection).rows.count == 3)
            #expect(try await cluster.psql(["-c", "select count(*) from deliveries"]) == "5\n")
        }
    }

    @Test func `a custom report reads one snapshot as the confined role and can't write`() async throws {
        try await withDatabase { connection, _ in
            let head = "-- title: t\n-- column: a text\n"
            let body = """
                select concat_ws(',', current_user, current_setting('transaction_isolation'),
                    current_setting('transaction_read_only')) as a
                """
            let result = try await run(head + body, on: connection)
            #expect(result.rows == [["afterpush_confined,repeatable read,on"]])
            for refused in [
                "select campaign_id as a from secrets",
                "with gone as (delete from deliveries returning 1) select count(*)::text as a from gone",
            ] {
                await #expect(throws: ReportError.self) { try await run(head + refused, on: connection) }
            }
            #expect(try await connection.query("select current_user::text")[0].text(0) == "postgres")
        }
    }

    @Test(arguments: [false, true]) func `a report's settings and locks are gone after it has run`(isBuiltIn: Bool)
        async throws
    {
        try await withDatabase { connection, _ in
            let body = """
                -- title: t
                -- column: a text
                select set_config('TimeZone', 'Asia/Tokyo', false) as zone, pg_advisory_lock(7) is null as locked \\gset
                select set_config('statement_timeout', '0', false) as a
                """
            _ = try await run(body, isBuiltIn: isBuiltIn, on: connection)
            let left = try await connection.query(
                """
                select current_setting('TimeZone'), current_setting('statement_timeout'),
                    (select count(*)::text from pg_locks where locktype = 'advisory' and pid = pg_backend_pid())
                """)[0]
            #expect((0..<3).map { left.text($0) } == ["UTC", "10s", "0"])
        }
    }

    @Test(arguments: [false, true]) func `a row limit truncates the result, and the result says so`(isBuiltIn: Bool)
        async throws
    {
        try await withDatabase { connection, _ in
            let body = "-- title: t\n-- column: n integer\nselect n from generate_series(1, 5) as n order by n"
            for (limit, count) in [(4, 4), (5, 5), (6, 5), (0, 0), (Int.max, 5)] {
                let result = try await run(
                    body, [:], ReportRunner(rowLimit: limit), isBuiltIn: isBuiltIn, on: connection)
                #expect(result.rows.count == count)
                #expect(result.isTruncated == (limit < 5))
            }
            let least = body.replacing("select", with: "-- rows: 3  of its own\nselect")
            for (limit, count) in [(nil, 3), (2, 2), (9, 3)] {
                let result = try await run(
                    least, [:], ReportRunner(rowLimit: limit), isBuiltIn: isBuiltIn, on: connection)
                #expect(result.rows.count == count && result.isTruncated)
            }
            let parameters = try await run(
                Self.source, ["campaign": "spring"], ReportRunner(rowLimit: 9), isBuiltIn: isBuiltIn, on: connection)
            #expect(parameters.rows.count == 1)
        }
    }

    @Test func `a byte limit truncates a custom report, and the result says so`() async throws {
        try await withDatabase { connection, _ in
            let body = "-- title: t\n-- column: a text\nselect repeat('x', 1000) as a from generate_series(1, 100)"
            for (limit, isCut) in [(0, true), (1_000, true), (50_000, true), (90_000, true), (200_000, false)] {
                let result = try await run(body, [:], ReportRunner(byteLimit: limit), on: connection)
                // A value needs a little more memory than its text.
                #expect((limit / 1_100...limit / 1_000).contains(result.rows.count) || !isCut, "\(limit)")
                #expect(isCut || result.rows.count == 100)
                #expect(result.isTruncated == isCut)
                #expect(result.rows.allSatisfy { $0[0]?.count == 1_000 })
            }
            // A null needs memory in the result, though hardly any in the server.
            let names = (0..<10).map { "c\($0)" }
            let head = "-- title: t\n" + names.map { "-- column: \($0) text\n" }.joined()
            let nulls = head + "select " + names.map { "null::text as \($0)" }.joined(separator: ", ")
            let empty = try await run(
                nulls + " from generate_series(1, 100)", [:], ReportRunner(byteLimit: 1_600), on: connection)
            #expect((1...10).contains(empty.rows.count) && empty.isTruncated)
            let both = try await run(body, [:], ReportRunner(rowLimit: 7, byteLimit: 50_000), on: connection)
            #expect(both.rows.count == 7 && both.isTruncated)
        }
    }

    @Test(arguments: [
        "select 1 as b \\gset\nselect pg_sleep(0.7) is null as c \\gset\nselect pg_sleep(0.7)::text as a",
        "select set_config('statement_timeout', '0', false) as b \\gset\nselect pg_sleep(600)::text as a",
        "select set_config('statement_timeout', '0', true) as b \\gset\nselect pg_sleep(600)::text as a",
    ])
    func `all statements of a custom report share one time limit, whatever they set`(_ body: String)
        async throws
    {
        try await withDatabase { _, cluster in
            var configuration = PostgresConfiguration(conninfo: cluster.conninfo)
            configuration.statementTimeout = .seconds(1)
            let connection = try await Connection.open(configuration, logger: Logger(label: "test"))
            await #expect(throws: ReportError.tooSlow(report: "sample")) {
                try await run("-- title: t\n-- column: a text\n" + body, on: connection)
            }
            let left = try await connection.query("select current_setting('statement_timeout')", format: .text)
            #expect(left[0].text(0) == "1s")
            await connection.close()
        }
    }

    @Test func `a built-in report is planned once, and a custom report is planned each time`() async throws {
        try await withDatabase { connection, _ in
            let counted = "select count(*) from pg_prepared_statements where statement like '%from deliveries%'"
            for isBuiltIn in [false, true] {
                for _ in 0..<3 {
                    _ = try await run(Self.source, isBuiltIn: isBuiltIn, on: connection)
                }
                let prepared = try await connection.query(counted, format: .text)[0].text(0)
                #expect(prepared == (isBuiltIn ? "1" : "0"))
            }
        }
    }

    static let faults = [
        ("select 1 as a where false \\gset\nselect 1 as a", "line 5: a prelude must return exactly one row"),
        (
            "select 1 as a from generate_series(1, 2) \\gset\nselect 1 as a",
            "line 5: a prelude must return exactly one row"
        ),
        ("select :'campaign' as campaign \\gset\nselect 1 as a", "line 5: campaign is already a parameter"),
        ("select null as x \\gset\nselect 1 as a where\n:x", "line 7: no prelude returned x"),
        ("select 1 as color", "the head does not declare the column color"),
        ("select 'x' as a", "the column a has a value that is not of type integer"),
        ("select 1 as a,\n    nonsense\nfrom deliveries", "line 6: column \"nonsense\" does not exist"),
        ("select 1 as a\nfrom deliveries\nwhere :'campaign' = 'ü'\n    and where", "line 8: syntax error (42601)"),
        ("select nonsense as x \\gset\nselect 1 as a", "line 5: column \"nonsense\" does not exist"),
        ("select 1 / (:'campaign' <> '')::int as a", "line 5: PostgreSQL refuses it (22012)"),
    ]

    @Test(arguments: [false, true]) func `the error of a failing report says where it failed`(isBuiltIn: Bool)
        async throws
    {
        let head = """
            -- title: t
            -- parameter: campaign text
            -- column: a integer
            \\if :{?campaign} \\else \\set campaign '' \\endif

            """
        try await withDatabase { connection, _ in
            for (body, message) in Self.faults {
                let error = await #expect(throws: ReportError.self) {
                    try await run(head + body, isBuiltIn: isBuiltIn, on: connection)
                }
                #expect(error?.description.contains(message) == true, "\(String(describing: error))")
            }
        }
    }
}
