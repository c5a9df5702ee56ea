package import Dialects
import HTTPTransport
import HTTPTypes
package import Instruments

/// The metrics of HTTP requests and connections.
package struct ServerMetrics: Sendable {
    package let requests = Counter<RequestLabels>(
        "afterpush_http_requests_total", "Requests, by route and status.")

    let dialectEvents = Counter<DialectOutcomeLabels>(
        "afterpush_dialect_events_total", "Events of other systems' clients, by family and outcome.")

    let connections = ConnectionMetrics()
    let unlistedProxy = UnlistedProxy()

    package init() {}

    package var families: [MetricFamily] {
        [requests.family, dialectEvents.family] + connections.families + [unlistedProxy.family]
    }
}

/// The route and the status of an answered request.
package struct RequestLabels: Labels {
    package let route: RouteLabel
    /// The status code if it is one that the collector uses, otherwise `other`.
    package let status: String

    init(route: RouteLabel, status: HTTPResponse.Status) {
        self.route = route
        self.status = Self.statuses.contains(status.code) ? String(status.code) : Self.other
    }

    private init(route: RouteLabel, status: String) {
        self.route = route
        self.status = status
    }

    package static let isSparse = true
    package static let allCases = RouteLabel.allCases.flatMap { route in
        (statuses.map(String.init) + [other]).map { RequestLabels(route: route, status: $0) }
    }
    package var pairs: [(name: String, value: String)] { route.pairs + [("status", status)] }

    private static let statuses = [
        200, 202, 204, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 412, 413, 415, 421, 422, 429, 431, 500, 501,
        503,
    ]
    private static let other = "other"
}

/// The family of an event of another system's client, and what became of it.
package struct DialectOutcomeLabels: Labels {
    package enum Outcome: String, CaseIterable, Sendable {
        /// It was stored, or had been stored before.
        case mapped
        case ignored, rejected
    }

    package let family: DialectFamily
    package let outcome: Outcome

    package static let isSparse = true
    package static let allCases = DialectFamily.allCases.flatMap { family in
        Outcome.allCases.map { DialectOutcomeLabels(family: family, outcome: $0) }
    }
    package var pairs: [(name: String, value: String)] {
        [("family", family.rawValue), ("outcome", outcome.rawValue)]
    }
}
