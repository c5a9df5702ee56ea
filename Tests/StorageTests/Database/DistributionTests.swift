import Postgres
import Storage
import TestSupport
import Testing

/// Tests the statistics functions with the report role.
@Suite struct DistributionTests {
    /// Expects a relative error below 1e-9, except for values below 1e-310, which have lost precision.
    private func expectValues(_ values: [(expression: String, value: Double)]) async throws {
        let app = try await TestApp()
        let list = values.map { "afterpush.\($0.expression)::double precision" }.joined(separator: ", ")
        let found = try await app.database.report.withConnection { connection in
            try await connection.query("select unnest(array[\(list)])").map { try $0.decode(Double?.self, column: 0) }
        }
        try #require(found.count == values.count)
        for (value, found) in zip(values, found) {
            guard let found else {
                Issue.record("\(value.expression) is null, not \(value.value)")
                continue
            }
            let tolerance = 1e-9 * abs(value.value) + 1e-310
            #expect(abs(found - value.value) <= tolerance, "\(value.expression): \(found), not \(value.value)")
        }
    }

    @Test func `the normal distribution and its quantiles are accurate to nine digits, including far tails`()
        async throws
    {
        try await expectValues(DistributionValues.normal)
    }

    @Test func `the upper tail of the chi-square distribution is accurate to nine digits`() async throws {
        try await expectValues(DistributionValues.chiSquare)
    }

    @Test func `Newcombe's interval is accurate to nine digits, including the published examples`() async throws {
        try await expectValues(DistributionValues.differences)
    }

    @Test func `Newcombe's examples have the published results`() async throws {
        let app = try await TestApp()
        let printed: [(String, String, String)] = [
            ("56, 70, 48, 80", "0.0524", "0.3339"), ("9, 10, 3, 10", "0.1705", "0.8090"),
            ("6, 7, 2, 7", "0.0582", "0.8062"), ("5, 56, 0, 29", "-0.0381", "0.1926"),
            ("0, 10, 0, 20", "-0.1611", "0.2775"), ("10, 10, 0, 20", "0.6791", "1.0000"),
        ]
        for (arguments, low, high) in printed {
            let bounds = try await app.value(
                """
                select round(afterpush.difference_low(\(arguments))::numeric, 4) || ' '
                    || round(afterpush.difference_high(\(arguments))::numeric, 4)
                """)
            #expect(bounds == "\(low) \(high)", "\(arguments)")
        }
    }

    @Test func `p values of proportions and sample ratios and needed deliveries are accurate to nine digits`()
        async throws
    {
        try await expectValues(DistributionValues.tests)
    }

    @Test func `Student's t and Welch's interval are accurate to nine digits, including an example of R`() async throws
    {
        try await expectValues(DistributionValues.studentT + DistributionValues.welch + DistributionValues.means)
    }

    @Test func `variances over device buckets and design effects are accurate to nine digits`() async throws {
        try await expectValues(DistributionValues.designEffects)
    }

    @Test func `intervals and tests of clustered deliveries are accurate to nine digits`() async throws {
        try await expectValues(DistributionValues.clustered)
    }

    @Test func `intervals and tests that hold at every look are accurate to nine digits`() async throws {
        try await expectValues(DistributionValues.anytime)
    }

    @Test func `the detectable effect is accurate to nine digits and the inverse of the needed deliveries`()
        async throws
    {
        try await expectValues(DistributionValues.detectableEffects)
        let app = try await TestApp()
        let found = try await app.value(
            """
            select count(*)
            from generate_series(1, 400, 7) as k0
            cross join (values (500), (9000), (100000)) as sizes (n)
            cross join lateral afterpush.detectable_effect(n, k0, n, 1, 1) as effect
            where afterpush.n_needed(k0::double precision / n + effect, k0::double precision / n) not in (n, n + 1)
            """)
        #expect(found == "0")
    }

    @Test func `the anytime interval leaves out 0 exactly when the anytime p is under 5 percent`() async throws {
        let app = try await TestApp()
        let found = try await app.value(
            """
            select
                count(*) filter (where (low > 0 or high < 0) <> (p < 0.05)) || ' of '
                    || (count(*) filter (where p < 0.05) between 50 and count(*) - 50)
            from generate_series(0, 300, 5) as k1
            cross join (values (1000, 1, 1.0), (1000, 3, 1.5), (5000, 2, 1.0), (100000, 1, 4.0))
                as c (planned, comparisons, effect)
            cross join lateral (
                select
                    afterpush.difference_low_anytime(k1, 1000, 120, 900, effect, effect, planned, comparisons),
                    afterpush.difference_high_anytime(k1, 1000, 120, 900, effect, effect, planned, comparisons),
                    afterpush.p_anytime(k1, 1000, 120, 900, effect, effect, planned, comparisons)
            ) as looked (low, high, p)
            """)
        #expect(found == "0 of true")
    }

