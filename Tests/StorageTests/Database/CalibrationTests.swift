import Foundation
import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests on simulated campaigns that nothing distinguishes how often the statistics functions find something.
///
/// `AFTERPUSH_CALIBRATION_RUNS` says how many campaigns to simulate for each case. With 2,000 (`make calibration`) it
/// takes some minutes and prints the tables of docs/how-to-read-the-numbers.md; with the default, a broken formula is
/// found, but not one that is a little off.
@Suite struct CalibrationTests {
    static let runs =
        ProcessInfo.processInfo.environment["AFTERPUSH_CALIBRATION_RUNS"].flatMap { Int($0) } ?? 40
    static let isLong = runs >= 1_000

    /// Allows for the scatter of few runs: three standard deviations.
    static func limit(_ share: Double, of runs: Int) -> Double {
        share + (isLong ? 0 : 3 * (share * (1 - share) / Double(runs)).squareRoot())
    }

    /// What the looks at one campaign found.
    private static let looked = """
        select
            bool_or(verdict in ('better', 'worse', 'sample_ratio_mismatch')),
            bool_or(p < 0.05),
            bool_or(verdict = 'equivalent')
        from (
            select
                afterpush.two_proportion_p(k1, n1, k0, n0, effect1, effect0) as p,
                afterpush.experiment_verdict(
                    afterpush.sample_ratio_p_anytime(array[n1, n0], array[1, 1], ratio_effect),
                    afterpush.difference_low_anytime(k1, n1, k0, n0, effect1, effect0, 10000, 1),
                    afterpush.difference_high_anytime(k1, n1, k0, n0, effect1, effect0, 10000, 1),
                    0.01, least(n1, n0) < 30
                ) as verdict
            from (\(counted())) as c
        ) as look
        where p is not null
        """

    /// The numbers of each look: deliveries and conversions of two variants, from their counts by device bucket.
    ///
    /// - Parameter weights: the declared ones, of the first variant and the second.
    static func counted(weights: String = "array[1, 1]") -> String {
        """
        select
            *,
            afterpush.design_effect(afterpush.ratio_variance(b1, c1), k1, n1) as effect1,
            afterpush.design_effect(afterpush.ratio_variance(b0, c0), k0, n0) as effect0,
            afterpush.sample_ratio_design_effect(
                n1 + n0,
                array[
                    afterpush.ratio_variance(shared, b1),
                    afterpush.ratio_variance(shared, b0)
                ],
                \(weights)
            ) as ratio_effect
        from (
            select
                b1, c1, b0, c0,
                (select sum(b) from unnest(b1) as b)::bigint as n1,
                (select sum(b) from unnest(c1) as b)::bigint as k1,
                (select sum(b) from unnest(b0) as b)::bigint as n0,
                (select sum(b) from unnest(c0) as b)::bigint as k0,
                array(select one + other from unnest(b1, b0) as b (one, other)) as shared
            from unnest($1, $2, $3, $4) as t (b1_text, c1_text, b0_text, c0_text)
            cross join lateral (
                select b1_text::bigint[], c1_text::bigint[], b0_text::bigint[], c0_text::bigint[]
            ) as b (b1, c1, b0, c0)
            offset 0
        ) as summed
        offset 0
        """
    }

    /// Deliveries and conversions of two variants by device bucket.
    struct Arms {
        var deliveries = [[Int]](repeating: [Int](repeating: 0, count: 128), count: 2)
        var conversions = [[Int]](repeating: [Int](repeating: 0, count: 128), count: 2)

        mutating func add(_ count: Int, rate: Double, arm: Int, bucket: Int, _ random: inout SeededGenerator) {
            deliveries[arm][bucket] += count
            for _ in 0..<count where random.happens(rate) { conversions[arm][bucket] += 1 }
        }
    }

    static func parameters(_ looks: [Arms]) -> [Parameter] {
        func text(_ counts: (Arms) -> [Int]) -> Parameter {
            .textArray(looks.map { "{" + counts($0).map(String.init).joined(separator: ",") + "}" })
        }
        return [
            text { $0.deliveries[1] }, text { $0.conversions[1] }, text { $0.deliveries[0] },
            text { $0.conversions[0] },
        ]
    }

    @Test(arguments: [0.002, 0.02, 0.2])
    func `a look each day for a month raises a false alarm in at most 5 percent of campaigns`(rate: Double) async throws
    {
        let app = try await TestApp()
        var random = SeededGenerator(seed: 21)
        var (alarms, formerAlarms, equivalent) = (0, 0, 0)
        try await app.database.report.withConnection { connection in
            for _ in 0..<Self.runs {
                var arms = Arms()
                var looks: [Arms] = []
                for _ in 0..<30 {
                    // Some 600 devices a day with a notification each, assigned to a variant at random.
                    for _ in 0..<600 {
                        let hash = random.next()
                        arms.add(1, rate: rate, arm: Int(hash >> 40 & 1), bucket: Int(hash & 127), &random)
                    }
                    looks.append(arms)
                }
                let rows = try await connection.query(Self.looked, Self.parameters(looks))
                let (alarm, former, same) = try rows[0].decode(Bool.self, Bool.self, Bool.self)
                alarms += alarm ? 1 : 0
                formerAlarms += former ? 1 : 0
                equivalent += same ? 1 : 0
            }
        }
        func percent(_ count: Int) -> String { String(format: "%.1f %%", 100 * Double(count) / Double(Self.runs)) }
        print("| \(rate * 100) % | \(percent(alarms)) | \(percent(formerAlarms)) | \(percent(equivalent)) |")
        #expect(Double(alarms) <= Self.limit(0.05, of: Self.runs) * Double(Self.runs))
        // The test for one look: the reason for the other columns.
        #expect(Double(formerAlarms) >= (Self.isLong ? 0.2 : 0.05) * Double(Self.runs) || rate < 0.01)
    }

