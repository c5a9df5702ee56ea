import Synchronization

/// A metric that counts measured values, in total and up to each of some bounds, and adds them up.
package final class Histogram<L: Labels>: Metric {
    private struct Series {
        /// The number of values up to each bound and above the previous one. The last one is for values above all bounds.
        var counts: [Int]
        var sum = 0.0
    }

    private let name: String
    private let help: String
    private let bounds: [Double]
    private let series: Mutex<[L: Series]>

    /// Creates a histogram.
    ///
    /// - Parameters:
    ///   - name: The name of the metric, which ends in the unit.
    ///   - bounds: The bounds in ascending order, without infinity.
    package init(_ name: String, _ help: String, bounds: [Double]) {
        self.name = name
        self.help = help
        self.bounds = bounds
        let empty = Series(counts: Array(repeating: 0, count: bounds.count + 1))
        series = Mutex(Dictionary(L.allCases.map { ($0, empty) }) { first, _ in first })
    }

    package func observe(_ value: Double, _ labels: L) {
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        series.withLock { series in
            guard let index = series.index(forKey: labels) else { return }
            series.values[index].counts[place] += 1
            series.values[index].sum += value
        }
    }

    package func observe(_ duration: Duration, _ labels: L) { observe(duration / .seconds(1), labels) }

    /// Returns the number of measured values.
    package func count(_ labels: L) -> Int { series.withLock { $0[labels]?.counts.reduce(0, +) ?? 0 } }

    package var family: MetricFamily {
        let series = series.withLock { $0 }
        return MetricFamily(name, help, .histogram, L.allCases.flatMap { samples(series[$0], $0.pairs) })
    }

    private func samples(_ series: Series?, _ labels: [(name: String, value: String)]) -> [MetricFamily.Sample] {
        guard let series else { return [] }
        let total = series.counts.reduce(0, +)
        guard !L.isSparse || total > 0 else { return [] }
        var samples: [MetricFamily.Sample] = []
        var below = 0
        for (bound, count) in zip(bounds + [.infinity], series.counts) {
            below += count
            samples.append(
                .init(suffix: "_bucket", labels: labels + [("le", MetricFamily.number(bound))], value: Double(below)))
        }
        samples.append(.init(suffix: "_sum", labels: labels, value: series.sum))
        samples.append(.init(suffix: "_count", labels: labels, value: Double(total)))
        return samples
    }
}

extension Histogram<NoLabels> {
    package func observe(_ value: Double) { observe(value, .none) }

    package func observe(_ duration: Duration) { observe(duration, .none) }

    package var count: Int { count(.none) }
}

extension [Double] {
    /// The bounds for latencies in seconds, from half a millisecond to ten seconds.
    package static let latencies: [Double] = [
        0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
}
