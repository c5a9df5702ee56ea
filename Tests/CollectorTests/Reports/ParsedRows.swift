import Foundation

/// The rows of a report, parsed from one of its formats: the header and the fields, null as nil.
struct ParsedRows {
    let columns: [String]
    let rows: [[String?]]

    init(csv text: String) {
        let parsed = CSV.parse(text)
        columns = parsed.first?.compactMap(\.self) ?? []
        rows = Array(parsed.dropFirst())
    }

    /// Parses psql's output, which has t and f and its own time format; the report knows which columns contain them.
    init(psql text: String, kinds: [String: String]) {
        let plain = ParsedRows(csv: text)
        columns = plain.columns
        rows = plain.rows.map { row in
            zip(row, plain.columns).map { value, column in
                switch kinds[column] {
                case "boolean": value.map { $0 == "t" ? "true" : "false" }
                case "time": value.map(Self.rfc3339)
                default: value
                }
            }
        }
    }

    init(json document: [String: Any]) {
        let columns = (document["columns"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        self.columns = columns
        rows = (document["rows"] as? [[String: Any]] ?? []).map { row in columns.map { Self.field(row[$0]) } }
    }

    /// Parses NDJSON.
    ///
    /// - Parameter columns: The columns, which can't be derived from an empty result.
    init(ndjson text: String, columns: [String]) throws {
        self.columns = columns
        rows = try text.split(separator: "\n", omittingEmptySubsequences: true).map { line in
            let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            return row.count == columns.count ? columns.map { Self.field(row[$0]) } : []
        }
    }

    /// The rows without the apostrophes that protect cells from being read as formulas.
    var withoutApostrophes: ParsedRows {
        ParsedRows(
            columns: columns,
            rows: rows.map { row in row.map { $0?.hasScalarPrefix("'") == true ? $0?.withoutFirstScalar : $0 } })
    }

    /// The rows without those of `health` about the present state, which differ between runs.
    var withoutPresentState: ParsedRows {
        guard columns.first == "section" else { return self }
        return ParsedRows(columns: columns, rows: rows.filter { $0.first != "rollups" && $0.first != "spool" })
    }

    /// The first difference, or nil if the rows are equal. Numbers may have different notations.
    func difference(from other: ParsedRows) -> String? {
        if columns != other.columns { return "\(columns) \(other.columns)" }
        if rows.count != other.rows.count { return "\(rows.count) rows, \(other.rows.count)" }
        for (row, (one, two)) in zip(rows, other.rows).enumerated() {
            let isSame =
                one.count == two.count
                && zip(one, two).allSatisfy { one, two in
                    // Compares bytes, because == considers some different texts equal.
                    if one.map({ Array($0.utf8) }) == two.map({ Array($0.utf8) }) { return true }
                    guard let one = one.flatMap(Double.init), let two = two.flatMap(Double.init) else { return false }
                    return abs(one - two) <= 1e-9 * max(1, abs(one))
                }
            if !isSame { return "row \(row): \(one) \(two)" }
        }
        return nil
    }

    private init(columns: [String], rows: [[String?]]) {
        self.columns = columns
        self.rows = rows
    }

    private static func field(_ value: Any?) -> String? {
        switch value {
        case nil, is NSNull: nil
        case let text as String: text
        case let number as NSNumber:
            String(cString: number.objCType) == "c" ? (number.boolValue ? "true" : "false") : number.description
        default: "?"
        }
    }

    private static func rfc3339(_ text: String) -> String {
        guard let match = text.wholeMatch(of: /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(\.\d+)?)\+00/) else { return text }
        return "\(match.1)T\(match.2)Z"
    }
}

extension String {
    fileprivate func hasScalarPrefix(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.first == scalar }
    fileprivate var withoutFirstScalar: String { String(unicodeScalars.dropFirst()) }
}
