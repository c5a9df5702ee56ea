import AfterpushWire
import Foundation
import Reports

// Which requests for reports belong to a view.
extension SharedView {
    /// What a page reads: a report, the values that some of its parameters have, and its period.
    struct Entry {
        let report: String
        /// The values that a parameter may have; others must be absent.
        var values: [String: [String]] = [:]
        /// Whether the page shows the report over all time, whatever its period.
        var isOfAllTime = false
        /// The filters that the page leaves out for this report.
        var without: [String] = []
    }

    private static let steps = ["day", "hour"]

    private static let overview = [
        Entry(report: "overview"), Entry(report: "timeseries", values: ["by": steps]), Entry(report: "heatmap"),
        Entry(report: "value"), Entry(report: "funnel"),
        Entry(report: "conversion", values: ["by": ["campaign", "category", "platform"] + steps]),
    ]

    private static let campaign = [
        Entry(report: "overview"), Entry(report: "timeseries", values: ["by": steps]), Entry(report: "heatmap"),
        Entry(report: "conversion", values: ["by": ["variant", "platform"] + steps]), Entry(report: "funnel"),
        Entry(report: "response-time", values: ["curve": ["true"]]), Entry(report: "value"), Entry(report: "actions"),
        Entry(report: "experiment", isOfAllTime: true), Entry(report: "experiment", values: ["currency": []]),
        Entry(report: "lift", isOfAllTime: true, without: ["category", "platform"]),
    ]

    private static let category = [
        Entry(report: "overview"), Entry(report: "timeseries", values: ["by": steps]), Entry(report: "heatmap"),
        Entry(report: "conversion", values: ["by": ["campaign"] + steps]), Entry(report: "funnel"),
        Entry(report: "actions", values: ["versions": ["true"]]),
    ]

    private var entries: [Entry] {
        switch page {
        case .overview: Self.overview
        case .campaign: Self.campaign
        case .category: Self.category
        case .report(let name): [Entry(report: name, values: settings.mapValues { [$0] })]
        }
    }

    /// Whether a request belongs to the view.
    ///
    /// - Parameters:
    ///   - given: the parameters of the request. Those of its format don't matter, but a named period is refused.
    ///   - now: the time at which a named period of the view ends.
    func permits(_ definition: ReportDefinition, _ given: [String: String], now: Date = Date()) -> Bool {
        let format = ReportRequest.commonNames.filter { $0 != "period" && definition[$0] == nil }
        let asked = given.filter { !$0.value.isEmpty && !format.contains($0.key) }
        return entries.contains { $0.report == definition.name && permits($0, definition, asked, now) }
    }

    private func permits(
        _ entry: Entry, _ definition: ReportDefinition, _ asked: [String: String], _ now: Date
    ) -> Bool {
        for name in Self.filterNames where definition[name] != nil {
            let expected = entry.without.contains(name) ? nil : filters[name]
            guard asked[name].map({ $0 == "false" && name == "verified" ? nil : $0 }) ?? nil == expected else {
                return false
            }
        }
        if definition["tz"] != nil, asked["tz"] ?? "UTC" != zone { return false }
        for (name, value) in asked where !(Self.filterNames + ["from", "to", "tz"]).contains(name) {
            // An empty list permits any value: of what the page found in another report, such as currencies.
            guard let values = entry.values[name], values.isEmpty || values.contains(value) else { return false }
        }
        if case .report = page, !entry.values.allSatisfy({ asked[$0.key].map($0.value.contains) ?? false }) {
            return false
        }
        guard definition["from"] != nil || definition["to"] != nil else { return true }
        return permitsTimes(asked["from"] ?? "", asked["to"] ?? "", entry, now)
    }

    /// Whether a request's times are those of the view or of the period before it, with which pages compare.
    private func permitsTimes(_ from: String, _ to: String, _ entry: Entry, _ now: Date) -> Bool {
        if entry.isOfAllTime, from.isEmpty, to.isEmpty { return true }
        guard let named = period else { return permitsGivenTimes(from, to) }
        let zone = ReportParameter.zone(self.zone) ?? .gmt
        guard let bounds = ReportPeriod(named)?.bounds(at: now, in: zone) else { return false }
        guard !bounds.from.isEmpty else { return from.isEmpty && to.isEmpty }
        guard let start = ReportTime.read(bounds.from, zone: zone), let end = ReportTime.read(bounds.to, zone: zone),
            let first = ReportTime.read(from, zone: zone), let last = ReportTime.read(to, zone: zone)
        else { return false }
        // The reader's clock may be off by an hour, and the period before begins on a day that has 23 or 25 hours.
        let length = Self.wholeDays(end.microseconds - start.microseconds)
        let hours: Int64 = 2 * 3_600_000_000
        return first.microseconds >= start.microseconds - length - hours
            && last.microseconds <= end.microseconds + hours && first.microseconds <= last.microseconds
    }

    /// Returns a length rounded up to days: day by day, the period before has as many days, and the last one may be
    /// under way.
    private static func wholeDays(_ microseconds: Int64) -> Int64 {
        let day: Int64 = 86_400_000_000
        return (microseconds + day - 1) / day * day
    }

    private func permitsGivenTimes(_ from: String, _ to: String) -> Bool {
        if from == self.from, to == self.to { return true }
        let zone = ReportParameter.zone(self.zone) ?? .gmt
        guard let start = ReportTime.read(self.from, zone: zone), let end = ReportTime.read(self.to, zone: zone),
            let first = ReportTime.read(from, zone: zone), let last = ReportTime.read(to, zone: zone)
        else { return false }
        let length = Self.wholeDays(end.microseconds - start.microseconds)
        return first.microseconds >= start.microseconds - length && last.microseconds <= end.microseconds
            && first.microseconds <= last.microseconds
    }
}

extension ReportDefinition {
    /// The parameter with a name, if the report has one.
    fileprivate subscript(name: String) -> ReportParameter? { parameters.first { $0.name == name } }
}
