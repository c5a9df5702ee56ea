/// A CSV format as in RFC 4180, with a header line.
///
/// Numbers and booleans are unquoted, null is an empty field without quotes, and every other value is quoted.
package struct CSVFormat: ReportFormat {
    /// Whether text is written exactly as it is stored, even if a spreadsheet could treat it as a formula.
    package var raw = false

    package init(raw: Bool = false) {
        self.raw = raw
    }

    package var contentType: String { "text/csv; charset=utf-8; header=present" }

    package nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws {
        var pieces = ChunkedWriter()
        try await pieces.write(result.columns.map(\.name).joined(separator: ",") + "\r\n", into: sink)
        for row in result.rows {
            let fields = zip(row, result.columns).map { field($0, $1) }
            try await pieces.write(fields.joined(separator: ",") + "\r\n", into: sink)
        }
        try await pieces.finish(into: sink)
    }

    private func field(_ value: String?, _ column: ReportColumn) -> String {
        guard let value else { return "" }
        switch column.kind {
        case .integer, .number, .boolean: return value
        case .text, .time, .date: return CSVText.field(value, raw: raw)
        }
    }
}
