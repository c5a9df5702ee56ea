/// Converts rows as COPY sends them to the format of an export.
struct RowWriter: Sendable {
    private let format: ExportFormat
    private let columns: [ExportColumn]
    /// The text before each column's value in NDJSON, such as `,"name":`.
    private let keys: [[UInt8]]
    /// The maximum number of bytes in a row besides its values.
    private let overhead: Int

    init(_ format: ExportFormat, _ columns: [ExportColumn]) {
        self.format = format
        self.columns = columns
        keys = columns.enumerated().map { Array("\($0.offset == 0 ? "{" : ",")\"\($0.element.name)\":".utf8) }
        // Quotes, separators, an apostrophe, and `false` for `f`.
        overhead = keys.reduce(8) { $0 + $1.count + 8 }
    }

    /// The text before the first row.
    var header: [UInt8] {
        guard case .csv = format else { return [] }
        return Array((columns.map(\.name).joined(separator: ",") + "\r\n").utf8)
    }

    /// Returns rows in the format of the export.
    ///
    /// - Parameters:
    ///   - rows: Complete rows as COPY sends them.
    ///   - count: The number of rows.
    func written(_ rows: [UInt8], count: Int) -> [UInt8] {
        // A control character takes six bytes in JSON.
        [UInt8](unsafeUninitializedCapacity: 6 * rows.count + count * overhead) { buffer, length in
            rows.withUnsafeBufferPointer { rows in
                var rows = CopyRows(rows)
                var text = UncheckedByteBuffer(buffer)
                while !rows.isAtEnd {
                    switch format {
                    case .csv(let raw): writeCSV(&rows, raw: raw, to: &text)
                    case .ndjson: writeJSON(&rows, to: &text)
                    }
                }
                length = text.count
            }
        }
    }

    private func writeCSV(_ rows: inout CopyRows, raw: Bool, to text: inout UncheckedByteBuffer) {
        for column in columns {
            if !rows.takeNull() {
                switch column.kind {
                case .word, .number: rows.copyWord(to: &text)
                case .time: rows.copyTime(to: &text)
                case .boolean: rows.copyBoolean(to: &text)
                case .text, .json:
                    text.append(UInt8(ascii: "\""))
                    if !raw, rows.couldBeFormula() { text.append(UInt8(ascii: "'")) }
                    rows.copyQuoted(to: &text)
                    text.append(UInt8(ascii: "\""))
                }
            }
            text.append(UInt8(ascii: ","))
        }
        text.removeLast(1)
        text.append("\r\n")
    }

    /// Writes a row as an object; the member of a null is absent, as in a posted event.
    private func writeJSON(_ rows: inout CopyRows, to text: inout UncheckedByteBuffer) {
        for (place, column) in columns.enumerated() where !rows.takeNull() {
            text.append(keys[place])
            switch column.kind {
            case .number: rows.copyWord(to: &text)
            case .boolean: rows.copyBoolean(to: &text)
            case .json: rows.copyStored(to: &text)
            case .word, .time, .text:
                text.append(UInt8(ascii: "\""))
                switch column.kind {
                case .word: rows.copyWord(to: &text)
                case .time: rows.copyTime(to: &text)
                default: rows.copyJSONString(to: &text)
                }
                text.append(UInt8(ascii: "\""))
            }
        }
        text.append("}\n")
    }
}
