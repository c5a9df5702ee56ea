/// A column declared in a report's head.
package struct ReportColumn: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case text, integer, number, boolean
        /// A time in RFC 3339, in UTC.
        case time
        /// A day without a zone, such as `2026-11-21`.
        case date
    }

    package let name: String
    package let kind: Kind
    /// The unit, such as `ratio`, `seconds` or `deliveries`, or `nil` if the head declares none.
    package let unit: String?
    package let description: String

    package init(name: String, kind: Kind, unit: String? = nil, description: String = "") {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.description = description
    }

    /// Whether values are fractions of one, which tables show as percentages.
    var isRatio: Bool { kind == .number && unit == "ratio" }
    /// Whether values are amounts of money, which tables show with cents.
    var isAmount: Bool { kind == .number && unit == "currency" }
    var isNumeric: Bool { kind == .integer || kind == .number }
}
