import AfterpushWire
import Foundation
import ReferenceModel
import TestSupport

/// The data quality reports that the model tests request.
enum HealthModelReport: CaseIterable {
    case health, failures, replies, texts, undeclared

    var name: String {
        switch self {
        case .health: "health"
        case .failures: "failures"
        case .replies, .texts: "replies"
        case .undeclared: "undeclared"
        }
    }

    func query(_ selection: Selection) -> [(String, String)] {
        let times = ["from", "to", "tz"]
        let all = selection.query
        func only(_ names: [String]) -> [(String, String)] { all.filter { names.contains($0.0) } }
        let filters = ["campaign", "category", "variant", "platform", "verified"]
        switch self {
        case .health: return only(times + ["min_n"])
        case .undeclared: return only(times)
        case .failures:
            return only(times + filters + ["min_n", "by"])
        case .replies: return only(times + filters + ["min_n"]) + [("top", "3"), ("fewest", "2")]
        case .texts: return only(times + filters) + [("include_text", "true")]
        }
    }

    func model(
        _ scenario: Scenario, _ declarations: Declarations, _ stored: StoredTimes, _ selection: Selection
    ) -> [ModelRow] {
        let events = scenario.events
        var grouped = selection
        if selection.by.isEmpty { grouped.by = [.platform, .day] }
        return switch self {
        case .health:
            healthReport(events: events, stored: stored, declarations: declarations, selection: selection)
        case .failures: failuresReport(events: events, declarations: declarations, selection: grouped)
        case .replies:
            repliesReport(events: events, declarations: declarations, selection: selection, top: 3, fewest: 2)
        case .texts: replyTexts(events: events, declarations: declarations, selection: selection)
        case .undeclared: undeclaredReport(events: events, declarations: declarations, selection: selection)
        }
    }

    /// The part of a served report that the model computes, with times in the model's format.
    func comparable(_ served: ServedReport) throws -> ServedReport {
        let databaseSections: [ModelValue] = ["rollups", "spool", "intake", "clock"].map { .text(Identifier($0)) }
        let rows = served.rows.filter { row in !(row["section"].map(databaseSections.contains) ?? false) }
        return ServedReport(
            columns: served.columns,
            rows: rows.map { row in
                row.reduce(into: [:]) { row, cell in row[cell.key] = Self.time(cell.value, in: cell.key) }
            })
    }

    private static func time(_ value: ModelValue, in column: String) -> ModelValue {
        guard case .text(let text) = value, let time = Timestamp(text.text) else { return value }
        switch column {
        case "at": return .int(Int(time.microseconds))
        case "first_at", "last_at", "replied_at": return .text(Identifier(rfc3339(Int(time.microseconds))))
        default: return value
        }
    }
}
