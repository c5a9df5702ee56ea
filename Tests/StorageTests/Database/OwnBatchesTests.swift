import Postgres
import Reports
import SQLFiles
import Storage
import TestSupport
import Testing

/// Tests that reports and the inspector find an app's batches without reading those of other apps.
@Suite struct OwnBatchesTests {
    /// An app with some batches, and another one with many, of which many wait.
    private func app() async throws -> TestApp {
        let app = try await TestApp()
        let busy = try await app.registry.createApp("busy")
        try await app.database.owner.withConnection { connection in
            try await connection.script(
                """
                insert into afterpush.batches (
                    batch_id, app_id, started_at, events, duplicates, conflicts, rejected, rolled_up_at
                )
                select
                    n, case when n % 10000 = 0 then \(app.app.id) else \(busy.id) end,
                    timestamptz '2026-11-20' + n * interval '1 second', n % 2, 1, 0, 0,
                    case when n < 80000 or n % 2 = 0 then now() end
                from generate_series(1, 100000) as n;
                """)
            try await connection.execute("vacuum analyze afterpush.batches")
        }
        return app
    }

    /// The rows and index entries of batches that statements read as reports of the app.
    private func batchesRead(
        _ app: TestApp, _ body: @Sendable @escaping (isolated Connection) throws -> Void
    ) async throws -> Int64 {
        try await app.database.report.withConnection { connection in
            try await connection.snapshot(asking: ReportAccess.opening(app: app.app.id) + "select 1") { connection, _ in
                func read(_ connection: isolated Connection) throws -> Int64 {
                    try connection.query(
                        """
                        select (
                            pg_stat_get_xact_tuples_returned('afterpush.batches'::regclass)
                            + sum(pg_stat_get_xact_tuples_returned(indexrelid))
                        )::bigint
                        from pg_index
                        where indrelid = 'afterpush.batches'::regclass
                        """)[0].decode(Int64.self)
                }
                let before = try read(connection)
                try body(connection)
                return try read(connection) - before
            }
        }
    }

    @Test(
        arguments: ["health", "failures", "replies", "undeclared", "conversion"],
        ["2026-11-20", "2026-11-21T10:00:00Z"])
    func `a report reads only the batches of its app`(report: String, from: String) async throws {
        let definition = try ReportService.catalogue().report(named: report)
        let parameters = try ReportParameters(validating: ["from": from], for: definition)
        let values = parameters.byName.merging(["app": "shop"]) { $1 }
        let read = try await batchesRead(try await app()) { connection in
            var variables: [String: String] = [:]
            for prelude in definition.preludes {
                let bound = try BoundStatement(prelude, file: report, parameters: values, prelude: variables)
                let rows = try connection.query(bound.sql, format: .text)
                for (place, column) in rows.columns.enumerated() { variables[column.name] = rows[0].text(place) }
            }
            let body = try BoundStatement(definition.body, file: report, parameters: values, prelude: variables)
            _ = try connection.query(body.sql, format: .text)
        }
        #expect(read < 200, "\(read)")
    }

    @Test func `the inspector reads only the batches of its app`() async throws {
        let app = try await app()
        let read = try await batchesRead(app) { connection in
            _ = try connection.query(
                SQLFiles.inspectFindRecent.text,
                [.int4(app.app.id), .text("n1"), .uuid(nil), .int8(300), .int8(20)])
            _ = try connection.query(SQLFiles.inspectStatus.text, [.int4(app.app.id), .int8(1_000)])
        }
        #expect(read < 200, "\(read)")
    }

