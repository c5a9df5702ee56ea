import AfterpushWire
import Events
import Foundation
import Ingest
import Postgres
import Reports
import SQLFiles
import Storage
import TestSupport
import Testing

/// Tests query plans: a report that no longer uses its index fails here.
@Suite struct QueryPlanTests {
    /// Runs `body` as a report of the app, without sequential scans, because they would be the best plan for little
    /// data.
    private func asReport<T: Sendable>(
        _ app: TestApp, settings: [String] = [], _ body: @Sendable @escaping (isolated Connection) throws -> T
    ) async throws -> T {
        try await app.database.report.withConnection { connection in
            try await connection.snapshot(asking: ReportAccess.opening(app: app.app.id) + "select 1") { connection, _ in
                for setting in ["enable_seqscan = off"] + settings { try connection.execute("set local \(setting)") }
                return try body(connection)
            }
        }
    }

    /// The plan of a report with its defaults and a start time.
    private func plan(of report: String, settings: [String] = []) async throws -> String {
        let definition = try ReportService.catalogue().report(named: report)
        let parameters = try ReportParameters(validating: ["from": "2026-11-01"], for: definition)
        let values = parameters.byName.merging(["app": "shop"]) { $1 }
        return try await asReport(try await TestApp(), settings: settings) { connection in
            var variables: [String: String] = [:]
            for prelude in definition.preludes {
                let bound = try BoundStatement(prelude, file: report, parameters: values, prelude: variables)
                let rows = try connection.query(bound.sql, format: .text)
                for (place, column) in rows.columns.enumerated() { variables[column.name] = rows[0].text(place) }
            }
            let body = try BoundStatement(definition.body, file: report, parameters: values, prelude: variables)
            let rows = try connection.query("explain (costs off) " + body.sql, format: .text)
            return rows.compactMap { $0.text(0) }.joined(separator: "\n")
        }
    }

    /// An app with 20 openings and responses, one hour on each day since the first of November.
    private func appWithOpenings() async throws -> TestApp {
        let app = try await TestApp()
        let events = (0..<40).map { minute in
            EventJSON.event([
                "kind": minute % 2 == 0 ? "app_opened" : "opened", "device_id": "d\(minute % 4)",
                "occurred_at": "2026-11-0\(1 + minute % 9)T10:\(minute + 10):00Z",
            ])
        }
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        let submission = try Submission.read(Array(try EventJSON.body(events)), as: .json)
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        let outcomes = try await sink.store(EventGroup([PendingSubmission(submission, context)]))
        #expect(outcomes[0].accepted == 40)
        try await app.rollUp()
        return app
    }

    /// Adds deliveries, by default 20,000, confirmed every five minutes until the 21st of November.
    private func addDeliveries(to app: TestApp, count: Int = 20_000, minutes: Int = 5) async throws {
        try await app.database.owner.withConnection { connection in
            try await connection.script(
                """
                insert into afterpush.deliveries (
                    delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank,
                    campaign_source_rank, category_source_rank, first_event_at, confirmed_at, notification_id, device_id,
                    device_number, last_stored_hour
                )
                select gen_random_uuid(), \(app.app.id), 4, 4, 4, 4, 4, 4, at, at, 'n-' || i, 'device-' || i % 1000,
                    afterpush.device_number('device-' || i % 1000), '2026-11-21'
                from generate_series(1, \(count)) as i
                cross join lateral (select timestamptz '2026-11-21' - i * interval '\(minutes) minutes') as t (at);
                analyze afterpush.deliveries;
                """)
        }
    }

    /// The numbers of scans of deliveries with the index and without it, and the statement's result.
    private func scansOfDeliveries(
        by index: String, in statement: String, _ connection: isolated Connection
    ) throws -> (scans: Int64, others: Int64, found: Int64) {
        let count = """
            select
                pg_stat_get_xact_numscans('afterpush.\(index)'::regclass),
                pg_stat_get_xact_numscans('afterpush.deliveries'::regclass) + (
                    select sum(pg_stat_get_xact_numscans(indexrelid))::bigint
                    from pg_index
                    where indrelid = 'afterpush.deliveries'::regclass
                      and indexrelid <> 'afterpush.\(index)'::regclass
                )
            """
        let before = try connection.query(count)[0].decode(Int64.self, Int64.self)
        let found = try connection.query(statement)[0].decode(Int64.self)
        let after = try connection.query(count)[0].decode(Int64.self, Int64.self)
        return (after.0 - before.0, after.1 - before.1, found)
    }

