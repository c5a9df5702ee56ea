import HTTPTransport
package import Instruments

/// What is counted of requests, whatever they are about.
package struct ServerMetrics: Sendable {
    package let requests = Counter<RequestLabels>(
        "afterpush_http_requests_total", "Requests, by route and status.")

    let connections = ConnectionMetrics()

    package init() {}

    package var families: [MetricFamily] { [requests.family] + connections.families }
}
