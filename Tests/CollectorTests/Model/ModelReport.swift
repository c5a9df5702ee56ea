import AfterpushWire
import Foundation
import ReferenceModel

/// A report that the model computes, too.
struct ModelReport: Sendable {
    typealias Recomputation = @Sendable ([ModelEvent], Declarations, Selection) -> [ModelRow]

    let name: String
    /// Parameters besides the selection.
    let extra: [(String, String)]
    /// Parameters of a selection that the report does not have.
    private let without: Set<String>
    /// Whether the report depends on the time before the selection.
    let looksBack: Bool
    /// Whether the report distinguishes devices, which deliveries of an erased device do not have.
    let distinguishesDevices: Bool
    /// Whether the report can't group by hour or app version: sums by device have neither.
    private let onlyByDay: Bool
    /// The reports whose rollups keep versions of the app apart, so that it can be a filter.
    private static let ofVersions: Set = ["conversion", "funnel", "value", "response-time"]
    private let recompute: Recomputation

    private init(
        _ name: String, extra: [(String, String)] = [], without: Set<String> = [], looksBack: Bool = false,
        distinguishesDevices: Bool = false, onlyByDay: Bool = false, _ rows: @escaping Recomputation
    ) {
        self.name = name
        self.extra = extra
        self.without = without
        self.looksBack = looksBack
        self.distinguishesDevices = distinguishesDevices
        self.onlyByDay = onlyByDay
        recompute = rows
    }

    func rows(_ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection) -> [ModelRow] {
        recompute(events, declarations, asked(selection))
    }

    private func asked(_ selection: Selection) -> Selection {
        var selection = selection
        if onlyByDay { selection.by.removeAll { $0 == .hour || $0 == .app_version } }
        if onlyByDay || !Self.ofVersions.contains(name) { selection.appVersion = nil }
        return selection
    }

