/// A parameter that a report's head declares.
package struct ReportParameter: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case text
        /// `text a|b|c`: one of these.
        case choice([String])
        /// `list a|b|c`: up to two different ones of these, separated by commas.
        case list([String])
        /// RFC 3339, or a date alone: midnight in the report's zone.
        case time
        /// The name of a time zone, `Europe/Berlin`.
        case zone
        case boolean
        /// `integer`, `integer 1..` or `integer 1..168`.
        case integer(ClosedRange<Int64>)
        /// A whole number of seconds, minutes, hours or days: `90s`, `15m`, `12h`, `7d`.
        case duration
    }

    package let name: String
    package let kind: Kind
    /// What psql's `\set` gives it; empty if the report does without.
    package let defaultValue: String
    package let description: String
}

extension ReportParameter.Kind {
    /// Reads a type as a head writes it; nil if there is no such type.
    init?(type: String, values: String?) {
        let words = values?.split(separator: "|").map(String.init)
        switch (type, words) {
        case ("text", nil): self = .text
        case ("text", let words?): self = .choice(words)
        case ("list", let words?): self = .list(words)
        case ("time", nil): self = .time
        case ("zone", nil): self = .zone
        case ("boolean", nil): self = .boolean
        case ("duration", nil): self = .duration
        case ("integer", nil): self = .integer(.min ... .max)
        case ("integer", _):
            guard let match = values?.wholeMatch(of: /(-?[0-9]+)\.\.(-?[0-9]+)?/), let low = Int64(match.1) else {
                return nil
            }
            let high = match.2.map { Int64($0) } ?? .max
            guard let high, low <= high else { return nil }
            self = .integer(low...high)
        default: return nil
        }
    }

    /// The type's name as the head writes it.
    package var name: String {
        switch self {
        case .text, .choice: "text"
        case .list: "list"
        case .time: "time"
        case .zone: "zone"
        case .boolean: "boolean"
        case .integer: "integer"
        case .duration: "duration"
        }
    }

    /// The values that are permitted; empty if any of the type is.
    package var permitted: [String] {
        switch self {
        case .choice(let values), .list(let values): values
        case .boolean: ["true", "false"]
        default: []
        }
    }
}
