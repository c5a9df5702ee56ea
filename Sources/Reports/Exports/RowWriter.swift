/// Writes rows of COPY's text format in the format of an export.
///
/// COPY separates values by tabs and rows by line feeds, writes null as `\N`, and escapes by backslashes what could be
/// taken for any of these.
struct RowWriter: Sendable {
    let format: ExportFormat
    let columns: [ExportColumn]
    /// For NDJSON: `"name":`, by column.
    private let keys: [[UInt8]]

    init(_ format: ExportFormat, _ columns: [ExportColumn]) {
        self.format = format
        self.columns = columns
        keys = columns.map { Array("\"\($0.name)\":".utf8) }
    }

    /// What stands before the first row.
    var header: [UInt8] {
        guard case .csv = format else { return [] }
        return Array((columns.map(\.name).joined(separator: ",") + "\r\n").utf8)
    }

    /// - Parameter rows: whole ones.
    func written(_ rows: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(rows.count + rows.count / 2)
        var position = 0
        while position < rows.count {
            switch format {
            case .csv(let raw): writeCSV(rows.span, &position, raw: raw, to: &text)
            case .ndjson: writeJSON(rows.span, &position, to: &text)
            }
        }
        return text
    }

    private func writeCSV(_ rows: Span<UInt8>, _ position: inout Int, raw: Bool, to text: inout [UInt8]) {
        for (place, column) in columns.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            let cell = CopyCell(rows, &position)
            if cell.isNull { continue }
            switch column.kind {
            case .text, .json:
                text.append(UInt8(ascii: "\""))
                if !raw, cell.couldBeFormula(rows) { text.append(UInt8(ascii: "'")) }
                cell.appendQuoted(rows, to: &text)
                text.append(UInt8(ascii: "\""))
            default: cell.append(rows, column.kind, to: &text)
            }
        }
        text.append(UInt8(ascii: "\r"))
        text.append(UInt8(ascii: "\n"))
    }

    /// A null stands for a member that isn't there, as in an event that is posted.
    private func writeJSON(_ rows: Span<UInt8>, _ position: inout Int, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        for (place, column) in columns.enumerated() {
            let cell = CopyCell(rows, &position)
            if cell.isNull { continue }
            if place > 0 { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: keys[place])
            switch column.kind {
            case .text, .word, .time:
                text.append(UInt8(ascii: "\""))
                if column.kind == .text {
                    cell.appendJSON(rows, to: &text)
                } else {
                    cell.append(rows, column.kind, to: &text)
                }
                text.append(UInt8(ascii: "\""))
            case .json: cell.appendUnescaped(rows, to: &text)
            case .number, .boolean: cell.append(rows, column.kind, to: &text)
            }
        }
        text.append(UInt8(ascii: "}"))
        text.append(UInt8(ascii: "\n"))
    }

    /// PostgreSQL's `2026-11-21 10:00:00.5+00` as RFC 3339.
    static func time(_ text: String) -> String {
        var written: [UInt8] = []
        let bytes = Array(text.utf8)
        var position = 0
        CopyCell(bytes.span, &position).append(bytes.span, .time, to: &written)
        return String(decoding: written, as: UTF8.self)
    }
}