    /// Whether the intervals of one campaign hold the truth, and whether its split is rejected.
    private static let covered = """
        select
            $5 between afterpush.wilson_low(k1, n1, effect1) and afterpush.wilson_high(k1, n1, effect1),
            $5 between afterpush.wilson_low(k1, n1) and afterpush.wilson_high(k1, n1),
            0 between afterpush.difference_low(k1, n1, k0, n0, effect1, effect0)
                and afterpush.difference_high(k1, n1, k0, n0, effect1, effect0),
            afterpush.sample_ratio_p(array[n1, n0], array[1, 1], ratio_effect) < 0.01,
            afterpush.sample_ratio_p(array[n1, n0], array[1, 1]) < 0.01,
            afterpush.sample_ratio_p_anytime(array[n1, n0], array[1, 1], ratio_effect) < 0.01
        from (\(counted())) as c
        """

    @Test(arguments: [1, 5, 20])
    func `intervals cover and fair splits pass with several deliveries of devices that differ`(perDevice: Int)
        async throws
    {
        let app = try await TestApp()
        var random = SeededGenerator(seed: 5)
        var counts = [Int](repeating: 0, count: 6)
        try await app.database.report.withConnection { connection in
            for _ in 0..<Self.runs {
                var arms = Arms()
                // Devices, and not deliveries, are assigned to a variant. They convert 5 % on average, but most of them
                // hardly ever and some of them often.
                for _ in 0..<1_000 {
                    let hash = random.next()
                    let rate = Self.beta(0.25, 4.75, &random)
                    arms.add(perDevice, rate: rate, arm: Int(hash >> 40 & 1), bucket: Int(hash & 127), &random)
                }
                let rows = try await connection.query(Self.covered, Self.parameters([arms]) + [.float8(0.05)])
                for column in 0..<6 where try rows[0].decode(Bool.self, column: column) { counts[column] += 1 }
            }
        }
        let shares = counts.map { Double($0) / Double(Self.runs) }
        let cells = shares.map { String(format: "%.1f %%", 100 * $0) }.joined(separator: " | ")
        print("| \(perDevice) | \(cells) |")
        let scatter = Self.isLong ? 0 : 3 * (0.05 * 0.95 / Double(Self.runs)).squareRoot()
        #expect(shares[0] >= 0.935 - scatter && shares[0] <= 0.965 + scatter)
        #expect(shares[2] >= 0.935 - scatter && shares[2] <= 0.965 + scatter)
        // At one look 1 % are due, and a little more because 128 buckets don't give the variance exactly.
        #expect(shares[3] <= Self.limit(0.015, of: Self.runs))
        #expect(shares[5] <= Self.limit(0.015, of: Self.runs))
    }

    /// Whether the intervals of a change that one delivery in eight shows contain 0: of a rate over the deliveries of the sample,
    /// and of one over declared sends. $5 and $6 have the sampled deliveries and conversions of both.
    private static let sampled = """
        select
            0 between afterpush.difference_low(
                8 * s1, 8 * m1, 8 * s0, 8 * m0, effect1 + afterpush.sample_effect(8, 8 * s1, 8 * m1, false),
                effect0 + afterpush.sample_effect(8, 8 * s0, 8 * m0, false)
            ) and afterpush.difference_high(
                8 * s1, 8 * m1, 8 * s0, 8 * m0, effect1 + afterpush.sample_effect(8, 8 * s1, 8 * m1, false),
                effect0 + afterpush.sample_effect(8, 8 * s0, 8 * m0, false)
            ),
            0 between afterpush.difference_low(
                8 * s1, n1, 8 * s0, n0, effect1 + afterpush.sample_effect(8, 8 * s1, n1, true),
                effect0 + afterpush.sample_effect(8, 8 * s0, n0, true)
            ) and afterpush.difference_high(
                8 * s1, n1, 8 * s0, n0, effect1 + afterpush.sample_effect(8, 8 * s1, n1, true),
                effect0 + afterpush.sample_effect(8, 8 * s0, n0, true)
            )
        from (\(counted())) as c
        cross join lateral (select ($5::text::bigint[])[1] as m1, ($5::text::bigint[])[2] as m0) as m
        cross join lateral (select ($6::text::bigint[])[1] as s1, ($6::text::bigint[])[2] as s0) as s
        """

