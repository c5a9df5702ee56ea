/// One JSON object a line, a line for each row.
package struct NDJSONFormat: ReportFormat {
    package init() {}

    package var contentType: String { "application/x-ndjson" }

    package nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws {
        var pieces = ChunkedWriter()
        let rows = JSONRows(result.columns)
        for row in result.rows.indices {
            try await pieces.write(into: sink) { json in
                rows.append(row, of: result.rows, to: &json)
                json.append(UInt8(ascii: "\n"))
            }
        }
        try await pieces.finish(into: sink)
    }
}
