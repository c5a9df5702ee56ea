import Foundation
import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests on simulated campaigns how often intervals of value contain the truth, with purchases of very different size.
///
/// `AFTERPUSH_CALIBRATION_RUNS` says how many campaigns to simulate for each case, as for `CalibrationTests`.
@Suite struct ValueCalibrationTests {
    private static let runs =
        ProcessInfo.processInfo.environment["AFTERPUSH_CALIBRATION_RUNS"].flatMap { Int($0) } ?? 40
    private static let isLong = runs >= 1_000

    /// The sums of a variant's values, in hundredths.
    private struct Arm {
        var valued = 0
        var total = 0
        var squares = 0
    }

    private static let mean = 40.0

    /// Purchases whose logarithm has the normal distribution with standard deviation `spread`.
    private static func arm(_ deliveries: Int, rate: Double, spread: Double, _ random: inout SeededGenerator) -> Arm {
        var arm = Arm()
        var delivery = 0
        while true {
            // How many deliveries without a purchase come before the next one.
            let none = log(1 - Double.random(in: 0..<1, using: &random)) / log(1 - rate)
            guard none < Double(deliveries - delivery) else { return arm }
            delivery += Int(none) + 1
            let (u, v) = (Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random))
            let normal = (-2 * log(1 - u)).squareRoot() * cos(2 * Double.pi * v)
            let cents = Int((100 * mean * exp(spread * normal - spread * spread / 2)).rounded())
            arm.valued += 1
            arm.total += cents
            arm.squares += cents * cents
        }
    }

    /// Of campaigns of $5 deliveries per variant, how often the mean of the first contains $6, and the difference 0.
    private static let covered = """
        select
            avg((abs(m1 - $6) <= afterpush.mean_value_margin(t1, q1, v1, n, 1))::integer)::double precision,
            avg((abs(m1 - m0) <= afterpush.welch_margin(
                afterpush.value_variance(t1, q1, n)::double precision, n,
                afterpush.value_variance(t0, q0, n)::double precision, n
            ))::integer)::double precision
        from (
            select
                n, v1, t1, q1, t0, q0,
                afterpush.mean_value(t1, v1, n, 1) as m1,
                afterpush.mean_value(t0, 0, n, 1) as m0
            from (
                select
                    $5::bigint as n, v1::bigint, t1::numeric / 100 as t1, q1::numeric / 10000 as q1,
                    t0::numeric / 100 as t0, q0::numeric / 10000 as q0
                from unnest($1::text[]) with ordinality as a (v1, place)
                join unnest($2::text[]) with ordinality as b (t1, place) using (place)
                join unnest($3::text[]) with ordinality as c (q1, place) using (place)
                join unnest($4::text[]) with ordinality as d (other, place) using (place)
                cross join lateral (
                    select split_part(other, ' ', 1) as t0, split_part(other, ' ', 2) as q0
                ) as o
            ) as sums
        ) as means
        """

    @Test(arguments: [(1.0, 2_000), (1.0, 10_000), (1.0, 40_000), (1.5, 2_000), (1.5, 10_000), (1.5, 40_000)])
    func `intervals of value contain the truth although few purchases make up most of it`(
        spread: Double, deliveries: Int
    ) async throws {
        let app = try await TestApp()
        var random = SeededGenerator(seed: 9)
        let campaigns = (0..<Self.runs).map { _ in
            (0..<2).map { _ in Self.arm(deliveries, rate: 0.05, spread: spread, &random) }
        }
        let shares = try await app.database.report.withConnection { connection in
            let rows = try await connection.query(
                Self.covered,
                [
                    .textArray(campaigns.map { "\($0[0].valued)" }), .textArray(campaigns.map { "\($0[0].total)" }),
                    .textArray(campaigns.map { "\($0[0].squares)" }),
                    .textArray(campaigns.map { "\($0[1].total) \($0[1].squares)" }), .text("\(deliveries)"),
                    .float8(0.05 * Self.mean),
                ])
            return try rows[0].decode(Double.self, Double.self)
        }
        func percent(_ share: Double) -> String { String(format: "%.1f %%", 100 * share) }
        print("| \(spread) | \(deliveries / 20) | \(percent(shares.0)) | \(percent(shares.1)) |")
        let scatter = Self.isLong ? 0 : 3 * (0.05 * 0.95 / Double(Self.runs)).squareRoot()
        // The interval of a difference is right with fewer purchases, because the tails of both variants offset each other.
        #expect(shares.1 >= 0.935 - scatter)
        #expect(shares.0 >= (spread > 1 ? 0.83 : deliveries < 10_000 ? 0.9 : 0.93) - scatter)
    }

    /// The sums of a variant's values by device bucket, in hundredths.
    private struct BucketArm {
        var deliveries = [Int](repeating: 0, count: 128)
        var values = [Int](repeating: 0, count: 128)
        var (valued, squares) = (0, 0)

        mutating func add(_ count: Int, rate: Double, spread: Double, _ random: inout SeededGenerator) {
            let bucket = Int(random.next() & 127)
            deliveries[bucket] += count
            for _ in 0..<count where random.happens(rate) {
                let (u, v) = (Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random))
                let normal = (-2 * log(1 - u)).squareRoot() * cos(2 * Double.pi * v)
                let cents = Int(
                    (100 * ValueCalibrationTests.mean * exp(spread * normal - spread * spread / 2)).rounded())
                values[bucket] += cents
                valued += 1
                squares += cents * cents
            }
        }
    }

    /// Whether the interval of the first variant's mean contains $9, and that of the difference 0; then the same without
    /// design effects.
    private static let coveredByDevice = """
        select
            abs(m1 - $9) <= afterpush.mean_value_margin(t1, q1, v1, n1, 1, effect1),
            abs(m1 - m0) <= afterpush.welch_margin(s1, n1 / effect1, s0, n0 / effect0),
            abs(m1 - $9) <= afterpush.mean_value_margin(t1, q1, v1, n1, 1),
            abs(m1 - m0) <= afterpush.welch_margin(s1, n1, s0, n0)
        from (
            select
                *,
                t1 / n1 as m1,
                t0 / n0 as m0,
                afterpush.value_variance(t1, q1, n1)::double precision as s1,
                afterpush.value_variance(t0, q0, n0)::double precision as s0,
                afterpush.value_design_effect(packed1, places, b1, q1) as effect1,
                afterpush.value_design_effect(packed0, places, b0, q0) as effect0
            from (
                select
                    array(select n::smallint from generate_series(0, 127) as n) as places,
                    (select sum((n || 'e' || (place - 1) * 8)::numeric)
                     from unnest($1::text::bigint[]) with ordinality as u (n, place)) as packed1,
                    (select sum((n || 'e' || (place - 1) * 8)::numeric)
                     from unnest($5::text::bigint[]) with ordinality as u (n, place)) as packed0,
                    (select sum(n)::bigint from unnest($1::text::bigint[]) as n) as n1,
                    (select sum(n)::bigint from unnest($5::text::bigint[]) as n) as n0,
                    array(select v / 100.0 from unnest($2::text::bigint[]) as v) as b1,
                    array(select v / 100.0 from unnest($6::text::bigint[]) as v) as b0,
                    (select sum(v) / 100.0 from unnest($2::text::bigint[]) as v) as t1,
                    (select sum(v) / 100.0 from unnest($6::text::bigint[]) as v) as t0,
                    $3::text::numeric / 10000 as q1, $7::text::numeric / 10000 as q0,
                    $4::text::bigint as v1, $8::text::bigint as v0
            ) as sums
        ) as effects
        """

    @Test(arguments: [1, 5, 20])
    func `intervals of value contain the truth with several deliveries of devices that differ`(perDevice: Int)
        async throws
    {
        let app = try await TestApp()
        var random = SeededGenerator(seed: 12)
        var counts = [Int](repeating: 0, count: 4)
        func text(_ numbers: [Int]) -> Parameter {
            .text("{" + numbers.map(String.init).joined(separator: ",") + "}")
        }
        try await app.database.report.withConnection { connection in
            for _ in 0..<Self.runs {
                var arms = [BucketArm(), BucketArm()]
                for device in 0..<4_000 {
                    // 5 % of the deliveries lead to a purchase; most devices hardly ever buy.
                    let rate = CalibrationTests.beta(0.5, 9.5, &random)
                    arms[device & 1].add(perDevice, rate: rate, spread: 1, &random)
                }
                let parameters = arms.flatMap { arm -> [Parameter] in
                    [text(arm.deliveries), text(arm.values), .text("\(arm.squares)"), .text("\(arm.valued)")]
                }
                let rows = try await connection.query(
                    Self.coveredByDevice, parameters + [.float8(0.05 * Self.mean)])
                for column in 0..<4 where try rows[0].decode(Bool.self, column: column) { counts[column] += 1 }
            }
        }
        let shares = counts.map { Double($0) / Double(Self.runs) }
        print("| \(perDevice) | " + shares.map { String(format: "%.1f %%", 100 * $0) }.joined(separator: " | ") + " |")
        let scatter = Self.isLong ? 0 : 3 * (0.05 * 0.95 / Double(Self.runs)).squareRoot()
        #expect(shares[0] >= 0.92 - scatter && shares[1] >= 0.935 - scatter)
    }
}
