import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite struct StatisticsTests {
    /// The values of k and n, and the bounds: roots of the score equation, computed independently with 30 digits.
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

/// The bounds of Wilson score intervals at 95 %.
///
/// 81 of 263, 15 of 148, 0 of 20 and 1 of 29 are examples of R. G. Newcombe, Two-sided confidence intervals for the
/// single proportion, Statistics in Medicine 17 (1998), 857-872, table I, with four decimals.
enum WilsonValues {
    static let all: [(k: Int64, n: Int64, low: Double, high: Double)] = [
        (0, 1, 0.0, 0.79345068562276261),
        (1, 1, 0.20654931437723739, 1.0),
        (0, 10, 0.0, 0.27753279986288925),
        (10, 10, 0.72246720013711075, 1.0),
        (1, 10, 0.017876213095072904, 0.4041500267952385),
        (5, 10, 0.23659309051256398, 0.76340690948743602),
        (50, 100, 0.40383153036599563, 0.59616846963400437),
        (1, 100, 0.0017674320641406479, 0.054486196178705323),
        (99, 100, 0.94551380382129468, 0.99823256793585935),
        (3, 30, 0.034599888747334182, 0.25621082579184084),
        (81, 263, 0.25528851987827423, 0.36620957698280007),
        (15, 148, 0.06238639953073628, 0.16048724172330804),
        (0, 20, 0.0, 0.16112515805281939),
        (1, 29, 0.0061132142927626605, 0.17175521879320288),
        (123, 4567, 0.022620022313028029, 0.032039816815401246),
        (999999, 1000000, 0.99999433508819569, 0.99999982347542325),
        (1, 1000000, 1.7652457674537147e-7, 5.664911804311443e-6),
        (4000000, 4000000, 0.99999903963621713, 1.0),
        (123456, 2000000, 0.061395308239165699, 0.062062375361440823),
    ]
}
