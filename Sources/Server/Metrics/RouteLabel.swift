import Dialects
import Instruments

/// The template of the route that matched a request. The path itself isn't a label, because clients can invent paths.
package enum RouteLabel: String, Label {
    case livez = "/livez"
    case readyz = "/readyz"
    case metrics = "/metrics"
    case openAPI = "/openapi.json"
    case events = "/v1/events"
    case sends = "/v1/sends"
    case receipts = "/v1/receipts"
    case providerResults = "/v1/provider-results"
    case payloadCheck = "/v1/payloads/check"
    case campaigns = "/v1/campaigns"
    case campaign = "/v1/campaigns/{id}"
    case alerts = "/v1/alerts"
    case alert = "/v1/alerts/{name}"
    case categories = "/v1/categories"
    case keys = "/v1/keys"
    case key = "/v1/keys/{id}"
    case reports = "/v1/reports"
    case report = "/v1/reports/{name}"
    case reportSQL = "/v1/reports/{name}/sql"
    case definitions = "/v1/metrics/definitions"
    case export = "/v1/export/{name}"
    case inspect = "/v1/inspect"
    case live = "/v1/live"
    case device = "/v1/devices/{id}"
    case erasure = "/v1/devices/{id}/erasure"
    /// The dashboard's page, at any of its paths.
    case page = "/"
    case asset = "/assets/{name}"
    case login = "/login"
    case logout = "/logout"
    case session = "/session"
    case client = "/client/afterpush.js"
    case shares = "/v1/shares"
    case share = "/v1/shares/{id}"
    case shared = "/v1/shared"
    case sharedPage = "/shared"
    case dialects = "/v1/dialects"
    case mappings = "/v1/mappings"
    /// The label for all paths of dialects; what becomes of their events is counted by family.
    case dialect
    /// The label for requests without a route, or with one that isn't listed here.
    case other

    package static let labelName = "route"

    /// Finds the label of a route.
    ///
    /// - Parameter template: the router's template; the names of its parameters don't matter.
    init(template: String?) {
        self = template.flatMap { Self.templates[$0] ?? Self.routes[Self.shape(of: $0)] } ?? .other
    }

    /// The labels by their own templates, which most requests have: a template need not be taken apart then.
    private static let templates = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    private static let routes = Dictionary(
        allCases.map { (shape(of: $0.rawValue), $0) } + DashboardRoutes.pages.map { (shape(of: $0), .page) }
            + [(shape(of: "/assets/{name}/{file}"), .asset)]
            + (DialectTable.routes.map(\.path) + ["/in/{dialect}/**"]).map { (shape(of: $0), .dialect) }
    ) { first, _ in first }

    private static func shape(of template: String) -> [Substring] {
        template.split(separator: "/").map { $0.hasPrefix("{") || $0.hasPrefix(":") ? "{}" : $0 }
    }
}
