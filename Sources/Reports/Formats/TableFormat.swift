/// A format with an aligned table for people to read on a terminal.
///
/// Rates are percentages with their interval. Empty columns are left out and counted. Columns that do not fit the width
/// are shown in further parts below, in which the columns that identify the row are repeated.
package struct TableFormat: ReportFormat {
    /// Whether all columns are shown in full and in one part.
    package var wide: Bool
    package var color: Bool
    /// The width of the terminal in columns.
    package var width: Int

    package init(wide: Bool = false, color: Bool = false, width: Int = 120) {
        self.wide = wide
        self.color = color
        self.width = width
    }

    package var contentType: String { "text/plain; charset=utf-8" }

    package nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws {
        let (columns, leftOut) = TableColumn.columns(of: result, wide: wide)
        var pieces = ChunkedWriter()
        try await pieces.write(styled(TerminalText.visible(result.title), "1") + "\n", into: sink)
        try await pieces.write(styled(subtitle(of: result), "2") + "\n", into: sink)
        for part in result.rows.isEmpty ? [] : parts(of: columns) {
            try await pieces.write("\n" + styled(line(part) { $0.heading }, "1") + "\n", into: sink)
            for row in result.rows.indices {
                try await pieces.write(line(part) { $0.cells[row] } + "\n", into: sink)
            }
        }
        for note in notes(on: result, leftOut: leftOut) {
            try await pieces.write("\n" + styled(note, "2") + "\n", into: sink)
        }
        try await pieces.finish(into: sink)
    }

    private func subtitle(of result: ReportResult) -> String {
        let base = result.commonBase.map { " · base \(TerminalText.visible($0))" } ?? ""
        return "\(result.report) · as of \(TerminalText.visible(result.asOf))\(base)"
    }

    private func notes(on result: ReportResult, leftOut: Int) -> [String] {
        var notes: [String] = []
        if result.rows.isEmpty { notes.append("no rows") }
        if result.isTruncated { notes.append("the first \(result.rows.count) rows; more are not shown") }
        if leftOut == 1 { notes.append("1 empty column is not shown") }
        if leftOut > 1 { notes.append("\(leftOut) empty columns are not shown") }
        return notes
    }

    /// Divides the columns into parts that fit the width; each begins with the keys if there are several parts.
    private func parts(of columns: [TableColumn]) -> [[TableColumn]] {
        if wide || Self.width(of: columns) <= width { return [columns] }
        let keys = columns.filter(\.isKey)
        var parts: [[TableColumn]] = []
        var part = keys
        for column in columns where !column.isKey {
            if part.count > keys.count, Self.width(of: part + [column]) > width {
                parts.append(part)
                part = keys
            }
            part.append(column)
        }
        return parts + [part]
    }

    private static func width(of columns: [TableColumn]) -> Int {
        columns.reduce(0) { $0 + $1.width } + 2 * max(0, columns.count - 1)
    }

    private func line(_ columns: [TableColumn], _ cell: (TableColumn) -> String) -> String {
        var line = ""
        for (index, column) in columns.enumerated() {
            let text = cell(column)
            let padding = String(repeating: " ", count: max(0, column.width - DisplayWidth.of(text)))
            let isLast = index == columns.count - 1
            line += column.isRightAligned ? padding + text : isLast ? text : text + padding
            if !isLast { line += "  " }
        }
        return line
    }

    private func styled(_ text: String, _ style: String) -> String {
        color ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
    }
}
