/// A counter or histogram whose value can be read at any time.
///
/// It is not based on swift-metrics, which has no backend and accepts any strings as labels. Here each metric has a type
/// for its labels, and its value can be read directly, also in tests.
package protocol Metric: Sendable {
    var family: MetricFamily { get }
}
