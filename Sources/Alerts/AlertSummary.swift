import AfterpushWire
import Foundation
import JSON
import Reports

/// The daily or weekly summary of an app: the metrics of report overview for the period, and the alerts that fire.
struct AlertSummary {
    let app: String
    let from: Timestamp
    let to: Timestamp
    let overview: ReportResult
    /// The names of rules that fire, with the series.
    let firing: [(alert: String, record: AlertRecord)]
    /// How many alerts fire in all, of which `firing` may be a part.
    let firingCount: Int64

    /// The period that ends when a summary is due.
    static func period(_ summary: AlertSettings.Summary, endingAt end: Timestamp) -> (from: Timestamp, to: Timestamp) {
        let days: Int64 = summary == .daily ? 1 : 7
        return (Timestamp(microseconds: end.microseconds - days * 86_400_000_000), end)
    }

    var message: AlertMessage {
        let id = UUID()
        let metrics = overview.rows.map { row in
            Dictionary(overview.columns.indices.map { (overview.columns[$0].name, row[$0]) }) { first, _ in first }
        }
        let json = JSONText.object([
            ("id", JSONText.string(id.uuidString.lowercased())), ("type", JSONText.string("summary")),
            ("app", JSONText.string(app)), ("from", JSONText.string(from.description)),
            ("to", JSONText.string(to.description)),
            ("metrics", JSONText.array(metrics.map(Self.json))),
            (
                "firing",
                JSONText.array(
                    firing.map { alert, record in
                        JSONText.object([
                            ("alert", JSONText.string(alert)), ("series", record.series),
                            ("since", JSONText.string(record.state.since.description)),
                            ("description", JSONText.string(record.description)),
                        ])
                    })
            ), ("firing_count", String(firingCount)),
        ])
        let more = firingCount - Int64(firing.count)
        let alerts =
            firing.isEmpty
            ? ["No alert is firing."]
            : firing.map { Self.line(of: $0.alert, $0.record) } + (more > 0 ? ["Firing: \(more) more"] : [])
        let days = "\(from.description.prefix(10)) to \(to.description.prefix(10))"
        return AlertMessage(
            id: id, subject: "\(app): summary of \(days)",
            text: (metrics.map(Self.line) + [""] + alerts).joined(separator: "\n"), json: json)
    }

    private static func json(_ row: [String: String?]) -> String {
        JSONText.object(
            [("metric", JSONText.string((row["metric"] ?? nil) ?? ""))]
                + ["value", "low", "high", "n", "previous", "compared", "compared_share"].map {
                    ($0, (row[$0] ?? nil) ?? "null")
                })
    }

    /// The line about an alert that fires. Its names come from events, so anybody may have chosen them.
    static func line(of alert: String, _ record: AlertRecord) -> String {
        let series = record.series == "{}" ? "" : " for " + AlertMessage.names(inSeries: record.series)
        return AlertMessage.line("Firing: \(alert)\(series): \(record.description)")
    }

    private static func line(_ row: [String: String?]) -> String {
        func number(_ name: String) -> Double? { (row[name] ?? nil).flatMap(Double.init) }
        // Rates have a denominator.
        let text = AlertText(unit: (row["n"] ?? nil) == nil ? nil : "ratio")
        let value = AlertValue(value: number("value"), low: number("low"), high: number("high"))
        // Both are of deliveries of the same age, which may be a part of the period.
        let ofPart = number("compared").flatMap { $0 == number("value") ? nil : $0 }
        // What is compared of many deliveries is estimated from some of them.
        let about = ofPart != nil && (number("compared_share") ?? 1) < 1 ? "about " : ""
        let compared = ofPart.map { ", at equal age: \(about)\(text.number($0))" } ?? ""
        let before = number("previous").map { "\(compared), before: \(about)\(text.number($0))" } ?? ""
        return "\((row["metric"] ?? nil) ?? ""): \(text.value(value))\(before)"
    }
}
