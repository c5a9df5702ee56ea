import Foundation
import Storage
import TestSupport
import Testing

/// Tests on simulated traffic that does not change how often the dashboard's "last 24 hours" shows a change.
///
/// `AFTERPUSH_CALIBRATION_RUNS` says how many looks to simulate, a quarter of it, as for `CalibrationTests`.
@Suite struct OverviewCalibrationTests {
    private static let looks = CalibrationTests.isLong ? CalibrationTests.runs / 4 : 8

    /// Campaigns with the same traffic for days: 20 % open, after an hour in the median, and half of these a lot later.
    private func traffic(_ campaigns: Int, deliveries: Int, seed: Double) async throws -> TestApp {
        let app = try await TestApp()
        try await TestCluster.script(
            """
            select afterpush.ensure_partitions(now(), 2, 1);
            select setseed(\(seed));
            create temporary table made as
            select
                c, n, gen_random_uuid() as delivery_id, random() < 0.2 as is_opened,
                now() - random() * interval '73 hours' as sent_at,
                exp(1.5 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())) * interval '1 hour' as delay
            from generate_series(1, \(campaigns)) as c
            cross join generate_series(1, \(deliveries)) as n;
            create temporary table told as
            select c, n, delivery_id, 'sent' as kind, sent_at as at from made
            union all
            select c, n, delivery_id, 'opened', sent_at + delay from made where is_opened and sent_at + delay < now();
            insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected)
            select 1, \(app.app.id), now(), count(*), 0, 0, 0 from told;
            insert into afterpush.events (
                delivery_id, event_id, device_time, occurred_at, batch_id, app_id, kind, verified, device_id,
                notification_id, campaign_id
            )
            select
                delivery_id, gen_random_uuid(), at, at, 1, \(app.app.id), kind::afterpush.event_kind, true,
                'd' || c || '-' || n, 'n', 'c' || c
            from told;
            """, on: app.conninfo)
        try await app.rollUp()
        return app
    }

    /// Whether the change of a campaign's open rate is clear, so that the dashboard shows an arrow.
    private func hasArrow(_ app: TestApp, _ campaign: Int, until end: Date) async throws -> Bool {
        let csv = try await Program.psql(
            app.conninfo, file: Program.root.appending(path: "sql/reports/overview.sql").path,
            variables: [
                "app": "shop", "campaign": "c\(campaign)", "from": (end - 24 * 3_600).formatted(.iso8601),
                "to": end.formatted(.iso8601),
            ])
        // No value of this report contains a comma.
        let table = csv.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let head = try #require(table.first)
        let row = try #require(table.first { $0.first == "open_rate" })
        func number(_ column: Substring) -> Double? { head.firstIndex(of: column).flatMap { Double(row[$0]) } }
        let (low, high) = (try #require(number("change_low")), try #require(number("change_high")))
        return low > 0 || high < 0
    }

    @Test func `nothing changes, and at most 6 of 100 looks at the last 24 hours show a change`() async throws {
        let end = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 3_600).rounded(.down) * 3_600 + 3_600)
        var (looks, arrows) = (0, 0)
        while looks < Self.looks {
            // Fewer deliveries than would be compared in another way.
            let campaigns = min(16, Self.looks - looks)
            let app = try await traffic(campaigns, deliveries: 3_000, seed: 0.1 + Double(looks) / 10_000)
            for campaign in 1...campaigns where try await hasArrow(app, campaign, until: end) { arrows += 1 }
            looks += campaigns
        }
        print(String(format: "| %d | %.1f %% |", looks, 100 * Double(arrows) / Double(looks)))
        #expect(Double(arrows) <= CalibrationTests.limit(0.06, of: looks) * Double(looks))
    }
}
