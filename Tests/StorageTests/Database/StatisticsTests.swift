import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite struct StatisticsTests {
    /// k, n, and the bounds with 16 digits: roots of the score equation, computed independently with 30 digits.
    static let published: [(k: Int64, n: Int64, low: Double, high: Double)] = WilsonValues.all

    @Test func `Wilson bounds equal the published ones within 1e-9`() async throws {
        let app = try await TestApp()
        try await app.database.report.withConnection { connection in
            for value in Self.published {
                let rows = try await connection.query(
                    "select afterpush.wilson_low($1, $2), afterpush.wilson_high($1, $2)",
                    [.int8(value.k), .int8(value.n)])
                let (low, high) = try rows[0].decode(Double.self, Double.self)
                #expect(abs(low - value.low) < 1e-9, "low of \(value.k)/\(value.n): \(low)")
                #expect(abs(high - value.high) < 1e-9, "high of \(value.k)/\(value.n): \(high)")
            }
        }
    }

    @Test func `bounds are exactly 0 and 1 at the ends, and null without data`() async throws {
        let app = try await TestApp()
        let cases: [(String, String?)] = [
            ("afterpush.wilson_low(0, 10)", "0"), ("afterpush.wilson_high(10, 10)", "1"),
            ("afterpush.wilson_low(0, 0)", nil), ("afterpush.wilson_high(0, 0)", nil),
            ("afterpush.wilson_low(11, 10)", nil), ("afterpush.wilson_high(-1, 10)", nil),
            ("afterpush.rate(3, 10, 10)", "0.3"), ("afterpush.rate(3, 10, 11)", nil),
            ("afterpush.rate(0, 0, 1)", nil), ("afterpush.rate(4, 3, 1)", nil), ("afterpush.rate(-1, 3, 1)", nil),
            ("afterpush.rate_low(3, 10, 11)", nil), ("afterpush.rate_high(3, 10, 11)", nil),
            ("afterpush.suppressed(30, 0, 29)", "t"), ("afterpush.suppressed(30, 0, 30)", "f"),
            ("afterpush.suppressed(30, 40, null, 1)", "t"), ("afterpush.suppressed(30, null, 30)", "f"),
            ("afterpush.suppressed(30, 0)", "f"), ("afterpush.suppressed(null, 1)", "f"),
        ]
        for (expression, expected) in cases {
            #expect(try await app.value("select \(expression)") == expected, "\(expression)")
        }
    }

    @Test func `a quantile of cumulative counts is the first bucket that reaches the rank`() async throws {
        let app = try await TestApp()
        let seed = Double.random(in: -1...1)
        let wrong = try await app.value(
            """
            with seeded as materialized (select setseed(\(seed))),
            counted as materialized (
                select list, (first + step)::smallint as bucket, (1 + floor(random() * most))::bigint as count
                from (
                    select
                        list, floor(random() * 300)::integer - 1 as first,
                        case when random() < 0.5 then 3 else 400 end as most
                    from seeded, generate_series(1, 300) as list
                ) as lists
                cross join generate_series(0, 40) as step
                where step = 0 or random() < 0.1
            ),
            running as (
                select
                    *, sum(count) over (partition by list order by bucket) as reached,
                    sum(count) over (partition by list) as total
                from counted
            ),
            stored as (
                select
                    list,
                    afterpush.running_totals_of(array_agg(bucket order by bucket), array_agg(count order by bucket)) as times
                from counted
                group by list
            )
            select count(*) || ' of ' || (select count(*) from counted)
            from stored
            cross join unnest('{1,25,50,90,99,100}'::integer[]) as percent
            where afterpush.running_totals_quantile(times, percent) is distinct from (
                select min(bucket) from running as r where r.list = stored.list and reached * 100 >= total * percent
            )
            """)
        #expect(wrong?.hasPrefix("0 of ") == true && wrong != "0 of 0", "seed \(seed): \(wrong ?? "nil")")
        #expect(try await app.value("select afterpush.running_totals_quantile('{}', 50)") == nil)
    }

    @Test func `a bucket represents every duration in it within 4 percent`() async throws {
        let app = try await TestApp()
        let worst = try await app.value(
            """
            select max(abs(afterpush.bucket_seconds(afterpush.time_bucket(make_interval(secs => s))) - s) / s) < 0.04
            from (select exp(i / 50.0) as s from generate_series(-345, 800) as i) as durations
            """)
        #expect(worst == "t")
        #expect(try await app.value("select afterpush.time_bucket(interval '-1 s')") == "-1")
        #expect(try await app.value("select afterpush.bucket_seconds(-1::smallint)") == "0")
        #expect(try await app.value("select afterpush.time_bucket(null)") == "-2")
    }
}
