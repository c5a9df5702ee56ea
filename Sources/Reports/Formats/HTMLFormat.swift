/// A page of HTML with one table, for a mail or a wiki. It has no script and loads nothing.
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
            caption { text-align: left; padding-bottom: .5em }
            th, td { padding: .25em .75em; border-bottom: 1px solid #ddd; text-align: left; white-space: nowrap }
            .n { text-align: right; font-variant-numeric: tabular-nums }
            </style>
            <h1>\(title)</h1>
            <table>
            <caption>\(Self.escaped(result.report)), as of \(Self.escaped(result.asOf))</caption>
            <thead><tr>\(columns.map { Self.cell("th scope=\"col\"", "th", $0.heading, $0) }.joined())</tr></thead>
            <tbody>

            """, into: sink)
        for row in result.rows.indices {
            let cells = columns.map { Self.cell("td", "td", $0.cells[row], $0) }.joined()
            try await pieces.write("<tr>\(cells)</tr>\n", into: sink)
        }
        let note = result.isTruncated ? "<p>The first \(result.rows.count) rows; more are not shown.</p>\n" : ""
        try await pieces.write("</tbody>\n</table>\n\(note)</html>\n", into: sink)
        try await pieces.finish(into: sink)
    }

    private static func cell(_ opening: String, _ name: String, _ text: String, _ column: TableColumn) -> String {
        "<\(opening)\(column.isRightAligned ? " class=\"n\"" : "")>\(escaped(text))</\(name)>"
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
