/// A column that a report's head declares.
package struct ReportColumn: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case text, integer, number, boolean
        /// RFC 3339, UTC.
        case time
        /// A day without a zone, `2026-11-21`.
        case date
    }

    package let name: String
    package let kind: Kind
    /// `ratio`, `seconds`, `deliveries`...; nil if the head gives none.
    package let unit: String?
    package let description: String

    package init(name: String, kind: Kind, unit: String? = nil, description: String = "") {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.description = description
    }

    /// Whether values are shares of one, which people read as per cent.
    var isRatio: Bool { kind == .number && unit == "ratio" }
    var isNumeric: Bool { kind == .integer || kind == .number }
}
