import JSON

/// Rows of some columns as JSON objects: most of what a report's answer consists of, so each is written once, in place.
struct JSONRows {
    /// The text before each value, such as `{"sent":`, concatenated, and where each piece ends.
    private let keys: [UInt8]
    private let keyEnds: [Int]
    /// Whether a value is written as a JSON string or unquoted.
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

    /// - Parameter rows: canonical values, one per column in each row.
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