    @Test(arguments: [1, 5, 20], [0.05, 0.8])
    func `intervals of a change cover if one delivery in eight is read`(perDevice: Int, rate: Double) async throws {
        let app = try await TestApp()
        var random = SeededGenerator(seed: 8)
        var counts = [0, 0]
        try await app.database.report.withConnection { connection in
            for _ in 0..<Self.runs {
                var periods = Arms()
                var deliveries = [0, 0]
                var conversions = [0, 0]
                for device in 0..<(16_000 / perDevice) {
                    let (period, bucket) = (device % 2, Int(random.next() & 127))
                    let own = rate < 0.5 ? Self.beta(0.25, 4.75, &random) : Self.beta(2, 0.5, &random)
                    for _ in 0..<perDevice {
                        let converts = random.happens(own)
                        periods.add(1, rate: converts ? 1 : 0, arm: period, bucket: bucket, &random)
                        guard random.happens(0.125) else { continue }
                        deliveries[period] += 1
                        conversions[period] += converts ? 1 : 0
                    }
                }
                func text(_ pair: [Int]) -> Parameter { .text("{\(pair[1]),\(pair[0])}") }
                let rows = try await connection.query(
                    Self.sampled, Self.parameters([periods]) + [text(deliveries), text(conversions)])
                for column in 0..<2 where try rows[0].decode(Bool?.self, column: column) == true { counts[column] += 1 }
            }
        }
        let shares = counts.map { Double($0) / Double(Self.runs) }
        print(
            String(
                format: "| %d | %.0f %% | %.1f %% | %.1f %% |", perDevice, 100 * rate, 100 * shares[0], 100 * shares[1])
        )
        let scatter = Self.isLong ? 0 : 3 * (0.05 * 0.95 / Double(Self.runs)).squareRoot()
        #expect(shares[0] >= 0.935 - scatter && shares[0] <= 0.97 + scatter)
        #expect(shares[1] >= 0.935 - scatter)
    }

    /// Whether the interval of a change within devices contains 0, and whether the interval of the difference of the rates
    /// does, for each campaign: its sums over devices, and its deliveries and responses after many and after few others.
    private static let unchanged = """
        select
            count(*) filter (
                where abs(u / w) <= afterpush.within_device_margin(devices::bigint, u, w, uu, uw, ww)
            ),
            count(*) filter (
                where 0 between afterpush.difference_low(k1::bigint, n1::bigint, k0::bigint, n0::bigint)
                    and afterpush.difference_high(k1::bigint, n1::bigint, k0::bigint, n0::bigint)
            )
        from unnest($1) as t (line)
        cross join lateral (
            select
                s[1] as devices, s[2] as u, s[3] as w, s[4] as uu, s[5] as uw, s[6] as ww,
                s[7] as n1, s[8] as k1, s[9] as n0, s[10] as k0
            from cast(line as double precision[]) as s
        ) as c
        """

    @Test(arguments: [1, 5, 20])
    func `a change within devices is 0 if nothing changes, although the active get more notifications`(perDevice: Int)
        async throws
    {
        let app = try await TestApp()
        var random = SeededGenerator(seed: 9)
        var lines: [String] = []
        for _ in 0..<Self.runs {
            // Devices, u, w, their squares and product; deliveries and responses of both sides.
            var sums = [Double](repeating: 0, count: 10)
            for _ in 0..<500 {
                // They respond to 5 % on average, and those who respond more have more deliveries after many others.
                let rate = Self.beta(0.25, 4.75, &random)
                let many = Int((Double(perDevice) * min(5, rate / 0.05)).rounded(.up))
                func responses(_ count: Int) -> Double {
                    Double((0..<count).count { _ in random.happens(rate) })
                }
                let (n1, k1) = (Double(many), responses(many))
                let (n0, k0) = (Double(perDevice), responses(perDevice))
                let (u, w) = ((k1 * n0 - k0 * n1) / (n1 + n0), n1 * n0 / (n1 + n0))
                for (place, term) in [1, u, w, u * u, u * w, w * w, n1, k1, n0, k0].enumerated() { sums[place] += term }
            }
            lines.append("{" + sums.map { "\($0)" }.joined(separator: ",") + "}")
        }
        let counts = try await app.database.report.withConnection { connection in
            try await connection.query(Self.unchanged, [.textArray(lines)])[0].decode(Int64.self, Int64.self)
        }
        let (within, between) = (Double(counts.0) / Double(Self.runs), Double(counts.1) / Double(Self.runs))
        print(String(format: "| %d | %.1f %% | %.1f %% |", perDevice, 100 * within, 100 * between))
        #expect(within >= 1 - Self.limit(0.065, of: Self.runs))
        #expect(within <= (Self.isLong ? 0.975 : 1))
        // The difference of the rates is that of different people.
        #expect(between < 0.2)
    }

    /// A beta variate, by M. D. Jöhnk's method.
    static func beta(_ a: Double, _ b: Double, _ random: inout SeededGenerator) -> Double {
        while true {
            let x = pow(Double.random(in: 0..<1, using: &random), 1 / a)
            let y = pow(Double.random(in: 0..<1, using: &random), 1 / b)
            if x + y <= 1, x + y > 0 { return x / (x + y) }
        }
    }
}
