/// A metric for Prometheus: its name, its meaning and its series.
package struct MetricFamily: Sendable {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// A value with its labels: one line of the text format.
    struct Sample: Sendable {
        /// The suffix of the family's name, such as `_bucket`.
        var suffix = ""
        let labels: [(name: String, value: String)]
        let value: Double
    }

    package let name: String
    package let help: String
    package let kind: Kind
    private(set) var samples: [Sample]

    init(_ name: String, _ help: String, _ kind: Kind, _ samples: [Sample]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    /// Returns a gauge. Without a value it is absent, rather than 0.
    package static func gauge(_ name: String, _ help: String, _ value: Double?) -> MetricFamily {
        MetricFamily(name, help, .gauge, value.map { [Sample(labels: [], value: $0)] } ?? [])
    }

    package static func gauge<L: Labels>(_ name: String, _ help: String, _ values: [L: Double]) -> MetricFamily {
        MetricFamily(name, help, .gauge, series(values))
    }

    /// Returns a counter whose count another part of the program keeps. The count must never fall while the program runs.
    package static func counter(_ name: String, _ help: String, _ value: Double?) -> MetricFamily {
        MetricFamily(name, help, .counter, value.map { [Sample(labels: [], value: $0)] } ?? [])
    }

    package static func counter<L: Labels>(_ name: String, _ help: String, _ values: [L: Double]) -> MetricFamily {
        MetricFamily(name, help, .counter, series(values))
    }

    private static func series<L: Labels>(_ values: [L: Double]) -> [Sample] {
        L.allCases.compactMap { labels in values[labels].map { Sample(labels: labels.pairs, value: $0) } }
    }
}

/// A counter or histogram whose value can be read at any time.
///
/// It is not based on swift-metrics, which has no backend and accepts any strings as labels. Here each metric has a type
/// for its labels, and its value can be read directly, also in tests.
package protocol Metric: Sendable {
    var family: MetricFamily { get }
}
