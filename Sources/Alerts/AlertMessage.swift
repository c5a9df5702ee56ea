package import AfterpushWire
package import Foundation
import JSON

/// What a destination gets: of a change of an alert, of a test, or of a summary.
package struct AlertMessage: Sendable, Equatable {
    /// The same at each attempt, so that receivers can drop repetitions.
    package let id: UUID
    /// One line.
    package let subject: String
    /// The lines below it.
    package let text: String
    /// The body for webhooks.
    package let json: String

    /// Describes a change of an alert.
    package init(_ change: AlertChange, of rule: AlertRule, app: String) {
        id = change.id
        let state = change.to == .firing ? "firing" : "resolved"
        let place = change.series == "{}" ? "" : " for " + Self.names(inSeries: change.series)
        subject = Self.line("\(app): \(rule.name) is \(state)\(place)")
        text = change.description
        json = JSONText.object([
            ("id", JSONText.string(change.id.uuidString.lowercased())), ("type", JSONText.string("alert")),
            ("app", JSONText.string(app)), ("alert", JSONText.string(rule.name)),
            ("state", JSONText.string(state)), ("series", change.series),
            ("at", JSONText.string(change.at.description)), ("report", JSONText.string(rule.report)),
            ("column", JSONText.string(rule.column)), ("value", Self.number(change.value.value)),
            ("value_low", Self.number(change.value.low)), ("value_high", Self.number(change.value.high)),
            ("text", change.value.text.map(JSONText.string) ?? "null"),
            ("description", JSONText.string(change.description)),
        ])
    }

    /// Makes a message for a test of a destination.
    package init(testOf rule: AlertRule, app: String, description: String) {
        id = UUID()
        subject = Self.line("\(app): test of \(rule.name)")
        text = description
        json = JSONText.object([
            ("id", JSONText.string(id.uuidString.lowercased())), ("type", JSONText.string("test")),
            ("app", JSONText.string(app)), ("alert", JSONText.string(rule.name)),
            ("description", JSONText.string(description)),
        ])
    }

    package init(id: UUID, subject: String, text: String, json: String) {
        (self.id, self.subject, self.text, self.json) = (id, Self.line(subject), text, json)
    }

    /// Returns the body for a kind of destination.
    package func body(for kind: AlertDestination.Kind) -> String {
        switch kind {
        case .webhook: json
        case .slack:
            JSONText.object([("text", JSONText.string("*\(Self.slack(subject))*\n\(Self.slack(text))"))])
        case .email: text
        }
    }

    /// The values of a series, such as `campaign_id autumn, variant b`.
    static func names(inSeries series: String) -> String {
        guard let values = try? JSONDecoder().decode([String: String?].self, from: Data(series.utf8)) else {
            return series
        }
        return values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value ?? "unknown")" }.joined(separator: ", ")
    }

    /// Escapes the characters that Slack gives a meaning, so that a name can't link or mention anybody.
    private static func slack(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Replaces line breaks, which could add lines or header fields to a mail, other control characters, and marks that
    /// change the direction of what follows.
    static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { changesLine($0) ? " " : $0 }))
    }

    private static func changesLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }

    static func number(_ value: Double?) -> String {
        value.map { $0.isFinite ? AlertRule.number($0) : "null" } ?? "null"
    }
}

/// A change of an alert's state.
package struct AlertChange: Sendable, Equatable {
    package let id: UUID
    package let series: String
    package let from: AlertState.Phase
    package let to: AlertState.Phase
    package let at: Timestamp
    package let value: AlertValue
    package let description: String

    /// Whether a message about it is sent. A pending alert only shows in the history.
    var isDelivered: Bool { to == .firing || from == .firing }
}
