import TestSupport
import Testing

/// Distribution functions, tests and adjustments in SQL.
@Suite struct DistributionTests {
    @Test func `they are right to 1e-9, in far tails as well`() async throws {
        let app = try await TestApp()
        for (expression, expected) in DistributionValues.all {
            let text = try await app.value("select (afterpush.\(expression))::float8")
            let value = try #require(text.flatMap { Double($0) }, "\(expression)")
            #expect(abs(value - expected) <= 1e-9 * abs(expected), "\(expression): \(value) is not \(expected)")
        }
    }

    @Test func `Newcombe's own examples come out as he printed them`() async throws {
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

    @Test func `edges say what is true, or nothing`() async throws {
        let app = try await TestApp()
        let cases: [(String, String?)] = [
            ("normal_cdf('infinity')", "1"), ("normal_cdf('-infinity')", "0"), ("normal_cdf(null)", nil),
            ("normal_quantile(0)", "-Infinity"), ("normal_quantile(1)", "Infinity"), ("normal_quantile(0.5)", "0"),
            ("normal_quantile(1.1)", nil), ("normal_quantile(-0.1)", nil),
            ("chi_square_p(0, 3)", "1"), ("chi_square_p(1e9, 3)", "0"), ("chi_square_p(1, 0)", nil),
            ("two_proportion_p(0, 10, 0, 10)", "1"), ("two_proportion_p(10, 10, 20, 20)", "1"),
            ("two_proportion_p(3, 10, 6, 20)", "1"), ("two_proportion_p(1, 0, 1, 10)", nil),
            ("two_proportion_p(11, 10, 1, 10)", nil), ("two_proportion_p(-1, 10, 1, 10)", nil),
            ("two_proportion_p(900000000, 1000000000, 1, 1000000000)", "0"),
            ("difference_low(0, 0, 1, 2)", nil), ("difference_high(1, 2, 0, 0)", nil),
            ("difference_low(3, 2, 1, 2)", nil),
            ("holm(array[0.01, null, 0.04, 0.03])", "{0.03,NULL,0.06,0.06}"), ("holm('{}')", "{}"),
            ("holm(array[0.9, 0.8])", "{1,1}"), ("holm(array[0.02])", "{0.02}"),
            ("holm(array[0.001, 0.001, 0.001])", "{0.003,0.003,0.003}"),
            ("sample_ratio_p(array[480], array[1])", nil), ("sample_ratio_p(array[0, 0], array[1, 1])", nil),
            ("sample_ratio_p(array[5, 5, 1], array[1, 1, 0])", "0"), ("sample_ratio_p('{}', '{}')", nil),
            ("sample_ratio_p(array[1, null], array[1, 1])", nil), ("sample_ratio_p(array[1, 2], array[1, -1])", nil),
            ("n_needed(0.12, 0.1)", "3841"), ("n_needed(0.1, 0.12)", "3841"), ("n_needed(0.1, 0.1)", nil),
            ("n_needed(1, 0)", "2"), ("n_needed(1.1, 0)", nil), ("n_needed(null, 0.1)", nil),
        ]
        for (expression, expected) in cases {
            #expect(try await app.value("select afterpush.\(expression)") == expected, "\(expression)")
        }
    }
}
