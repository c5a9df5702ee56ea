import Synchronization

/// A metric that counts up from 0 as long as the program runs.
package final class Counter<L: Labels>: Metric {
    private let name: String
    private let help: String
    private let counts: Mutex<[L: Int]>

    /// Creates a counter.
    ///
    /// - Parameter name: The name of the metric, which ends in `_total`.
    package init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
        counts = Mutex(Dictionary(L.allCases.map { ($0, 0) }) { first, _ in first })
    }

    package func add(_ count: Int = 1, _ labels: L) {
        guard count > 0 else { return }
        counts.withLock { counts in
            // Changing a value by its index takes a quarter of the time of doing so by its key.
            guard let index = counts.index(forKey: labels) else { return }
            counts.values[index] += count
        }
    }

    package subscript(labels: L) -> Int { counts.withLock { $0[labels] ?? 0 } }

    package var family: MetricFamily {
        let counts = counts.withLock { $0 }
        return .counter(name, help, counts.filter { !L.isSparse || $0.value > 0 }.mapValues(Double.init))
    }
}

extension Counter<NoLabels> {
    package func add(_ count: Int = 1) { add(count, .none) }

    package var value: Int { self[.none] }
}
