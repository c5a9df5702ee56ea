import AfterpushWire
import Alerts
import Foundation
import Storage
import TestSupport
import Testing

/// Tests built-in alert rules that must not fire by chance.
@Suite struct BuiltInAlertTests {
    @Test(arguments: [
        (1, 2, AlertFinding.unclear), (1, 60, .unclear), (30, 600, .outside), (1, 2_000, .inside),
    ])
    func `the share of rejected events is outside only with its whole interval`(
        rejected: Int, received: Int, finding: AlertFinding
    ) async throws {
        let app = try await TestApp()
        _ = try await app.superuserValue(
            """
            insert into afterpush.batches (
                batch_id, app_id, started_at, events, duplicates, conflicts, rejected, rolled_up_at
            )
            values (1000, \(app.app.id), now(), \(received - rejected), 0, 0, \(rejected), now())
            returning 1
            """)
        let rule = try #require(BuiltInAlerts.rules.first { $0.name == "rejected-share" })
        let moment = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000) + 60_000_000)
        let evaluation = try await AlertEvaluator(reports: ReportServiceFixture.service(app))
            .evaluate(rule, app: app.app.id, appName: app.app.name, at: moment)
        #expect(evaluation.results.map(\.finding) == [finding])
    }
}