    @Test(arguments: ["force_generic_plan", "force_custom_plan"])
    func `what is asked about waiting batches and texts reads few of an app that is merged apart`(plans: String)
        async throws
    {
        let app = try await TestApp()
        let stalled = try await app.registry.createApp("stalled")
        try await app.superuserValue("insert into afterpush.apps_merged_apart (app_id) values (\(stalled.id))")
        try await app.database.owner.withConnection { connection in
            // The statistics know only the stalled app, whose batches and texts are the oldest.
            for (id, numbers) in [(stalled.id, "1, 20000"), (app.app.id, "20001, 20003")] {
                try await connection.script(
                    """
                    insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected)
                    select n, \(id), now(), 1, 0, 0, 0 from generate_series(\(numbers)) as n;
                    insert into afterpush.waiting_replies
                        (app_id, delivery_id, event_id, device_time, verified, user_text, stored_at, waits_until)
                    select
                        \(id), gen_random_uuid(), gen_random_uuid(), now(), true, 'due', now(),
                        now() - interval '1 hour' + n * interval '1 millisecond'
                    from generate_series(\(numbers)) as n;
                    """)
                guard id == stalled.id else { continue }
                try await connection.execute("vacuum analyze afterpush.batches, afterpush.waiting_replies")
            }
            try await connection.script("begin; set local plan_cache_mode = \(plans)")
            var last = try await waitingRead(connection)
            func expectFew(_ statement: String, _ parameters: [Parameter] = []) async throws {
                _ = try await connection.query(statement, parameters, prepared: true)
                let now = try await waitingRead(connection)
                #expect(now - last < 500, "\(statement): \(now - last)")
                last = now
            }
            try await expectFew(SQLFiles.findWaitingApps.text, [.int4(10)])
            try await expectFew(SQLFiles.readDatabaseHealth.text, [.int4(100)])
            try await expectFew("select batch_ids from afterpush.waiting_batches(100, null, null)")
            try await expectFew("select afterpush.as_of('shop')")
            try await expectFew("select afterpush.stalled_apps()")
            try await expectFew(SQLFiles.inspectStatus.text, [.int4(app.app.id), .int8(1_000)])
            try await expectFew(
                SQLFiles.inspectFindRecent.text,
                [.int4(app.app.id), .text("n1"), .uuid(nil), .int8(300), .int8(20)])
            try await expectFew("select afterpush.seal_obstacle(now())")
            try await expectFew("select afterpush.decide_due_replies(null)")
            try await connection.script(ReportAccess.opening(app: app.app.id))
            try await expectFew("select afterpush.report_waiting_batches()")
            try await connection.script("rollback")
        }
    }

    /// The rows and index entries of batches and of waiting texts that the connection's transaction has read.
    private func waitingRead(_ connection: isolated Connection) throws -> Int64 {
        let rows = try connection.query(
            """
            select sum(pg_stat_get_xact_tuples_returned(c.oid))::bigint
            from pg_class as c
            left join pg_index as i on i.indexrelid = c.oid
            where coalesce(i.indrelid, c.oid) in ('afterpush.batches'::regclass, 'afterpush.waiting_replies'::regclass)
            """)
        return try rows[0].decode(Int64.self)
    }

    @Test func `no batch with a statement of a version lies before the one that a report begins with`() async throws {
        let app = try await app()
        // Numbered first and stored last; and combined with others of its hour.
        try await TestCluster.script(
            """
            delete from afterpush.batches;
            insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected)
            select n, \(app.app.id), at::timestamptz, 1, 0, 0, 0
            from (
                values
                    (7, '2026-10-19T20:00:00Z'), (8, '2026-10-19T22:10:00Z'), (9, '2026-10-20T00:10:00Z'),
                    (10, '2026-10-19T23:50:00Z'), (11, '2026-10-21T00:00:00Z')
            ) as b (n, at)
            """, on: app.conninfo)
        func first(from: String) async throws -> String? {
            try await app.value("select first_statement_batch from afterpush.report_bounds('shop', \(from), null)")
        }
        #expect(try await first(from: "'2026-11-20Z'") == "7")
        #expect(try await first(from: "'2026-11-21T10:00:00Z'") == "11")
        #expect(try await first(from: "'2026-01-01Z'") == "0")
        #expect(try await first(from: "null") == "0")
    }
}
