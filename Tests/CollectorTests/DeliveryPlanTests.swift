import Postgres
import Reports
import Storage
import TestSupport
import Testing

/// What reports need to be fast is used by them: a report that loses its index fails here.
@Suite struct DeliveryPlanTests {
    /// The plan of a report with its defaults, from a time on.
    private func plan(of report: String, preludes: [String: String], settings: [String] = []) async throws -> String {
        let app = try await TestApp()
        let definition = try ReportDesk.catalogue().report(named: report)
        let parameters = try ReportParameters(validating: ["from": "2026-11-01"], for: definition)
        let values = parameters.byName.merging(["app": "shop"]) { $1 }
        let body = try BoundStatement(definition.body, file: report, parameters: values, prelude: preludes)
        let token = try await app.registry.reportToken(ofApp: app.app.id)
        return try await app.database.report.withConnection { connection in
            try await connection.transaction(.readOnlyRepeatable) { connection in
                _ = try connection.query("select set_config('afterpush.report_token', $1, true)", [.text(token)])
                for setting in settings { try connection.execute("set local \(setting)") }
                let rows = try connection.query("explain (costs off) " + body.sql, format: .text)
                return rows.compactMap { $0.text(0) }.joined(separator: "\n")
            }
        }
    }

    @Test func `influence finds openings and responses by an index of them alone`() async throws {
        // There is little to read here, so reading it all would be the better plan.
        let plan = try await plan(
            of: "influence", preludes: ["by_columns": "", "by_group": "()", "by_order": "1", "extra": ""],
            settings: ["enable_seqscan = off"])
        let scans = plan.split(separator: "\n").filter { $0.contains("on events_") && $0.contains(" e") }
        #expect(!scans.contains { $0.contains("Seq Scan") }, "\(plan)")
        #expect(plan.contains("app_id_occurred_at_idx"), "\(plan)")
    }

    @Test func `fatigue reads deliveries once`() async throws {
        let plan = try await plan(of: "fatigue", preludes: [:])
        #expect(plan.split(separator: "\n").filter { $0.contains("on deliveries") }.count == 1, "\(plan)")
    }
}
