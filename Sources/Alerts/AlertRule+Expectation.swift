import Foundation
package import Reports

extension AlertRule {
    /// Returns what the rule expects, with the unit: `at most 300 s`, `not low`.
    package func expectation(_ catalogue: ReportCatalogue) -> String {
        switch condition {
        case .bounds(let below, let above):
            AlertText(unit: unit(in: catalogue)).range(AlertRange(lower: below, upper: above))
        case .texts(let texts): "not \(texts.joined(separator: ", "))"
        case .band(let band): band.expectation
        }
    }

    /// What the rule watches: a column of a report, or a check of a report with one check a row.
    package var watched: String {
        checks.isEmpty || column != "value"
            ? (["\(report).\(column)"] + checks).joined(separator: " ") : ([report] + checks).joined(separator: " ")
    }

    /// The same without the report: the column, or the check whose value it is.
    var watchedInReport: String {
        checks.isEmpty || column != "value" ? column : checks.joined(separator: " ")
    }

    private var checks: [String] {
        let first = ["section", "item"].compactMap { filter[$0] }
        let others = filter.filter { !["section", "item"].contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
        return first + others
    }

    /// The unit of the watched values, as far as the rule tells.
    private func unit(in catalogue: ReportCatalogue) -> String? {
        guard report == "health", column == "value" else {
            return try? catalogue.report(named: report).columns.first { $0.name == column }?.unit
        }
        return filter["section"].flatMap { Self.unitOfHealth(section: $0, item: filter["item"]) }
    }

    /// Returns the unit of a row of the report `health`, each of which may have another one.
    ///
    /// - Parameter item: The row's item, or nil for all of the section.
    package static func unitOfHealth(section: String, item: String?) -> String? {
        switch section {
        case "rollups": "seconds"
        case "spool": "events"
        case "intake": item.map { $0 == "rejected_share" ? "ratio" : "events" }
        case "clock": item.map { $0.hasPrefix("skew_") ? "seconds" : "ratio" }
        case "delay": item.map { $0.hasPrefix("over_") ? "ratio" : "seconds" }
        case "final": "days"
        case "day": "deliveries"
        default: "ratio"
        }
    }
}

extension AlertBand {
    /// The band in a few words: `at most 50 % below its category`.
    fileprivate var expectation: String {
        let share = String(format: "%.4g %%", tolerance * 100)
        let whole =
            switch reference {
            case .weeks(let weeks): weeks == 1 ? "the week before" : "the \(weeks) weeks before"
            case .group(let by): "its \(by)"
            }
        return switch side {
        case .below: "at most \(share) below \(whole)"
        case .above: "at most \(share) above \(whole)"
        case .both: "within \(share) of \(whole)"
        }
    }
}
