/// A format of an export.
package enum ExportFormat: Sendable, Equatable {
    /// A CSV file. If `raw`, cells that a spreadsheet could treat as formulas are left unchanged.
    case csv(raw: Bool)
    case ndjson

    package init?(name: String, raw: Bool = false) {
        switch name {
        case "csv": self = .csv(raw: raw)
        case "ndjson": self = .ndjson
        default: return nil
        }
    }

    /// The value of the header `Content-Type`, with its parameters.
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
