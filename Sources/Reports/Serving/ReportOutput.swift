/// The formats in which a report can be had.
package enum ReportOutput: Sendable, Hashable {
    case table
    /// Raw leaves cells alone that a spreadsheet could take for formulas.
    case csv(raw: Bool)
    case json
    case ndjson

    /// The name in requests; raw CSV has a name of its own.
    package var name: String {
        switch self {
        case .table: "table"
        case .csv(let raw): raw ? "csv-raw" : "csv"
        case .json: "json"
        case .ndjson: "ndjson"
        }
    }

    package init?(name: String, raw: Bool = false) {
        switch name {
        case "table": self = .table
        case "csv": self = .csv(raw: raw)
        case "json": self = .json
        case "ndjson": self = .ndjson
        default: return nil
        }
    }
}
