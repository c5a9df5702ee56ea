/// One JSON object a line, a line for each row.
package struct NDJSONFormat: ReportFormat {
    package init() {}

    package var contentType: String { "application/x-ndjson" }

    package nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws {
        var pieces = PieceWriter()
        let keys = JSONText.keys(result.columns)
        for row in result.rows { try await pieces.write(JSONText.row(row, result.columns, keys) + "\n", into: sink) }
        try await pieces.finish(into: sink)
    }
}
