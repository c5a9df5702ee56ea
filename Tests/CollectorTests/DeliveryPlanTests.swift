import Postgres
import Reports
import Storage
import TestSupport
import Testing

/// What reports need to be fast is used by them: a report that loses its index fails here.
@Suite struct DeliveryPlanTests {
    /// Runs `body` as a report of the app does, with little to read, of which reading it all would be the better plan.
    private func asReport<T: Sendable>(
        settings: [String] = [], _ body: @Sendable @escaping (isolated Connection) throws -> T
    ) async throws -> T {
        let app = try await TestApp()
        let token = try await app.registry.reportToken(ofApp: app.app.id)
        return try await app.database.report.withConnection { connection in
            try await connection.snapshot(settings: ["afterpush.report_token": token, "enable_seqscan": "off"]) {
                connection in
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
        return try await asReport(settings: settings) { connection in
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

    @Test func `a part of fatigue finds deliveries by their time, and reads them once`() async throws {
        let (scans, reads) = try await asReport { connection in
            let count = """
                select pg_stat_get_xact_numscans('afterpush.deliveries_anchor'::regclass),
                    pg_stat_get_xact_numscans('afterpush.deliveries'::regclass)
                """
            let before = try connection.query(count)[0].decode(Int64.self, Int64.self)
            _ = try connection.query(
                """
                select * from afterpush.report_recent(
                    'shop', '2026-11-01', '2026-11-08', null, null, null, null, false
                )
                """)
            let after = try connection.query(count)[0].decode(Int64.self, Int64.self)
            return (after.0 - before.0, after.1 - before.1)
        }
        #expect(scans == 1)
        #expect(reads == 0)
    }
}