    /// Examples from R's documentation and `p.adjust`, and cases with ties, nulls, one value and none.
    static let adjusted: [(String, String?)] = [
        ("array[0.01, 0.04, 0.03]", "{0.03,0.06,0.06}"), ("array[0.03, 0.01, 0.04]", "{0.06,0.03,0.06}"),
        ("array[0.6, 0.9]", "{1,1}"), ("array[0.01, 0.01, 0.01]", "{0.03,0.03,0.03}"),
        ("array[0.02, null, 0.01]", "{0.02,NULL,0.02}"), ("array[0.05]", "{0.05}"),
        ("array[0.01, null, 0.04, 0.03]", "{0.03,NULL,0.06,0.06}"),
        ("array[1e-300, 0.5]", "{2e-300,0.5}"),
        ("array[null]", "{NULL}"), ("'{}'", "{}"), ("null", nil),
    ]

    @Test(arguments: Self.adjusted)
    func `Holm's adjustment keeps the order and skips nulls`(p: String, adjusted: String?) async throws {
        let app = try await TestApp()
        #expect(try await app.value("select afterpush.holm((\(p))::double precision[])") == adjusted)
    }

    /// The edge cases, with `nil` for null.
    static let edges: [(String, String?)] = [
        ("two_proportion_p(0, 0, 1, 2)", nil), ("two_proportion_p(1, 2, 0, 0)", nil),
        ("two_proportion_p(0, 10, 0, 20)", "1"), ("two_proportion_p(10, 10, 20, 20)", "1"),
        ("two_proportion_p(1, 10, 2, 20)", "1"), ("two_proportion_p(333333333, 999999999, 1, 3)", "1"),
        ("two_proportion_p(11, 10, 1, 20)", nil), ("two_proportion_p(-1, 10, 1, 20)", nil),
        ("two_proportion_p(null, 10, 1, 20)", nil),
        ("two_proportion_p(0, 1000000000000, 1000000000000, 1000000000000)", "0"),
        ("difference_low(0, 0, 1, 2)", nil), ("difference_high(1, 2, 0, 0)", nil), ("difference_low(3, 2, 1, 2)", nil),
        ("difference_high(1, 2, -1, 2)", nil), ("difference(1, 3, 333333333, 999999999)", "0"),
        ("two_proportion_p(900000000, 1000000000, 1, 1000000000)", "0"), ("difference(0, 0, 1, 2)", nil),
        ("difference(3, 2, 1, 2)", nil),
        ("sample_ratio_p(array[10, 10], array[1, 1])", "1"), ("sample_ratio_p(array[10], array[1])", nil),
        ("sample_ratio_p(array[10, 0], array[1, 0])", nil), ("sample_ratio_p(array[10, 1], array[1, 0])", "0"),
        ("sample_ratio_p(array[10, 10, 0], array[1, 1, 0])", "1"), ("sample_ratio_p(array[0, 0], array[1, 1])", nil),
        ("sample_ratio_p(array[10, -1], array[1, 1])", nil), ("sample_ratio_p(array[10, 1], array[1, -1])", nil),
        ("sample_ratio_p(array[10, 1], array[0, 0])", nil), ("sample_ratio_p(array[10, null], array[1, 1])", nil),
        ("sample_ratio_p(array[10, 10], array[1e308, 1e308])", "1"),
        ("sample_ratio_p(array[10, 10], array[1e-308, 1e308])", "0"), ("sample_ratio_p('{}', '{}')", nil),
        ("n_needed(0.3, 0.3)", nil), ("n_needed(0.12, 0.1)", "3841"), ("n_needed(0.1, 0.12)", "3841"),
        ("n_needed(0, 1)", "2"), ("n_needed(0.3, 1.1)", nil), ("n_needed(-0.1, 0.3)", nil),
        ("n_needed(null, 0.3)", nil), ("n_needed(0.3, 0.30000000001)", nil),
        ("normal_quantile(0)", "-Infinity"), ("normal_quantile(1)", "Infinity"), ("normal_quantile(-0.1)", nil),
        ("normal_quantile(1.1)", nil), ("normal_quantile('nan')", nil), ("normal_cdf('nan')", nil),
        ("normal_cdf('-infinity')", "0"), ("normal_cdf('infinity')", "1"),
        ("chi_square_p(0, 3)", "1"), ("chi_square_p(-1, 1)", nil),
        ("chi_square_p(1, 0)", nil), ("chi_square_p(1, -3)", nil), ("chi_square_p('nan', 3)", nil),
        ("chi_square_p('infinity', 2)", "0"), ("chi_square_p(5e-324, 3)", "1"),
        ("student_t_quantile(0.5)", nil), ("student_t_quantile('nan')", nil), ("student_t_p(0, 5)", "1"),
        ("student_t_quantile('infinity')", "1.959963984540054"), ("student_t_p(1e200, 5)", "0"),
        ("student_t_p(1, 0)", nil), ("welch_margin(1, 1, 1, 10)", nil), ("welch_margin(0, 5, 0, 10)", "0"),
        ("welch_margin(-1, 5, 1, 10)", nil),
        ("mean_value(5, 1, 0, 1)", nil), ("mean_value(5, 1, 29, 30)", nil), ("mean_value(5, 3, 2, 1)", nil),
        ("mean_value(5, 1, 1, 1) = 5", "t"), ("mean_value_margin(5, 25, 1, 1, 1)", nil),
        ("mean_value_margin(0, 0, 0, 50, 1)", "0"), ("mean_value_margin(10, 50, 2, 2, 1)", "0"),
        ("ratio_variance('{}', '{}')", nil), ("ratio_variance(array[0], array[0])", nil),
        ("ratio_variance(array[5], array[2])", "0"), ("design_effect(0.1, 0, 10)", "1"),
        ("design_effect(0.1, 10, 10)", "1"), ("design_effect(null, 5, 10)", "1"), ("design_effect(0.1, 0, 0)", nil),
        ("design_effect(0.001, 5, 10)", "1"), ("sample_ratio_design_effect(10, array[0.1], array[1])", nil),
        ("sample_ratio_design_effect(10, array[0.0001, 0.0001], array[1, 1])", "1"),
        ("wilson_low(0, 10, 2)", "0"), ("wilson_high(10, 10, 2)", "1"), ("wilson_low(0, 0, 1)", nil),
        ("difference_low(0, 0, 1, 2, 1, 1)", nil), ("two_proportion_p(0, 10, 0, 20, 2, 1)", "1"),
        ("two_proportion_p(11, 10, 1, 20, 1, 1)", nil), ("p_anytime(0, 0, 1, 2, 1, 1, 10000, 1)", nil),
        ("p_anytime(3, 2, 1, 2, 1, 1, 10000, 1)", nil), ("p_anytime(10, 100, 10, 100, 1, 1, 10000, 1)", "1"),
        ("p_anytime(0, 100000000, 100000000, 100000000, 1, 1, 10000, 1)", "0"),
        ("difference_low_anytime(0, 0, 1, 2, 1, 1, 10000, 1)", nil),
        ("missing_rates(30, 100, array[1, 0], array[100, 100])", nil),
        ("missing_rates(30, 100, array[1, 0], array[100, 0])", "no_base"),
        ("missing_rates(30, 100, array[1, 2, 0], array[100, 29, 0])", "few"),
        ("missing_rates(30, 100, array[1, 101, 0], array[100, 100, 0])", "uncovered"),
        ("missing_rates(30, 100, array[101, 2], array[100, 29])", "few"),
        ("missing_rates(30, 0, array[1, 0], array[10, 0])", "no_base"),
        ("sample_ratio_p_anytime(array[10], array[1])", nil),
        ("sample_ratio_p_anytime(array[10, 1], array[1, 0])", "0"),
        ("sample_ratio_p_anytime(array[10, 0], array[1, 0])", nil),
        ("sample_ratio_p_anytime(array[0, 0], array[1, 1])", nil),
        ("sample_ratio_p_anytime(array[10, -1], array[1, 1])", nil),
        ("sample_ratio_p_anytime(array[10, 1], '{1, nan}')", nil),
        ("sample_ratio_p_anytime(array[10, null], array[1, 1])", nil),
        ("sample_ratio_p_anytime(array[1000000000000, 0], array[1, 1])", "0"),
        ("detectable_effect(0, 1, 10, 1, 1)", nil), ("detectable_effect(10, 10, 10, 1, 1)", nil),
        ("detectable_effect(1, 9, 10, 1, 1)", nil), ("detectable_effect(10, 1, 0, 1, 1)", nil),
    ]

