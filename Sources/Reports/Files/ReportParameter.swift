/// A parameter declared in a report's head.
package struct ReportParameter: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case text
        /// A choice of one of the given values, declared as `text a|b|c`.
        case choice([String])
        /// A list of up to two different values of those given, separated by commas, declared as `list a|b|c`.
        case list([String])
        /// A time in RFC 3339, or a date, which means midnight in the report's zone.
        case time
        /// The name of a time zone, such as `Europe/Berlin`.
        case zone
        case boolean
        /// An integer, declared as `integer`, `integer 1..` or `integer 1..168`.
        case integer(ClosedRange<Int64>)
        /// A decimal number, declared as `number` or `number 0..1`.
        case number(ClosedRange<Double>)
        /// A whole number of seconds, minutes, hours or days, such as `90s`, `15m`, `12h` or `7d`. Declared as
        /// `duration auto`, it may also be the given word.
        case duration(or: [String])
    }

    package let name: String
    package let kind: Kind
    /// The value of psql's `\set`; empty for no value.
    package let defaultValue: String
    package let description: String
}

extension ReportParameter.Kind {
    /// Reads a type from a head; the result is `nil` if there is no such type.
    init?(type: String, values: String?) {
        let words = values?.split(separator: "|").map(String.init)
        switch (type, words) {
        case ("text", nil): self = .text
        case ("text", let words?): self = .choice(words)
        case ("list", let words?): self = .list(words)
        case ("time", nil): self = .time
        case ("zone", nil): self = .zone
        case ("boolean", nil): self = .boolean
        case ("duration", let words): self = .duration(or: words ?? [])
        case ("integer", nil): self = .integer(.min ... .max)
        case ("integer", _):
            guard let match = values?.wholeMatch(of: /(-?[0-9]+)\.\.(-?[0-9]+)?/), let low = Int64(match.1) else {
                return nil
            }
            let high = match.2.map { Int64($0) } ?? .max
            guard let high, low <= high else { return nil }
            self = .integer(low...high)
        case ("number", nil): self = .number(-Double.infinity ... .infinity)
        case ("number", _):
            guard let match = values?.wholeMatch(of: /(-?[0-9.]+)\.\.(-?[0-9.]+)/), let low = Double(match.1),
                let high = Double(match.2), low <= high
            else { return nil }
            self = .number(low...high)
        default: return nil
        }
    }

    /// The type's name in a head.
    package var name: String {
        switch self {
        case .text, .choice: "text"
        case .list: "list"
        case .time: "time"
        case .zone: "zone"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .duration: "duration"
        }
    }

    /// The permitted values; empty if all values of the type are permitted.
    package var permitted: [String] {
        switch self {
        case .choice(let values), .list(let values): values
        case .boolean: ["true", "false"]
        default: []
        }
    }
}
