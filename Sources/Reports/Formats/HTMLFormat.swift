/// A page of HTML with one table, for a mail or a wiki. It has no script and loads nothing.
///
/// A spreadsheet that opens the page would take texts for formulas, and read numbers as its country writes them. So each
/// cell says what it is: to Excel with `mso-number-format`, to LibreOffice with `sdnum` and `sdval`.
package struct HTMLFormat: ReportFormat {
    package init() {}

    package var contentType: String { "text/html; charset=utf-8" }

    package nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws {
        let columns = TableColumn.columns(of: result).columns
        var pieces = ChunkedWriter()
        let title = Self.escaped(TerminalText.visible(result.title))
        try await pieces.write(
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <title>\(title)</title>
            <style>
            body { font: 14px/1.4 system-ui, sans-serif; margin: 2em }
            table { border-collapse: collapse }
            th, td { padding: .25em .75em; border-bottom: 1px solid #ddd; text-align: left; white-space: nowrap }
            .n { text-align: right; font-variant-numeric: tabular-nums }
            .t { mso-number-format: "\\@" }
            </style>
            <h1>\(title)</h1>
            <p>\(Self.escaped(result.report)), as of \(Self.escaped(result.asOf))</p>
            <table>
            <thead><tr>\(columns.map(Self.heading).joined())</tr></thead>
            <tbody>

            """, into: sink)
        for row in result.rows.indices {
            let cells = columns.map { Self.cell($0, row, value: result.rows[row][$0.place]) }.joined()
            try await pieces.write("<tr>\(cells)</tr>\n", into: sink)
        }
        let note = result.isTruncated ? "<p>The first \(result.rows.count) rows; more are not shown.</p>\n" : ""
        try await pieces.write("</tbody>\n</table>\n\(note)</html>\n", into: sink)
        try await pieces.finish(into: sink)
    }

    private static func heading(of column: TableColumn) -> String {
        "<th scope=\"col\"\(column.isRightAligned ? " class=\"n\"" : "")>\(escaped(column.heading))</th>"
    }

    private static func cell(_ column: TableColumn, _ row: Int, value: String?) -> String {
        let text = escaped(column.cells[row])
        guard column.isRightAligned else { return "<td class=\"t\" sdnum=\"1033;0;@\">\(text)</td>" }
        guard let value else { return "<td class=\"n\">\(text)</td>" }
        return
            "<td class=\"n\" sdval=\"\(value)\" sdnum=\"1033;0;\(column.isPercentage ? "0.0%" : "General")\">\(text)</td>"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
