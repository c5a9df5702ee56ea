import HTTPTransport
import Hummingbird
import Instruments
import Logging
import Synchronization

/// Notices a proxy on this machine or in a private network that forwards requests and that `AFTERPUSH_HTTP_PROXIES`
/// doesn't name, and warns once.
///
/// All its clients then share its address: with this machine's, they have no limits per address, and with another, a few
/// of them can use up the limits of all.
struct ProxyWarning: Sendable {
    let clients: ClientFinder
    let proxy: UnlistedProxy

    func check(_ request: Request, _ context: CollectorContext) {
        if !proxy.wasSeen, clients.isFromUnlistedProxy(request.head, peer: context.peer), proxy.see() {
            context.logger.warning(
                "requests come through a proxy that is not trusted; if it is yours, name it in AFTERPUSH_HTTP_PROXIES",
                metadata: ["address": "\(context.peerText)"])
        }
    }
}

/// Whether a request has come through a proxy that `AFTERPUSH_HTTP_PROXIES` does not name, as a metric.
final class UnlistedProxy: Sendable {
    private let seen = Atomic(false)

    var wasSeen: Bool { seen.load(ordering: .relaxed) }

    /// Records such a request, and returns whether it is the first one.
    func see() -> Bool { !seen.exchange(true, ordering: .relaxed) }

    var family: MetricFamily {
        .gauge(
            "afterpush_http_unlisted_proxy",
            "1 once a request came through a proxy that AFTERPUSH_HTTP_PROXIES does not name.", wasSeen ? 1 : 0)
    }
}
