import Foundation
import Storage
import TestSupport
import Testing

/// Tests the comparison of report `overview` in an app with so many deliveries that it reads a sample of them.
@Suite struct SampledComparisonTests {
    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    /// Stores deliveries of a device each.
    ///
    /// - Parameters:
    ///   - sentAt: When delivery `i` was sent, as SQL.
    ///   - openedAt: When it was opened, or null, as SQL from `i`, `sent_at`, and three numbers `u`, `v` and `w` from 0 to 1
    ///     that look random.
    private func store(_ count: Int, sentAt: String, openedAt: String) async throws {
        func number(_ name: String) -> String {
            "((('x' || substr(md5('\(name)' || i), 1, 8))::bit(32)::bigint + 0.5) / 4294967296)::double precision"
        }
        try await app.superuserValue(
            """
            with batch as (
                insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected)
                values (nextval('afterpush.batch_ids'), \(app.app.id), now(), \(count), 0, 0, 0)
                returning batch_id
            )
            insert into afterpush.events (
                batch_id, app_id, delivery_id, event_id, device_time, occurred_at, kind, verified, device_id,
                notification_id
            )
            select
                (select batch_id from batch), \(app.app.id), md5('delivery' || i)::uuid,
                md5(kind || i)::uuid, at, at, kind::afterpush.event_kind, true, 'device-' || i, 'n'
            from (
                select *, \(openedAt) as opened_at
                from (
                    select
                        i, \(sentAt) as sent_at,
                        \(number("u")) as u, \(number("v")) as v, \(number("w")) as w
                    from generate_series(1, \(count)) as i
                ) as sent
            ) as made
            cross join lateral (values ('sent', sent_at), ('opened', opened_at)) as e (kind, at)
            where at <= now()
            """)
        try await app.rollUp()
    }

    /// Makes the report read a sample of this level, however many deliveries there are; 0 is all.
    private func read(sampleLevel: Int) async throws {
        try await app.superuserValue(
            """
            create or replace function afterpush.sample_level(deliveries bigint) returns integer
            language sql immutable strict parallel safe
            return \(sampleLevel)
            """)
    }

    private static let overview = Program.root.appending(path: "sql/reports/overview.sql").path

    /// The tables that report `overview` prints when psql runs a file, a row by metric each.
    private func overviews(
        _ file: String, _ period: [String: String]
    ) async throws -> [[String: [String: String]]] {
        let lines = CSV.parse(
            try await Program.psql(app.conninfo, file: file, variables: ["app": "shop"].merging(period) { $1 }))
        let head = try #require(lines.first)
        var tables: [[String: [String: String]]] = []
        for line in lines {
            if line == head {
                tables.append([:])
            } else {
                let values = zip(head, line).map { ($0 ?? "", $1 ?? "") }
                tables[tables.count - 1][line[0] ?? ""] = Dictionary(uniqueKeysWithValues: values)
            }
        }
        return tables
    }

    private func overview(_ period: [String: String]) async throws -> [String: [String: String]] {
        try #require(try await overviews(Self.overview, period).first)
    }

    private func number(_ column: String, of row: [String: String]?) throws -> Double {
        try #require(row?[column].flatMap { Double($0) }, "\(column) of \(row ?? [:])")
    }