    static let all = [
        ModelReport("conversion") { conversionReport(events: $0, declarations: $1, selection: $2) },
        ModelReport("actions", without: ["by"]) { actionsReport(events: $0, declarations: $1, selection: $2) },
        ModelReport("conversion", extra: [("cluster", "device")], looksBack: true, onlyByDay: true) {
            conversionReport(events: $0, declarations: $1, selection: $2, clusters: true)
        },
        ModelReport("actions", extra: [("cluster", "device")], without: ["by"], looksBack: true) {
            actionsReport(events: $0, declarations: $1, selection: $2, clusters: true)
        },
        ModelReport("value") { valueReport(events: $0, declarations: $1, selection: $2) },
        ModelReport("overview", without: ["by"], looksBack: true) {
            overviewReport(events: $0, declarations: $1, selection: $2)
        },
        ModelReport("funnel", without: ["base", "min_n"]) {
            funnelReport(events: $0, declarations: $1, selection: $2)
        },
        ModelReport("heatmap", without: ["by"]) { heatmapReport(events: $0, declarations: $1, selection: $2) },
        // Offsets are read from events, which erasure and retention delete.
        ModelReport(
            "heatmap", extra: [("local", "device")], without: ["by"], looksBack: true, distinguishesDevices: true
        ) {
            heatmapReport(events: $0, declarations: $1, selection: $2, byDevice: true)
        },
        ModelReport("response-time", without: ["base", "min_n"]) {
            responseTimeReport(events: $0, declarations: $1, selection: $2)
        },
        ModelReport(
            "response-time", extra: [("curve", "true")], without: ["by", "base", "min_n"]
        ) {
            responseCurve(events: $0, declarations: $1, selection: $2)
        },
        ModelReport(
            "response-time", extra: [("clock", "sent")], without: ["base", "min_n"]
        ) {
            responseTimeReport(events: $0, declarations: $1, selection: $2, clock: .sent)
        },
        ModelReport("timeseries", without: ["by", "base", "min_n"]) {
            var selection = $2
            selection.by = []
            return timeseriesReport(events: $0, declarations: $1, selection: selection)
        },
        ModelReport("timeseries", extra: [("by", "hour")], without: ["by", "base", "min_n"]) {
            var selection = $2
            selection.by = [.hour]
            return timeseriesReport(events: $0, declarations: $1, selection: selection)
        },
        // Its design effects are of whole days.
        ModelReport("experiment", without: ["by", "variant"], looksBack: true, distinguishesDevices: true) {
            experimentReport(events: $0, declarations: $1, selection: $2)
        },
        ModelReport(
            "experiment", extra: [("margin", "0.2"), ("currency", "EUR")], without: ["by", "variant"], looksBack: true,
            distinguishesDevices: true
        ) {
            experimentReport(events: $0, declarations: $1, selection: $2, margin: 0.2, currency: "EUR")
        },
        // They read events, which erasure and retention delete.
        ModelReport("conversion", extra: [("within", "2h")], looksBack: true, distinguishesDevices: true) {
            conversionReport(events: $0, declarations: $1, selection: $2.within(hours: 2))
        },
        ModelReport(
            "conversion", extra: [("within", "50h"), ("cluster", "device")], looksBack: true,
            distinguishesDevices: true, onlyByDay: true
        ) {
            conversionReport(events: $0, declarations: $1, selection: $2.within(hours: 50), clusters: true)
        },
        ModelReport(
            "overview", extra: [("within", "30h")], without: ["by"], looksBack: true, distinguishesDevices: true
        ) {
            overviewReport(events: $0, declarations: $1, selection: $2.within(hours: 30))
        },
        ModelReport(
            "overview", extra: [("within", "auto")], without: ["by"], looksBack: true, distinguishesDevices: true
        ) {
            var selection = $2
            selection.within = selection.comparisonAge($1)
            return overviewReport(events: $0, declarations: $1, selection: selection)
        },
        ModelReport(
            "experiment", extra: [("within", "20h")], without: ["by", "variant"], looksBack: true,
            distinguishesDevices: true
        ) {
            experimentReport(events: $0, declarations: $1, selection: $2.within(hours: 20))
        },
        ModelReport(
            "experiment", extra: [("within", "9h"), ("currency", "EUR")], without: ["by", "variant"], looksBack: true,
            distinguishesDevices: true
        ) {
            experimentReport(events: $0, declarations: $1, selection: $2.within(hours: 9), currency: "EUR")
        },
        ModelReport("fatigue", without: ["by"], looksBack: true, distinguishesDevices: true) {
            fatigueReport(events: $0, declarations: $1, selection: $2)
        },
        ModelReport("influence", without: ["base", "min_n"], looksBack: true, distinguishesDevices: true) {
            influenceReport(events: $0, declarations: $1, selection: $2)
        },
        ModelReport(
            "influence", extra: [("window", "25h"), ("baseline", "true")], without: ["base", "min_n"], looksBack: true,
            distinguishesDevices: true
        ) {
            influenceReport(events: $0, declarations: $1, selection: $2, window: 25 * 3600, baseline: true)
        },
        ModelReport(
            "lift", without: ["by", "base", "category", "variant", "platform"], looksBack: true,
            distinguishesDevices: true
        ) {
            liftReport(events: $0, declarations: $1, selection: $2)
        },
        ModelReport(
            "lift", extra: [("window", "2d"), ("outcome", "order"), ("margin", "0.2"), ("currency", "usd")],
            without: ["by", "base", "category", "variant", "platform"], looksBack: true, distinguishesDevices: true
        ) {
            liftReport(
                events: $0, declarations: $1, selection: $2, outcome: "order", window: 2 * 24 * 3600, margin: 0.2,
                currency: "USD")
        },
    ]

    /// The reports to request for a selection: always conversion and actions, and some of the others in turn.
    static func all(for selection: Int) -> [ModelReport] {
        all.prefix(2) + all.dropFirst(2).enumerated().filter { ($0.offset + selection) % 3 == 0 }.map(\.element)
    }

    func query(_ selection: Selection) -> [(String, String)] {
        asked(selection).query.filter { !without.contains($0.0) } + extra
    }
}

extension Selection {
    /// The same selection with the parameter `within`.
    fileprivate func within(hours: Int) -> Selection {
        var selection = self
        selection.within = hours * microsecondsPerHour
        return selection
    }

    /// The selection as the parameters of a report over HTTP.
    var query: [(String, String)] {
        var query: [(String, String)] = [("tz", timeZone.identifier == "GMT" ? "UTC" : timeZone.identifier)]
        func add(_ name: String, _ value: String?) {
            if let value { query.append((name, value)) }
        }
        add("from", from.map { Timestamp(microseconds: Int64($0)).description })
        add("to", to.map { Timestamp(microseconds: Int64($0)).description })
        add("campaign", campaign?.text)
        add("category", category?.text)
        add("variant", variant?.text)
        add("platform", platform?.text)
        add("app_version", appVersion?.text)
        add("verified", verified ? "true" : "false")
        add("base", base.rawValue)
        add("min_n", String(minN))
        if !by.isEmpty { add("by", by.map(\.rawValue).joined(separator: ",")) }
        return query
    }
}
