/// The formats of an export.
package enum ExportFormat: Sendable, Equatable {
    /// Raw leaves cells alone that a spreadsheet could take for formulas.
    case csv(raw: Bool)
    case ndjson

    package init?(name: String, raw: Bool = false) {
        switch name {
        case "csv": self = .csv(raw: raw)
        case "ndjson": self = .ndjson
        default: return nil
        }
    }

    /// With its parameters, for `Content-Type`.
    package var contentType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8; header=present"
        case .ndjson: "application/x-ndjson"
        }
    }

    package var name: String {
        switch self {
        case .csv: "csv"
        case .ndjson: "ndjson"
        }
    }
}
