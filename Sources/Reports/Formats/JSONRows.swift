import JSON

/// Writes rows as JSON objects in place, because they are most of a report's answer.
struct JSONRows {
    /// The concatenated texts before each value, such as `{"sent":`; `keyEnds` has the end of each.
    private let keys: [UInt8]
    private let keyEnds: [Int]
    /// Whether the values of each column are written as JSON strings rather than unquoted.
    private let areStrings: [Bool]

    init(_ columns: [ReportColumn]) {
        var keys: [UInt8] = []
        keyEnds = columns.enumerated().map { place, column in
            keys.append(contentsOf: "\(place == 0 ? "{" : ",")\(JSONText.string(column.name)):".utf8)
            return keys.count
        }
        self.keys = keys
        areStrings = columns.map { column in
            switch column.kind {
            case .integer, .number, .boolean: false
            case .text, .time, .date: true
            }
        }
    }

    /// Appends a row.
    ///
    /// - Parameter rows: Rows of canonical values, one per column.
    func append(_ row: Int, of rows: ReportRows, to json: inout [UInt8]) {
        if keys.isEmpty { json.append(UInt8(ascii: "{")) }
        var written = 0
        rows.forEachValue(ofRow: row) { place, value in
            json.append(contentsOf: keys[written..<keyEnds[place]])
            written = keyEnds[place]
            guard let value else { return json.append(contentsOf: "null".utf8) }
            if areStrings[place] {
                JSONText.append(value, to: &json)
            } else {
                json.append(contentsOf: value)
            }
        }
        json.append(UInt8(ascii: "}"))
    }
}
