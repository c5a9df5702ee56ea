import Hummingbird
import NIOCore

/// Serves `/livez`, whether the process responds, and `/readyz`, whether it can acknowledge events now.
struct HealthRoutes: Sendable {
    let readyState: @Sendable () async -> ReadyState

    func add(to router: Router<CollectorContext>) {
        router.get("livez") { _, _ in Self.answer(.ok, "alive\n") }
        router.get("readyz") { _, _ in
            switch await self.readyState() {
            case .ready: Self.answer(.ok, "ready\n")
            case .spooling: Self.answer(.ok, "ready: spooling, PostgreSQL is away\n")
            case .standby: Self.answer(.serviceUnavailable, "not ready: PostgreSQL is a standby\n")
            case .readOnly: Self.answer(.serviceUnavailable, "not ready: PostgreSQL is read-only\n")
            case .notReady: Self.answer(.serviceUnavailable, "not ready\n")
            }
        }
    }

    private static func answer(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

/// Whether events can be acknowledged now.
package enum ReadyState: Sendable, Equatable {
    /// The collector stores events in PostgreSQL.
    case ready
    /// The collector stores events in the spool, because PostgreSQL is unavailable.
    case spooling
    /// Events are refused, because PostgreSQL is a standby.
    case standby
    /// Events are refused, because PostgreSQL is read-only and the spool can't take them.
    case readOnly
    case notReady

    /// Whether events can be acknowledged.
    package var isReady: Bool { self == .ready || self == .spooling }
}
