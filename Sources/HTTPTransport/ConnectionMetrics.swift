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

/// The reason why a connection was closed, or an HTTP/2 stream reset, without a complete response, as a metric label.
enum ConnectionReset: String, Label {
    /// The address already has its maximum number of connections.
    case addressLimit = "address_limit"
    /// The address already has as many HTTP/2 streams as it can have.
    case streamLimit = "stream_limit"
    /// Nearly all connections were in use, and this one had been idle longest.
    case totalLimit = "total_limit"
    /// Nearly all connections were in use, and the client of this one read its responses slowly.
    case heldUp = "held_up"
    /// The client sent nothing, or no complete headers, in time.
    case silent
    /// The client did not read its responses, or too slowly.
    case unread
    /// The client kept sending after its last response.
    case talkative
    /// An HTTP/2 client sent too many resets, pings, settings, short DATA frames, or other frames of no use, too much for
    /// streams that were reset, or opened too many streams although they were refused.
    case flood
    /// An HTTP/2 client broke the protocol, so that the connection could not go on.
    case protocolError = "protocol_error"

    static let labelName = "reason"

    /// The reason for a GOAWAY frame with this error code (RFC 9113, 7), or `nil` if the connection just ends.
    init?(goAway code: Int) {
        switch code {
        // No error; and the client has closed its side.
        case 0x0, 0xA: return nil
        case 0xB: self = .flood
        default: self = .protocolError
        }
    }
}
