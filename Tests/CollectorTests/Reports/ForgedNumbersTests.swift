import Foundation
import Storage
import TestSupport
import Testing

/// Tests that a forger can't decide how a report with `verified=true` reads its deliveries. Above some numbers of
/// deliveries, reports read rollups or samples instead of each delivery.
@Suite struct ForgedNumbersTests {
    /// Reports whose numbers verified events decide, with what they are asked for. Times are in whole days, so that two
    /// runs select the same.
    private static let reports: [(name: String, variables: [String: String])] = [
        ("response-time", ["campaign": "small"]), ("response-time", ["campaign": "small", "curve": "true"]),
        ("response-time", ["by": "campaign"]), ("response-time", ["curve": "true"]),
        ("conversion", ["campaign": "small", "by": "variant"]), ("conversion", ["by": "campaign"]),
        ("conversion", ["by": "campaign", "cluster": "device"]), ("conversion", ["campaign": "small", "within": "1h"]),
        ("overview", ["campaign": "small", "from": day(-7), "to": day(-3)]),
        ("overview", ["from": day(-30), "to": day(-3)]),
        ("actions", ["campaign": "small"]), ("funnel", ["campaign": "small"]), ("experiment", ["campaign": "small"]),
        ("value", ["by": "campaign"]), ("heatmap", ["campaign": "small", "local": "device"]), ("fatigue", [:]),
        ("influence", ["baseline": "true", "from": day(-7), "to": day(-3)]), ("timeseries", ["campaign": "small"]),
        ("lift", ["campaign": "small"]), ("failures", ["by": "campaign"]), ("replies", ["by": "campaign"]),
    ]

    private static let today = Date(
        timeIntervalSince1970: (Date().timeIntervalSince1970 / 86_400).rounded(.down) * 86_400)

    private static func day(_ number: Int) -> String {
        String(today.addingTimeInterval(Double(number) * 86_400).formatted(.iso8601).prefix(10))
    }

    /// Stores made events as one batch. Each is a row (delivery, device, kind, time, campaign).
    private func store(_ rows: String, verified: Bool, batch: Int, in app: TestApp) async throws {
        try await TestCluster.script(
            """
            create temporary table made (delivery text, device text, kind text, at timestamptz, campaign text);
            insert into made \(rows);
            insert into afterpush.events (
                delivery_id, event_id, device_time, occurred_at, batch_id, app_id, kind, verified, device_id,
                notification_id, campaign_id, variant, platform, action_identifier, name, value, currency,
                utc_offset_minutes, reason
            )
            select
                case
                    when delivery is null then afterpush.device_identity(\(app.app.id), device)
                    else md5(delivery)::uuid
                end,
                gen_random_uuid(), at, at, \(batch), \(app.app.id), kind::afterpush.event_kind, \(verified), device,
                delivery, campaign, case when campaign is not null then length(device) % 2 end, 'ios',
                case when kind = 'action' then 'book' end,
                case when kind = 'converted' then 'order' end, case when kind = 'converted' then 5 end,
                case when kind = 'converted' then 'EUR' end, 60, case when kind = 'failed' then 'x' end
            from made;
            insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected)
            select \(batch), \(app.app.id), now(), count(*), 0, 0, 0 from made;
            """, on: app.conninfo)
        try await app.rollUp()
    }

    private func numbers(_ app: TestApp) async throws -> [String] {
        var lines: [String] = []
        for (name, variables) in Self.reports {
            let file = Program.root.appending(path: "sql/reports/\(name).sql")
            let asked = variables.merging(["app": "shop", "verified": "true", "min_n": "1"]) { $1 }
            let rows = CSV.parse(try await Program.psql(app.conninfo, file: file.path, variables: asked))
            let title = name + " " + variables.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
            lines += rows.map { row in title + ": " + row.map(Self.rounded).joined(separator: ",") }
        }
        return lines
    }

    /// A sum of fractions depends on their order in the last digits.
    private static func rounded(_ value: String?) -> String {
        guard let value else { return "" }
        guard value.contains("."), let number = Double(value) else { return value }
        return String(format: "%.9g", number)
    }

    @Test func `no number of forged deliveries changes a report with verified, however many it reads`() async throws {
        let app = try await TestApp()
        // More than any report reads one by one, and a small campaign on later days.
        try await store(
            """
            select 'large ' || i, 'd' || i % 30000, 'sent', '\(Self.day(-20))'::timestamptz - i % 300 * interval '1 hour', 'large'
            from generate_series(1, 105000) as i
            union all
            select 'small ' || i, 'd' || i, k, '\(Self.day(-5))'::timestamptz + after * i * i * interval '1.7 seconds', 'small'
            from generate_series(1, 40) as i
            cross join (
                values
                    ('sent', 0), ('delivered', 0.1), ('opened', 1), ('action', 1.5), ('converted', 2)
            ) as e (k, after)
            where k = 'sent' or i % 5 < 4
            union all
            select null, 'd' || i, 'app_opened', '\(Self.day(-5))'::timestamptz + i * interval '3 minutes', null
            from generate_series(1, 60) as i
            """, verified: true, batch: 1, in: app)
        let before = try await numbers(app)
        // Times of single deliveries, and not those of buckets.
        #expect(before.contains { $0.hasPrefix("response-time campaign=small: 32,612,") }, "\(before)")
        // Of the small campaign, days before and after its own, and more deliveries than reports read one by one; and
        // events of its genuine deliveries.
        try await store(
            """
            select 'forged ' || i, 'd' || i % 30000, ('{opened,delivered,dismissed,action,converted}'::text[])[1 + i % 5],
                '\(Self.day(-4))'::timestamptz - i % 24 * interval '1 hour', 'small'
            from generate_series(1, 110000) as i
            union all
            select 'far ' || i, 'd' || i, 'opened', '\(Self.day(-60))'::timestamptz + i * interval '29 days', 'small'
            from generate_series(0, 2) as i
            union all
            select 'small ' || i, 'd' || i, k, '\(Self.day(-5))'::timestamptz + interval '1 second', 'forged'
            from generate_series(1, 40) as i
            cross join unnest('{opened,delivered,dismissed,action,converted,replaced}'::text[]) as k
            union all
            select null, 'd' || i, 'app_opened', '\(Self.day(-5))'::timestamptz + i * interval '1 minute', null
            from generate_series(1, 60) as i
            """, verified: false, batch: 2, in: app)
        let after = try await numbers(app)
        for (old, new) in zip(before, after) where old != new { Issue.record("\(old)\n\(new)") }
        #expect(before.count == after.count)
    }
}
