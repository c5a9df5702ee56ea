/// Finds the end of the last complete row in a partial export, which can be truncated anywhere.
package struct ExportTail: Sendable {
    private let format: ExportFormat
    private var isQuoted = false
    private var line: [UInt8] = []
    private var position = 0
    /// The number of bytes up to the end of the last complete row, including the header.
    package private(set) var wholeBytes = 0
    /// The last complete line, which is the header if there are no rows.
    private(set) var lastLine: [UInt8] = []
    private(set) var lines = 0

    package init(_ format: ExportFormat) {
        self.format = format
    }

    /// Processes the next bytes of the file.
    package mutating func take(_ bytes: [UInt8]) {
        for byte in bytes {
            position += 1
            if byte == UInt8(ascii: "\""), format != .ndjson { isQuoted.toggle() }
            guard byte == UInt8(ascii: "\n"), !isQuoted else {
                line.append(byte)
                continue
            }
            wholeBytes = position
            lines += 1
            swap(&lastLine, &line)
            line.removeAll(keepingCapacity: true)
        }
    }

    /// Returns the cursor of the last complete row, or `nil` if the file has no complete row or is not such an export.
    package func cursor(of kind: ExportKind) -> ExportCursor? {
        guard lines > (format == .ndjson ? 0 : 1) else { return nil }
        switch format {
        case .csv:
            let cells = lastLine.split(separator: UInt8(ascii: ","), maxSplits: kind.cursorColumns)
            let text = cells.prefix(kind.cursorColumns).map { String(decoding: $0, as: UTF8.self) }
            return ExportCursor(text.joined(separator: ",").filter { $0 != "\r" }, of: kind)
        case .ndjson: return jsonCursor(of: kind)
        }
    }

    /// Reads the cursor from a line of NDJSON, which begins with its members; none of them needs an escape.
    private func jsonCursor(of kind: ExportKind) -> ExportCursor? {
        let text = String(decoding: lastLine, as: UTF8.self)
        var values: [String] = []
        var rest = text[...]
        for column in kind.columns(text: false).prefix(kind.cursorColumns) {
            let key = "\"\(column.name)\":"
            guard let found = rest.firstRange(of: key) else { return nil }
            rest = rest[found.upperBound...]
            values.append(String(rest.prefix { $0 != "," && $0 != "}" }).filter { $0 != "\"" })
        }
        return ExportCursor(values.joined(separator: ","), of: kind)
    }
}
