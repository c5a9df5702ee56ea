package import Instruments
import Synchronization

/// Metrics of connections.
package final class ConnectionMetrics: Sendable {
    let resets = Counter<ConnectionReset>(
        "afterpush_http_connections_cut_total", "Connections closed without a response, by reason.")
    private let count = Atomic(0)

    var open: Int { count.load(ordering: .relaxed) }

    func opened() { count.add(1, ordering: .relaxed) }

    func closed() { count.subtract(1, ordering: .relaxed) }

    package init() {}

    package var families: [MetricFamily] {
        [
            .gauge("afterpush_http_connections", "Open client connections.", Double(open)),
            resets.family,
        ]
    }
}

/// Why a connection was closed without an answer, as a label.
enum ConnectionReset: String, Label {
    /// The address has its maximum number of connections.
    case addressLimit = "address_limit"
    /// It sent nothing, or nothing to the end.
    case silent
    /// It did not take its answers.
    case unread
    /// It went on sending after its last answer.
    case talkative

    static let labelName = "reason"
}
