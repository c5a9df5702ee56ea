import Postgres
import Reports
import Storage
import TestSupport
import Testing

/// What reports need to be fast is used by them: a report that loses its index fails here.
@Suite struct DeliveryPlanTests {
    /// Runs `body` as a report of the app does, with little to read, of which reading it all would be the better plan.
    private func asReport<T: Sendable>(
        _ app: TestApp, settings: [String] = [], _ body: @Sendable @escaping (isolated Connection) throws -> T
    ) async throws -> T {
        let token = try await app.registry.reportToken(ofApp: app.app.id)
        return try await app.database.report.withConnection { connection in
            let first = ["afterpush.report_token": token, "enable_seqscan": "off"]
            return try await connection.snapshot(settings: first, asking: "select 1") { connection, _ in
                for setting in settings { try connection.execute("set local \(setting)") }
                return try body(connection)
            }
        }
    }

    /// The plan of a report with its defaults, from a time on.
    private func plan(of report: String, settings: [String] = []) async throws -> String {
        let definition = try ReportDesk.catalogue().report(named: report)
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

    @Test func `influence finds openings and responses in an index of them alone, without their events`() async throws {
        let plan = try await plan(of: "influence", settings: ["enable_bitmapscan = off"])
        let scans = plan.split(separator: "\n").filter { $0.contains("on events_") }
        #expect(scans.count >= 2, "\(plan)")
        #expect(scans.allSatisfy { $0.contains("Index Only Scan using events_") }, "\(plan)")
        #expect(scans.allSatisfy { $0.contains("app_id_occurred_at_device_id") }, "\(plan)")
    }

    @Test func `the two parts of fatigue can run side by side`() async throws {
        let plan = try await plan(of: "fatigue", settings: ["max_parallel_workers_per_gather = 2"])
        #expect(plan.contains("Parallel Append"), "\(plan)")
        #expect(
            plan.split(separator: "\n").filter { $0.contains("Function Scan on report_recent") }.count == 2, "\(plan)")
        #expect(!plan.contains("on deliveries"), "\(plan)")
    }

    @Test func `the ranges of a rebuild can run side by side`() async throws {
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

    @Test func `a part of fatigue finds deliveries by their time, and reads them once`() async throws {
        let app = try await TestApp()
        try await app.database.owner.withConnection { connection in
            try await connection.script(
                """
                insert into afterpush.deliveries (
                    delivery_id, app_id, kinds, verified_kinds, platform_standing, app_version_standing,
                    campaign_standing, category_standing, first_event_at, notification_id, device_id
                )
                select
                    gen_random_uuid(), \(app.app.id), 1, 1, 4, 4, 4, 4, timestamptz '2026-11-21' - i * interval '5 minutes',
                    'n-' || i, 'device-' || i % 1000
                from generate_series(1, 20000) as i;
                analyze afterpush.deliveries;
                """)
        }
        let (scans, reads, found) = try await asReport(app) { connection in
            let count = """
                select pg_stat_get_xact_numscans('afterpush.deliveries_anchor'::regclass),
                    pg_stat_get_xact_numscans('afterpush.deliveries_device'::regclass)
                        + pg_stat_get_xact_numscans('afterpush.deliveries_pkey'::regclass)
                        + pg_stat_get_xact_numscans('afterpush.deliveries'::regclass)
                """
            let before = try connection.query(count)[0].decode(Int64.self, Int64.self)
            let found = try connection.query(
                """
                select sum(deliveries)::bigint
                from afterpush.report_recent(
                    'shop', '2026-11-01', '2026-11-08', null, null, null, null, false
                )
                """)
            let after = try connection.query(count)[0].decode(Int64.self, Int64.self)
            return (after.0 - before.0, after.1 - before.1, try found[0].decode(Int64.self))
        }
        #expect(found == 7 * 24 * 12)
        #expect(scans == 1)
        #expect(reads == 0)
    }
}
