import AfterpushWire
import Foundation
package import Reports

/// A view of the dashboard that a link shares: a page, its filters and its period.
///
/// It decides which requests for reports the holder of the link may send. Everything that isn't listed here is refused:
/// other reports, other filters, groups and settings than the page's own, and other times.
package struct SharedView: Sendable, Equatable {
    /// The pages that can be shared.
    enum Page: Sendable, Equatable {
        case overview
        case campaign(String)
        case category(String)
        case report(String)
    }

    let page: Page
    /// The filters by the names that reports give them, without empty ones.
    let filters: [String: String]
    /// A named period such as `7d`, which moves on with time, or `nil` if `from` and `to` are given.
    let period: String?
    let from: String
    let to: String
    let zone: String
    /// The settings of a report's page that only this report has.
    let settings: [String: String]

    static let filterNames = ["campaign", "category", "variant", "platform", "verified"]
    static let mostBytes = 2_048
    /// The page's own choice of a period if the address has none.
    private static let usualPeriod = "30d"
    /// What an address may have besides, and what a link leaves out: how the page looks, and earlier periods.
    private static let ignored = ["columns", "compare", "metric", "sort"]

    /// Reads the address of a page, such as `/campaigns/autumn?period=30d&tz=Europe/Berlin`.
    ///
    /// - Throws: A `ReportError` that says what can't be shared.
    package init(_ address: String, catalogue: ReportCatalogue) throws(ReportError) {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard address.utf8.count <= Self.mostBytes, LocalPath(address) != nil, let path = parts.first else {
            throw Self.failure("must be the path of a page with its filters, at most \(Self.mostBytes) bytes long")
        }
        page = try Self.page(path)
        var query: [String: String] = [:]
        for field in FormFields((parts.count == 2 ? parts[1] : "").utf8).fields {
            guard let value = field.value, query.updateValue(value, forKey: field.name) == nil else {
                throw Self.failure("has a parameter that appears twice or can't be decoded")
            }
        }
        query = query.filter { !$0.value.isEmpty && !Self.ignored.contains($0.key) }
        zone = query.removeValue(forKey: "tz") ?? "UTC"
        guard ReportParameter.zone(zone) != nil else { throw Self.failure("names no time zone in tz") }
        from = query.removeValue(forKey: "from") ?? ""
        to = query.removeValue(forKey: "to") ?? ""
        let named = query.removeValue(forKey: "period")
        period = from.isEmpty && to.isEmpty ? named ?? Self.usualPeriod : nil
        guard period.map({ ReportPeriod($0) != nil }) ?? true else {
            throw Self.failure("has a period that is not \(ReportPeriod.forms)")
        }
        var filters: [String: String] = [:]
        for name in Self.filterNames { filters[name] = query.removeValue(forKey: name) }
        switch page {
        case .campaign(let id): filters["campaign"] = id
        case .category(let id): filters["category"] = id
        case .overview, .report: break
        }
        self.filters = filters
        settings = query
        try check(catalogue)
    }

    /// Checks the report of a report's page with all of its parameters, so that a link never leads to an error.
    private func check(_ catalogue: ReportCatalogue) throws(ReportError) {
        guard case .report(let name) = page else {
            if let unknown = settings.keys.sorted().first { throw Self.failure("has the unknown parameter \(unknown)") }
            return
        }
        // It has what people wrote.
        guard name != "replies" else { throw Self.failure("is the report replies, which can't be shared") }
        let definition = try catalogue.report(named: name)
        let names = Set(definition.parameters.map(\.name))
        var values = settings.merging(filters.filter { names.contains($0.key) }) { $1 }
        if names.contains("from") { values["from"] = from }
        if names.contains("to") { values["to"] = to }
        if names.contains("tz") { values["tz"] = zone }
        _ = try ReportParameters(validating: values, for: definition)
    }

    private static func page(_ path: Substring) throws(ReportError) -> Page {
        if path == "/" { return .overview }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let id = PathText.decode(parts[2]), (1...256).contains(id.utf8.count) else {
            throw failure("must be the path of the overview, a campaign, a category or a report")
        }
        switch parts[1] {
        case "campaigns": return .campaign(id)
        case "categories": return .category(id)
        case "reports": return .report(id)
        default: throw failure("must be the path of the overview, a campaign, a category or a report")
        }
    }

    private static func failure(_ detail: String) -> ReportError { .parameter(name: "view", detail: detail) }

    /// The address, always with the time zone: days must be those that the reader saw who shares the view.
    package var address: String {
        var query = filters.merging(settings) { $1 }
        switch page {
        case .campaign: query["campaign"] = nil
        case .category: query["category"] = nil
        case .overview, .report: break
        }
        query["tz"] = zone
        query["period"] = period
        if !from.isEmpty { query["from"] = from }
        if !to.isEmpty { query["to"] = to }
        let fields = query.sorted { $0.key < $1.key }.map { "\($0.key)=\(PathText.encode($0.value))" }
        return path + "?" + fields.joined(separator: "&")
    }

    private var path: String {
        switch page {
        case .overview: "/"
        case .campaign(let id): "/campaigns/" + PathText.encode(id)
        case .category(let id): "/categories/" + PathText.encode(id)
        case .report(let name): "/reports/" + PathText.encode(name)
        }
    }
}