    @Test func `nothing changes, so no rate of a large app falls in the last day`() async throws {
        let hour = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 3600).rounded(.down) * 3600)
        let times = [48, 24, 0].map { hour.addingTimeInterval(-Double($0) * 3600).formatted(.iso8601) }
        // A fifth is opened, half of that within three hours.
        try await store(
            60_000, sentAt: "timestamptz '\(times[2])' - i * interval '48 hours' / 60000",
            openedAt: "case when u < 0.2 then sent_at + exp(afterpush.normal_quantile(v)) * interval '3 hours' end")
        // At any age, the rate clearly falls.
        let fall = try await app.superuserValue(
            """
            select afterpush.difference_high(a.opened, a.base_n, b.opened, b.base_n)
            from (values (
                afterpush.report_bases('shop', null, null, null, null, null, null, false, 'auto')
            )) as chosen (bases)
            cross join lateral afterpush.report_counts(
                'shop', '\(times[1])', '\(times[2])', null, null, null, null, false, bases, '', 'UTC'
            ) as a
            cross join lateral afterpush.report_counts(
                'shop', '\(times[0])', '\(times[1])', null, null, null, null, false, bases, '', 'UTC'
            ) as b
            """)
        #expect(try #require(fall.flatMap { Double($0) }) < -0.01)

        let period = ["from": times[1], "to": times[2]]
        let sampled = try await overview(period)
        for metric in ["response_rate", "open_rate", "delivery_rate"] {
            let row = sampled[metric]
            #expect(row?["compared_share"] == "0.125")
            #expect(try number("within_seconds", of: row) >= 43_200)
            #expect(try number("n", of: row) == 30_000)
            #expect(try number("change_low", of: row) <= 0 && number("change_high", of: row) >= 0, "\(row ?? [:])")
        }
        // Sends are counted, and what happened to them by some age is estimated.
        #expect(sampled["sent"]?["previous"] == "30000" && sampled["sent"]?["change"] == "0")
        #expect(abs(try number("previous", of: sampled["delivered"]) / 3_000 - 1) < 0.2)

        try await read(sampleLevel: 0)
        let exact = try await overview(period)
        let (row, estimate) = (exact["open_rate"], sampled["open_rate"])
        #expect(row?["compared_share"] == "1")
        let (low, high) = (try number("change_low", of: estimate), try number("change_high", of: estimate))
        #expect(try low < number("change", of: row) && number("change", of: row) < high)
        // An eighth of the deliveries gives an interval that is 2.8 times as wide.
        let width = try number("change_high", of: row) - number("change_low", of: row)
        #expect(abs((high - low) / width - 8.0.squareRoot()) < 0.3, "\(high - low) \(width)")
        // The numbers of the period are not estimated.
        for column in ["value", "low", "high", "n", "base_n", "devices", "open_share"] {
            #expect(estimate?[column] == row?[column])
        }
    }

    @Test func `a comparison of all deliveries lies in the interval of one of a sample`() async throws {
        // Two days in which the rate rose from 20 to 24 percent.
        try await store(
            3_200, sentAt: "timestamptz '2026-11-12' - i * interval '48 hours' / 3200",
            openedAt: "case when u < 0.2 + 0.04 * (i <= 1600)::integer then sent_at + v * interval '2 days' end")
        let period = ["from": "2026-11-11", "to": "2026-11-12", "min_n": "1"]
        let exact = try await overview(period)
        try await read(sampleLevel: 1)
        let runs = 200
        // Other ids are another sample. What the reports read of these deliveries is in the table of deliveries alone.
        let script = (1...runs).map { run in
            """
            update afterpush.deliveries set delivery_id = md5('c\(run) ' || delivery_id)::uuid;
            \(run % 10 == 0 ? "vacuum afterpush.deliveries;" : "")
            \\i \(Self.overview)
            """
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "sampled-\(UUID().uuidString).sql")
        try script.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let samples = try await overviews(file.path, period)
        try #require(samples.count == runs)
        let change = try number("change", of: exact["open_rate"])
        let countChange = try number("change", of: exact["responded"])
        var contained = 0
        var countsContained = 0
        var (previous, scatter) = (0.0, 0.0)
        for sample in samples {
            let row = sample["open_rate"]
            if try number("change_low", of: row) <= change, try change <= number("change_high", of: row) {
                contained += 1
            }
            let counts = sample["responded"]
            if try number("change_low", of: counts) <= countChange, try countChange <= number("change_high", of: counts)
            {
                countsContained += 1
            }
            previous += try number("previous", of: counts) / Double(runs)
            scatter += try number("change_high", of: row) - number("change_low", of: row)
        }
        #expect(contained >= runs * 93 / 100, "\(contained) of \(runs)")
        #expect(countsContained >= runs * 92 / 100, "\(countsContained) of \(runs)")
        // And not because the intervals are too wide: those of all deliveries are narrower by the root of 8.
        let row = exact["open_rate"]
        let width = try number("change_high", of: row) - number("change_low", of: row)
        #expect(scatter / Double(runs) < 3.1 * width)
        let count = try number("previous", of: exact["responded"])
        // Three standard errors: one in 8 is taken of each of them.
        #expect(abs(previous - count) < 3 * (7 * count / Double(runs)).squareRoot(), "\(previous) \(count)")
        print(
            "\(contained) of \(runs) intervals of samples contain the change of all, \(countsContained) that of counts")
    }
}
