/// JSON written by hand, because key order must hold and numbers must stay as the server wrote them.
package enum JSONText {
    /// A JSON string with its quotes. Everything but quotes, backslashes and control characters stays as it is.
    package static func string(_ text: String) -> String {
        var json = "\""
        json.reserveCapacity(text.utf8.count + 2)
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }) {
            json += text
            json += "\""
            return json
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\n": json += "\\n"
            case "\r": json += "\\r"
            case "\t": json += "\\t"
            case "\0"..<" ", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        json.unicodeScalars.append("\"")
        return json
    }

    package static func object(_ members: [(key: String, json: String)]) -> String {
        "{" + members.map { "\(string($0.key)):\($0.json)" }.joined(separator: ",") + "}"
    }

    package static func array(_ elements: [String]) -> String {
        "[" + elements.joined(separator: ",") + "]"
    }

    /// A canonical value of `column`.
    static func value(_ value: String?, of column: ReportColumn) -> String {
        guard let value else { return "null" }
        switch column.kind {
        case .integer, .number, .boolean: return value
        case .text, .time, .date: return string(value)
        }
    }

    /// The names of columns as a row's members begin with them.
    static func keys(_ columns: [ReportColumn]) -> [String] {
        columns.map { string($0.name) + ":" }
    }

    /// - Parameter keys: of the columns.
    static func row(_ row: [String?], _ columns: [ReportColumn], _ keys: [String]) -> String {
        var json = "{"
        // About as long as a member of a row of numbers is.
        json.reserveCapacity(row.count * 40)
        for (place, cell) in row.enumerated() {
            if place > 0 { json += "," }
            json += keys[place]
            json += value(cell, of: columns[place])
        }
        return json + "}"
    }

    static func column(_ column: ReportColumn) -> String {
        object([
            ("name", string(column.name)), ("type", string(column.kind.rawValue)),
            ("unit", column.unit.map(string) ?? "null"), ("description", string(column.description)),
        ])
    }

    /// The value in force of a parameter; null where nothing is asked for.
    static func parameter(_ entry: ReportParameters.Entry) -> String {
        if entry.value.isEmpty { return "null" }
        switch entry.parameter.kind {
        case .integer, .boolean: return entry.value
        default: return string(entry.value)
        }
    }
}
