/// A counter or histogram whose value can be read at any time.
///
/// Not swift-metrics: that is an interface without a backend, to which a label is any pair of strings. Here each metric
/// has a type for its labels, and is read where it is, in tests too.
package protocol Metric: Sendable {
    var family: MetricFamily { get }
}
