package import AfterpushWire
import Foundation
import JSON
package import Reports

/// Evaluates rules by running their reports, as a role that reads only the rows of the app.
package struct AlertEvaluator: Sendable {
    /// A report that can't be compared as the rule asks.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let reports: ReportService

    package init(reports: ReportService) {
        self.reports = reports
    }

    package var catalogue: ReportCatalogue { reports.catalogue }

    package func evaluate(
        _ rule: AlertRule, app: Int32, appName: String, at now: Timestamp
    ) async throws -> AlertEvaluation {
        let definition = try reports.catalogue.report(named: rule.report)
        func rows(_ change: [String: String] = [:], weeksBefore: Int = 0) async throws -> WatchedRows {
            var values = rule.parameters.merging(change) { $1 }
            if let (from, to) = Self.period(of: rule, at: now, weeksBefore: weeksBefore) {
                (values["from"], values["to"]) = (from.description, to.description)
            }
            let parameters = try ReportParameters(validating: values, for: definition)
            return try WatchedRows(
                try await reports.run(definition, parameters, app: app, name: appName, wanted: rule.filter), of: rule)
        }
        let present = try await rows()
        guard case .band(let band) = rule.condition else {
            return AlertEvaluation(present.rows.map { $0.result(rule, present.unit, within: nil) })
        }
        var references: [WatchedRows] = []
        switch band.reference {
        case .weeks(let weeks):
            for week in 1...weeks { references.append(try await rows(weeksBefore: week)) }
        case .group(let by): references.append(try await rows(["by": by]))
        }
        return AlertEvaluation(
            present.rows.map { row in
                let values = references.flatMap { $0.values(like: row) }
                return row.result(rule, present.unit, within: band.range(of: values))
            })
    }

    /// Returns the period of the report.
    ///
    /// A comparison with the weeks before takes whole hours, because the present hour is not over. Otherwise the present
    /// hour belongs to the period.
    static func period(
        of rule: AlertRule, at now: Timestamp, weeksBefore: Int = 0
    ) -> (from: Timestamp, to: Timestamp)? {
        guard let window = rule.window else { return nil }
        let step: Int64 = if case .band(let band) = rule.condition, case .weeks = band.reference { 3_600 } else { 60 }
        let end = now.microseconds / 1_000_000 - rule.delay.components.seconds
        let to = end - end % step - Int64(weeksBefore) * 7 * 86_400
        return (
            Timestamp(microseconds: (to - window.components.seconds) * 1_000_000),
            Timestamp(microseconds: to * 1_000_000)
        )
    }
}

/// The rows of a result that a rule watches.
private struct WatchedRows {
    struct Row {
        let series: [String: String?]
        let value: AlertValue
    }

    let rows: [Row]
    let unit: String?

    init(_ result: ReportResult, of rule: AlertRule) throws {
        func place(_ name: String) -> Int? { result.columns.firstIndex { $0.name == name } }
        func required(_ name: String) throws -> Int {
            guard let place = place(name) else {
                throw AlertEvaluator.Failure(description: "the report has no column \(name) with these parameters")
            }
            return place
        }
        let column = try required(rule.column)
        let isText = if case .texts = rule.condition { true } else { false }
        let bounds = isText ? nil : Self.bounds(of: rule.column, place)
        let filter = try rule.filter.map { (try required($0.key), $0.value) }
        // In the rows of the larger group, the columns of the smaller one are missing.
        let series = rule.series.compactMap { name in place(name).map { (name, $0) } }
        unit =
            result.columns[column].unit
            ?? place("unit").flatMap { place in
                result.rows.first { row in filter.allSatisfy { row[$0.0] == $0.1 } }.flatMap { $0[place] }
            }
        rows = result.rows.filter { row in filter.allSatisfy { row[$0.0] == $0.1 } }.map { row in
            func number(_ place: Int?) -> Double? { place.flatMap { row[$0] }.flatMap(Double.init) }
            let value =
                isText
                ? AlertValue(text: (row[column] ?? "").cut(toBytes: AlertLimits.textBytes))
                : AlertValue(value: number(column), low: number(bounds?.low), high: number(bounds?.high))
            return Row(series: Dictionary(uniqueKeysWithValues: series.map { ($0.0, row[$0.1]) }), value: value)
        }
    }

    /// The columns of a value's interval: `open_rate_low` of `open_rate`, and `low` of `value` in report overview.
    private static func bounds(of column: String, _ place: (String) -> Int?) -> (low: Int, high: Int)? {
        if let low = place(column + "_low"), let high = place(column + "_high") { return (low, high) }
        guard column == "value", let low = place("low"), let high = place("high") else { return nil }
        return (low, high)
    }

    /// Returns the values of the rows that agree with a row in all columns that both have.
    func values(like row: Row) -> [AlertValue] {
        rows.filter { other in other.series.allSatisfy { row.series[$0.key] == $0.value } }.map(\.value)
    }
}

extension WatchedRows.Row {
    /// Returns the result of the row.
    ///
    /// - Parameter range: The range of the rule's band, or nil if there is too little to compare with.
    fileprivate func result(_ rule: AlertRule, _ unit: String?, within range: AlertRange?) -> AlertEvaluation.Result {
        let text = AlertText(unit: unit)
        let finding: AlertFinding
        let expected: String
        switch rule.condition {
        case .texts(let texts):
            finding = value.text.map { texts.contains($0) ? .outside : .inside } ?? .unclear
            expected = "not expected: \(texts.joined(separator: ", "))"
        case .bounds(let below, let above):
            let range = AlertRange(lower: below, upper: above)
            finding = value.interval.map(range.finding) ?? .unclear
            expected = text.expected(range)
        case .band:
            finding = value.interval.flatMap { interval in range?.finding(of: interval) } ?? .unclear
            expected = range.map(text.expected) ?? "there is too little to compare with"
        }
        let series = JSONText.object(
            self.series.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map(JSONText.string) ?? "null") })
        return AlertEvaluation.Result(
            series: series, finding: finding, value: value,
            description: "\(rule.watchedInReport) of report \(rule.report) is \(text.value(value)); \(expected)"
                .cut(toBytes: AlertLimits.descriptionBytes))
    }
}

/// Values as people read them.
struct AlertText {
    let unit: String?

    func value(_ value: AlertValue) -> String {
        if let text = value.text { return text.isEmpty ? "empty" : text }
        guard let number = value.value else { return "missing" }
        guard let low = value.low, let high = value.high else { return self.number(number) }
        return "\(self.number(number)) (\(self.number(low)) to \(self.number(high)))"
    }

    func expected(_ range: AlertRange) -> String { "expected: \(self.range(range))" }

    func range(_ range: AlertRange) -> String {
        switch (range.lower, range.upper) {
        case (let lower?, let upper?): "\(isCount ? plain(lower) : number(lower)) to \(number(upper))"
        case (let lower?, nil): "at least \(number(lower))"
        case (nil, let upper?): "at most \(number(upper))"
        case (nil, nil): "any value"
        }
    }

    /// Whether the unit is what is counted, which is named once.
    private var isCount: Bool { ["events", "deliveries", "days"].contains(unit) }

    private func plain(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? String(Int64(value)) : String(format: "%.4g", value)
    }

    func number(_ value: Double) -> String {
        if unit == "ratio" { return String(format: "%.4g %%", value * 100) }
        let text = plain(value)
        switch unit {
        case "seconds": return text + " s"
        case _ where isCount:
            return "\(text) \(value == 1 ? ["events": "event", "days": "day"][unit] ?? "delivery" : unit ?? "")"
        default: return text
        }
    }
}
