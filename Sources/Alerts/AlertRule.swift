package import Declarations
import Events
import Foundation
import JSON
package import Reports

/// A rule: which value of which report is watched, what is expected of it, and where alerts go.
package struct AlertRule: Sendable, Equatable {
    package var name: String
    package var isEnabled = true
    package var report: String
    package var parameters: [String: String] = [:]
    /// The rows that are watched: those with these values in these columns.
    package var filter: [String: String] = [:]
    /// The columns that tell the watched rows apart; each row has an alert of its own. Without any, all rows share one.
    package var series: [String] = []
    package var column: String
    package var condition: AlertCondition
    /// The length of the period that the report is about, or nil for everything.
    package var window: Duration?
    /// How long before the evaluation the period ends.
    package var delay: Duration = .zero
    /// How long a value must be outside until the alert fires, and inside until it resolves.
    package var hold: Duration = .zero
    package var every: Duration = .seconds(300)
    /// Where alerts go, or nil for the destinations of the app.
    package var destinations: [AlertDestination]?
    /// Whether the definition comes with the program.
    package var isBuiltIn = false

    package init(name: String, report: String, column: String, condition: AlertCondition) {
        self.name = name
        self.report = report
        self.column = column
        self.condition = condition
    }

    /// Checks that the report exists, and has what the rule names.
    package func check(_ catalogue: ReportCatalogue) throws(DeclarationError) {
        let fields = EntryFields(place: "alert")
        guard let definition = try? catalogue.report(named: report), report != "replies" else {
            throw fields.error("report", .fieldInvalid, "is not a report that alerts can watch")
        }
        guard let watched = definition.columns.first(where: { $0.name == column }) else {
            throw fields.error("column", .fieldInvalid, "is not a column of the report")
        }
        let isNumber = watched.kind == .integer || watched.kind == .number
        if case .texts = condition {
            guard !isNumber else { throw fields.error("is", .fieldInvalid, "compares texts, not numbers") }
        } else if !isNumber {
            throw fields.error("column", .fieldInvalid, "is not a column of numbers")
        }
        // Differences are ratios, too, so they can be negative. A ratio of an own report can be anything.
        if case .bounds(let below, let above) = condition, definition.isBuiltIn, watched.unit == "ratio" {
            for (name, bound) in [("below", below), ("above", above)] where abs(bound ?? 0) > 1 {
                throw fields.error(
                    name, .fieldInvalid, "must be from -1 to 1, because the column is a ratio: for 80 % write 0.8")
            }
        }
        for (name, columns) in [("where", Array(filter.keys)), ("series", series)]
        where !columns.allSatisfy({ column in definition.columns.contains { $0.name == column } }) {
            throw fields.error(name, .fieldInvalid, "names a column that the report doesn't have")
        }
        try check(parametersOf: definition, fields)
    }

    private func check(
        parametersOf definition: ReportDefinition, _ fields: EntryFields
    ) throws(DeclarationError) {
        func has(_ name: String) -> Bool { definition.parameters.contains { $0.name == name } }
        if window != nil {
            guard has("from"), has("to") else {
                throw fields.error("window", .fieldInvalid, "needs a report with the parameters from and to")
            }
            guard parameters["from"] == nil, parameters["to"] == nil else {
                throw fields.error("parameters", .fieldInvalid, "has from or to besides a window")
            }
        }
        do {
            _ = try ReportParameters(validating: parameters, for: definition)
            if case .band(let band) = condition, case .group(let by) = band.reference {
                _ = try ReportParameters(
                    validating: parameters.merging(["by": by]) { $1 }, for: definition)
            }
        } catch {
            throw fields.error("parameters", .fieldInvalid, "don't fit the report: \(error)")
        }
    }
}

extension AlertRule {
    /// The definition as JSON, without whether the rule is enabled and where its alerts go.
    package var definition: String { JSONText.object(members) }

    private var members: [(key: String, json: String)] {
        var members = [
            ("report", JSONText.string(report)), ("parameters", Self.object(parameters)),
            ("where", Self.object(filter)), ("series", JSONText.array(series.map(JSONText.string))),
            ("column", JSONText.string(column)),
        ]
        switch condition {
        case .bounds(let below, let above):
            if let below { members.append(("below", Self.number(below))) }
            if let above { members.append(("above", Self.number(above))) }
        case .texts(let texts): members.append(("is", JSONText.array(texts.map(JSONText.string))))
        case .band(let band):
            let reference =
                switch band.reference {
                case .weeks(let weeks): ("weeks", String(weeks))
                case .group(let by): ("by", JSONText.string(by))
                }
            members.append(
                (
                    "band",
                    JSONText.object([
                        reference, ("tolerance", Self.number(band.tolerance)),
                        ("side", JSONText.string(band.side.rawValue)),
                    ])
                ))
        }
        members.append(("window", window.map { JSONText.string(AlertPeriod.text($0)) } ?? "null"))
        for (name, period) in [("delay", delay), ("hold", hold), ("every", every)] {
            members.append((name, JSONText.string(AlertPeriod.text(period))))
        }
        return members
    }

    /// The rule as JSON, in the form of a `PUT`.
    ///
    /// - Parameter isRedacted: Whether to leave out what could be a secret in the destinations.
    package func json(isRedacted: Bool, adding others: [(key: String, json: String)] = []) -> String {
        let deliver = destinations.map { JSONText.array($0.map { $0.json(isRedacted: isRedacted) }) } ?? "null"
        return JSONText.object(
            [("name", JSONText.string(name))] + members
                + [("deliver", deliver), ("enabled", String(isEnabled)), ("built_in", String(isBuiltIn))] + others)
    }

    private static func object(_ texts: [String: String]) -> String {
        JSONText.object(texts.sorted { $0.key < $1.key }.map { ($0.key, JSONText.string($0.value)) })
    }

    static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}

/// Periods as texts, such as `15m`.
enum AlertPeriod {
    static func text(_ period: Duration) -> String {
        let seconds = period.components.seconds
        if seconds % 3_600 == 0, seconds != 0 { return "\(seconds / 3_600)h" }
        return seconds % 60 == 0 && seconds != 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }

    static func read(_ text: String) -> Duration? {
        guard let match = text.wholeMatch(of: /([0-9]{1,8})([smhd])/), let count = Int64(match.1) else { return nil }
        let units: [Substring: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        return .seconds(count * (units[match.2] ?? 1))
    }
}
