/// Rows of some columns as JSON objects: most of what a report's answer consists of, so each is written once, in place.
struct JSONRows {
    /// What stands before each value: `{"sent":` and so on.
    private let keys: [[UInt8]]
    /// Whether a value is a JSON string, or stands as it is.
    private let areStrings: [Bool]

    init(_ columns: [ReportColumn]) {
        keys = columns.enumerated().map { place, column in
            Array("\(place == 0 ? "{" : ",")\(JSONText.string(column.name)):".utf8)
        }
        areStrings = columns.map { column in
            switch column.kind {
            case .integer, .number, .boolean: false
            case .text, .time, .date: true
            }
        }
    }

    /// - Parameter rows: canonical values, in each row as many as there are columns.
    func append(_ row: Int, of rows: ReportRows, to json: inout [UInt8]) {
        if keys.isEmpty { json.append(UInt8(ascii: "{")) }
        rows.forEachValue(ofRow: row) { place, value in
            json.append(contentsOf: keys[place])
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
