import JSON

extension JSONText {
    static func column(_ column: ReportColumn) -> String {
        object([
            ("name", string(column.name)), ("type", string(column.kind.rawValue)),
            ("unit", column.unit.map(string) ?? "null"), ("description", string(column.description)),
        ])
    }

    /// Returns the effective value of a parameter; null if there is none.
    static func parameter(_ entry: ReportParameters.Entry) -> String {
        if entry.value.isEmpty { return "null" }
        switch entry.parameter.kind {
        case .integer, .boolean: return entry.value
        default: return string(entry.value)
        }
    }
}
