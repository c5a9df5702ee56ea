package import Instruments
import Synchronization

/// The metrics of client connections.
package final class ConnectionMetrics: Sendable {
    let resets = Counter<ConnectionReset>(
        "afterpush_http_connections_cut_total",
        "Connections closed, and HTTP/2 streams reset, without a complete response, by reason.")
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

/// The reason why a connection was closed without a response, as a metric label.
enum ConnectionReset: String, Label {
    /// The address already has its maximum number of connections.
    case addressLimit = "address_limit"
    /// The client sent nothing, or no complete headers, in time.
    case silent
    /// The client did not read its responses in time.
    case unread
    /// The client kept sending after its last response.
    case talkative

    static let labelName = "reason"
}
