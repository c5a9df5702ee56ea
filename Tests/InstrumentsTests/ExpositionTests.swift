import Instruments
import Testing

@Suite struct ExpositionTests {
    private enum Fruit: String, Label {
        case apple
        case odd = "a\"b\\c\nd"

        static let labelName = "fruit"
    }

    private enum Rare: String, Label {
        case one, two

        static let labelName = "rare"
        static let isSparse = true
    }

    @Test func `a counter is written with help, type and one line per label from the start`() {
        let counter = Counter<Fruit>("test_fruits_total", "Fruits \"here\",\nby \\ kind.")
        counter.add(3, .apple)
        #expect(
            MetricFamily.text([counter.family]) == """
                # HELP test_fruits_total Fruits "here",\\nby \\\\ kind.
                # TYPE test_fruits_total counter
                test_fruits_total{fruit="apple"} 3
                test_fruits_total{fruit="a\\"b\\\\c\\nd"} 0

                """)
    }

    @Test func `series that were never counted are omitted if there are many possible labels`() {
        let counter = Counter<Rare>("test_rare_total", "Rare.")
        #expect(MetricFamily.text([counter.family]).isEmpty)
        counter.add(1, .two)
        counter.add(0, .one)
        counter.add(-1, .one)
        #expect(MetricFamily.text([counter.family]).hasSuffix("counter\ntest_rare_total{rare=\"two\"} 1\n"))
    }

    @Test func `a histogram counts values up to and including each bound, and sums all values`() {
        let histogram = Histogram<NoLabels>("test_seconds", "Times.", bounds: [0.5, 1, 2.5])
        for value in [0.25, 0.5, 1, 2, 100] { histogram.observe(value) }
        histogram.observe(.milliseconds(250))
        #expect(
            MetricFamily.text([histogram.family]) == """
                # HELP test_seconds Times.
                # TYPE test_seconds histogram
                test_seconds_bucket{le="0.5"} 3
                test_seconds_bucket{le="1"} 4
                test_seconds_bucket{le="2.5"} 5
                test_seconds_bucket{le="+Inf"} 6
                test_seconds_sum 104
                test_seconds_count 6

                """)
    }

    @Test func `unknown values are omitted, and numbers keep their precision`() {
        let unknown = MetricFamily.gauge("test_unknown", "Unknown.", nil)
        let values: [Double] = [0, -1, 0.1, 1e-7, 1e300, .infinity, -.infinity, .nan, 9_007_199_254_740_991]
        let texts = values.map { value in
            MetricFamily.text([unknown, .gauge("test", "T.", value)]).split(separator: "\n").last.map(String.init) ?? ""
        }
        #expect(
            texts == [
                "test 0", "test -1", "test 0.1", "test 1e-07", "test 1e+300", "test +Inf", "test -Inf", "test NaN",
                "test 9007199254740991",
            ])
    }

    @Test func `counts from many concurrent tasks add up`() async {
        let counter = Counter<NoLabels>("test_total", "T.")
        let histogram = Histogram<NoLabels>("test_sizes", "T.", bounds: [1])
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 {
                        counter.add()
                        histogram.observe(1)
                    }
                }
            }
        }
        #expect(counter.value == 8_000)
        #expect(histogram.count == 8_000)
    }

    @Test func `process metrics contain memory, open files, processor time and start time`() {
        let text = MetricFamily.text(ProcessMetrics.families())
        for name in [
            "process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds", "process_max_fds",
            "process_start_time_seconds",
        ] { #expect(text.contains("\n\(name) "), "\(name)") }
    }
}