    /// The arguments of a verdict, and the verdict: the sample ratio goes first, then a difference, then that more is to
    /// come.
    static let verdicts: [(String, String)] = [
        ("0.5, 0.001, 0.02, 0.01, false", "better"), ("0.5, -0.02, -0.001, 0.01, false", "worse"),
        ("0.5, -0.009, 0.01, 0.01, false", "equivalent"), ("0.5, -0.011, 0.005, 0.01, false", "undecided"),
        ("0.5, -0.011, 0.005, 0.01, true", "waiting"), ("0.5, -0.001, 0.001, 0.01, true", "waiting"),
        ("0.5, 0, 0, 0.01, true", "waiting"), ("0.5, 0.001, 0.02, 0.01, true", "better"),
        ("0.0099, 0.001, 0.02, 0.01, false", "sample_ratio_mismatch"), ("0.01, 0, 0.02, 0.01, false", "undecided"),
        ("null, 0.001, 0.02, 0.01, false", "better"), ("null, null, null, 0.01, true", "waiting"),
        ("0.001, null, null, 0.01, true", "sample_ratio_mismatch"), ("null, null, null, 0.01, false", "undecided"),
    ]

    @Test func `a verdict puts the sample ratio first, then the difference, then that more is to come`() async throws {
        let app = try await TestApp()
        for (arguments, verdict) in Self.verdicts {
            #expect(
                try await app.value("select afterpush.experiment_verdict(\(arguments))") == verdict, "\(arguments)")
        }
    }

    @Test func `edge cases have a simple result or none, and never an error`() async throws {
        let app = try await TestApp()
        for (expression, expected) in Self.edges {
            #expect(try await app.value("select afterpush.\(expression)") == expected, "\(expression)")
        }
    }
}