    /// A plan for any parameters is made once, when tables may be empty, and used while they grow.
    @Test(arguments: [SQLFiles.storeGroup, SQLFiles.storeNewEvents])
    func `storing events finds stored ones by an index, however small the tables were`(statement: SQLFile) async throws
    {
        let app = try await TestApp()
        try await app.superuserValue("analyze afterpush.events")
        let count = try #require(
            (1...99).last { statement.text.contains("$\($0)::") })
        let nulls = Array(repeating: "null", count: count).joined(separator: ", ")
        let plan = try await app.database.ingest.withConnection { connection in
            try await connection.execute("set plan_cache_mode = force_generic_plan")
            try await connection.execute("prepare stored as \(statement.text)")
            let rows = try await connection.query("explain (costs off) execute stored (\(nulls))", format: .text)
            return rows.compactMap { $0.text(0) }.joined(separator: "\n")
        }
        #expect(plan.contains("Insert on events"), "\(plan)")
        #expect(!plan.contains("Seq Scan on event"), "\(plan)")
    }

    @Test(arguments: [("fatigue", "report_fatigue"), ("influence", "report_openings")])
    func `the two parts of a slow report can run in parallel`(report: String, function: String) async throws {
        let plan = try await plan(of: report, settings: ["max_parallel_workers_per_gather = 2"])
        #expect(plan.contains("Parallel Append"), "\(plan)")
        #expect(
            plan.split(separator: "\n").filter { $0.contains("Function Scan on \(function)") }.count == 2, "\(plan)")
        #expect(!plan.contains("on deliveries") && !plan.contains("on events"), "\(plan)")
    }

    /// A single unsafe function keeps PostgreSQL from running any part of a statement in parallel.
    @Test func `no function keeps health from running in parallel`() async throws {
        let source = try ReportService.catalogue().report(named: "health").source
        let statement = try #require(source.components(separatedBy: "\\gset").last)
        let names = statement.matches(of: /afterpush\.([a-z_]+)\(/).map { String($0.1) }
        #expect(names.contains("report_version_coverage"))
        let app = try await TestApp()
        let unsafe = try await app.value(
            """
            select string_agg(proname, ' ')
            from pg_proc
            where pronamespace = 'afterpush'::regnamespace
              and proparallel = 'u'
              and proname in (\(names.map(SQLText.literal).joined(separator: ", ")))
            """)
        #expect(unsafe == nil)
    }

    @Test func `a part of influence finds openings and responses by index-only scans`()
        async throws
    {
        let app = try await appWithOpenings()
        _ = try await app.database.owner.withConnection { connection in
            try await connection.execute("vacuum analyze afterpush.events")
        }
        let (openings, responses, others, heap, found) = try await asReport(app) { connection in
            let count = """
                select
                    coalesce(sum(pg_stat_get_xact_numscans(i.indexrelid)) filter (where d like '%app_opened%'), 0)::bigint,
                    coalesce(sum(pg_stat_get_xact_numscans(i.indexrelid)) filter (where d like '%text_input%'), 0)::bigint,
                    coalesce(sum(pg_stat_get_xact_numscans(i.indexrelid)) filter (where d not like '% WHERE %'), 0)::bigint
                        + (select sum(pg_stat_get_xact_numscans(inhrelid))::bigint
                            from pg_inherits where inhparent = 'afterpush.events'::regclass),
                    (select sum(pg_stat_get_xact_tuples_fetched(inhrelid))::bigint
                        from pg_inherits where inhparent = 'afterpush.events'::regclass)
                from pg_index as i
                join pg_inherits as p on p.inhrelid = i.indrelid and p.inhparent = 'afterpush.events'::regclass
                cross join lateral pg_get_indexdef(i.indexrelid) as d
                """
            let before = try connection.query(count)[0].decode(Int64.self, Int64.self, Int64.self, Int64.self)
            let found = try connection.query(
                """
                select sum(openings)::bigint
                from afterpush.report_openings('shop', '2026-11-01', '2026-11-10', '12 h', true, false, null, false, '', 1)
                where how <> 'expected'
                """)
            let after = try connection.query(count)[0].decode(Int64.self, Int64.self, Int64.self, Int64.self)
            return (
                after.0 - before.0, after.1 - before.1, after.2 - before.2, after.3 - before.3,
                try found[0].decode(Int64.self)
            )
        }
        #expect(found == 20)
        #expect(openings > 0 && responses > 0)
        #expect(others == 0 && heap == 0)
    }

    @Test func `the ranges of a rebuild can run in parallel`() async throws {
        let app = try await TestApp()
        let plan = try await app.database.owner.withConnection { connection in
            try await connection.query(
                """
                explain (costs off)
                select * from afterpush.differing_deliveries('-infinity', null, gen_random_uuid())
                union all select * from afterpush.differing_deliveries('-infinity', gen_random_uuid(), null)
                """, format: .text
            ).compactMap { $0.text(0) }.joined(separator: "\n")
        }
        #expect(plan.contains("Parallel Append"), "\(plan)")
    }

    @Test func `half of fatigue finds deliveries by their time and reads each once`() async throws {
        let app = try await TestApp()
        try await addDeliveries(to: app)
        let (scans, others, found) = try await asReport(app) { connection in
            try scansOfDeliveries(
                by: "deliveries_anchor",
                in: """
                    select sum(n)::bigint
                    from afterpush.report_fatigue(
                        'shop', '2026-11-01', '2026-11-08', null, null, null, null, false, '{"(,confirmed)"}', 0, 1
                    )
                    where outcome = 'response'
                    """, connection)
        }
        // About half of them.
        #expect((800...1200).contains(found))
        #expect(scans == 2)
        #expect(others == 0)
    }

    @Test(arguments: [("deliveries_one_in_8", 1), ("deliveries_one_in_64", 2), ("deliveries_one_in_512", 3)])
    func `a comparison by a sample reads no more deliveries than it has`(index: String, level: Int) async throws {
        let app = try await TestApp()
        try await addDeliveries(to: app, count: 100_000, minutes: 1)
        let counted = """
            select count(*)
            from afterpush.report_states_within(
                \(app.app.id), '2026-10-01', '2026-11-08', null, null, null, null, false, '1 hour', '2026-12-01', \(level)
            )
            """
        let (scans, others, found) = try await asReport(app) { connection in
            try scansOfDeliveries(by: index, in: counted, connection)
        }
        #expect(scans == 1)
        // Before a scan, the planner may look up the ends of the primary key.
        #expect(others == 0 || level == 3)
        // Of 54,720 deliveries in these days, within five standard deviations.
        let expected = 54_720 / Double(1 << (3 * level))
        #expect(abs(Double(found) - expected) < 5 * expected.squareRoot(), "\(found)")
    }

    @Test func `a part of influence finds deliveries by their confirmation and reads them once`() async throws {
        let app = try await appWithOpenings()
        try await addDeliveries(to: app)
        // These settings have the effect of many openings.
        let (scans, others, found) = try await asReport(app, settings: ["enable_nestloop = off"]) { connection in
            try scansOfDeliveries(
                by: "deliveries_confirmed",
                in: """
                    select sum(openings)::bigint
                    from afterpush.report_openings(
                        'shop', '2026-11-01', '2026-11-08', '12 h', false, false, null, false, '', 1
                    )
                    """, connection)
        }
        #expect(found == 16)
        #expect(scans == 1)
        #expect(others == 0)
    }

    @Test func `the devices of variants are read in the order of the index of some devices`() async throws {
        let app = try await TestApp()
        try await addDeliveries(to: app)
        // So many that some devices are enough.
        _ = try await app.database.owner.withConnection { connection in
            try await connection.execute(
                """
                insert into afterpush.rollup_campaign_days (
                    app_id, verified, anchor_day, campaign_id, deliveries, deliveries_sent, deliveries_confirmed,
                    locally_sent, only_locally_sent
                )
                values (\(app.app.id), false, '2026-11-01', '', 20000, 0, 20000, 0, 0)
                """)
        }
        // This setting has the effect of many devices.
        let (scans, others, fetched, selected) = try await asReport(app, settings: ["enable_hashagg = off"]) {
            connection in
            let fetched = "select pg_stat_get_xact_tuples_fetched('afterpush.deliveries_sampled_devices'::regclass)"
            let before = try connection.query(fetched)[0].decode(Int64.self)
            let (scans, others, _) = try scansOfDeliveries(
                by: "deliveries_sampled_devices",
                in: """
                    select count(*)
                    from afterpush.report_devices(
                        'shop', null, null, null, null, null, null, false, '{"(,confirmed)"}', 'campaign,variant', 'UTC'
                    )
                    """, connection)
            let after = try connection.query(fetched)[0].decode(Int64.self)
            let selected = try connection.query(
                "select count(*) from afterpush.deliveries where afterpush.device_bucket(delivery_id) < 8"
            )[0].decode(Int64.self)
            return (scans, others, after - before, selected)
        }
        #expect(scans == 1)
        #expect(others == 0)
        // A bitmap scan fetches nothing by the index itself.
        #expect(fetched == selected)
    }

    @Test func `no delivery is searched for a response that the rollups don't have`() async throws {
        let app = try await TestApp()
        try await addDeliveries(to: app)
        let (scans, others, found) = try await asReport(app) { connection in
            try scansOfDeliveries(
                by: "deliveries_sampled_devices",
                in: """
                    select count(*)
                    where afterpush.responded_before(\(app.app.id), 'campaign', false, '2026-11-21')
                    """, connection)
        }
        #expect(found == 0)
        #expect(scans == 0)
        #expect(others == 0)
    }

    @Test func `a merge that moves deliveries to another campaign reads no events of others`() async throws {
        let app = try await TestApp()
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        func send(_ campaign: String, _ devices: Range<Int>) async throws {
            let events = devices.map { number in
                EventJSON.event([
                    "kind": "delivered", "notification_id": "n", "device_id": "d\(number)", "campaign_id": campaign,
                ])
            }
            let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
            let context = ValidationContext(appID: app.app.id, scope: .ingest, receivedAt: now)
            let submission = try Submission.read(Array(try EventJSON.body(events)), as: .json)
            let outcomes = try await sink.store(EventGroup([PendingSubmission(submission, context)]))
            #expect(outcomes[0].accepted == devices.count)
        }
        for start in stride(from: 0, to: 20_000, by: 2_000) { try await send("m", start..<start + 2_000) }
        try await app.rollUp()
        try await app.database.owner.withConnection { try await $0.script("analyze") }
        try await send("a", 0..<500)
        let read = try await app.database.worker.withConnection { connection in
            try await connection.transaction { connection in
                // Earlier transactions of the session are counted, too, until PostgreSQL has published their numbers.
                func entriesRead(_ connection: isolated Connection) throws -> Int64 {
                    let rows = try connection.query(
                        """
                        select sum(pg_stat_get_xact_tuples_returned(i.indexrelid))::bigint
                        from pg_inherits as p
                        join pg_index as i on i.indrelid = p.inhrelid
                        where p.inhparent = 'afterpush.events'::regclass
                        """)
                    return try rows.first?.decode(Int64.self, column: 0) ?? 0
                }
                let before = try entriesRead(connection)
                _ = try connection.query("select afterpush.roll_up(10000)")
                return try entriesRead(connection) - before
            }
        }
        // Each delivery has two events, which are read a few times.
        #expect(read < 10_000, "\(read)")
        #expect(try await app.value("select count(*) from afterpush.rollup_verify()") == "0")
    }
}
