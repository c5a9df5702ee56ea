import JSON

/// One JSON document: what was asked, as of when, what the columns mean, and the rows as objects.
package struct JSONFormat: ReportFormat {
    /// The definitions of the metrics, each a JSON object already.
    package var definitions: [String]

    package init(definitions: [String] = []) {
        self.definitions = definitions
    }

    package var contentType: String { "application/json" }

    package nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws {
        var pieces = ChunkedWriter()
        try await pieces.write(head(of: result), into: sink)
        let rows = JSONRows(result.columns)
        for row in result.rows.indices {
            try await pieces.write(into: sink) { json in
                if row > 0 { json.append(UInt8(ascii: ",")) }
                rows.append(row, of: result.rows, to: &json)
            }
        }
        try await pieces.write(result.isTruncated ? #"],"truncated":true}"# : "]}", into: sink)
        try await pieces.finish(into: sink)
    }

    /// Everything up to the first row.
    private func head(of result: ReportResult) -> String {
        let parameters = result.parameters.map { ($0.parameter.name, JSONText.parameter($0)) }
        var document = JSONText.object([
            ("report", JSONText.string(result.report)),
            ("as_of", JSONText.string(result.asOf)),
            ("parameters", JSONText.object(parameters)),
            ("definitions", JSONText.array(definitions)),
            ("columns", JSONText.array(result.columns.map(JSONText.column))),
        ])
        document.removeLast()
        return document + ",\"rows\":["
    }
}
