/// A Markdown table, as GitHub and most editors of documents show it, with the cells of the table on a terminal.
package struct MarkdownFormat: ReportFormat {
    package init() {}

    package var contentType: String { "text/markdown; charset=utf-8" }

    package nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws {
        let columns = TableColumn.columns(of: result).columns
        var pieces = ChunkedWriter()
        try await pieces.write(Self.row(columns.map(\.heading)), into: sink)
        try await pieces.write(Self.row(columns.map { $0.isRightAligned ? "---:" : "---" }, isText: false), into: sink)
        for row in result.rows.indices {
            try await pieces.write(Self.row(columns.map { $0.cells[row] }), into: sink)
        }
        try await pieces.finish(into: sink)
    }

    private static func row(_ cells: [String], isText: Bool = true) -> String {
        "| " + cells.map { isText ? escaped($0) : $0 }.joined(separator: " | ") + " |\n"
    }

    /// Escapes what Markdown would take for a mark: text from outside must not become a link, HTML or another cell.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\", "|", "`", "*", "_", "[", "]", "<", ">", "~", "#", "!", "&": escaped += "\\\(character)"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
