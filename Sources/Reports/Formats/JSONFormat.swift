import JSON

/// A format with one JSON document: the request, its time, the definitions of the columns, and the rows as objects.
package struct JSONFormat: ReportFormat {
    /// The definitions of the metrics, each as a JSON object.
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

    /// Returns the document up to the first row.
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

/// A format with one line per row, each a JSON object.
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

extension JSONText {
    static func column(_ column: ReportColumn) -> String {
        object([
            ("name", string(column.name)), ("type", string(column.kind.rawValue)),
            ("unit", column.unit.map(string) ?? "null"), ("description", string(column.description)),
        ])
    }

    /// Returns the effective value of a parameter, or JSON's null if it has none.
    static func parameter(_ entry: ReportParameters.Entry) -> String {
        if entry.value.isEmpty { return "null" }
        switch entry.parameter.kind {
        case .integer, .boolean: return entry.value
        default: return string(entry.value)
        }
    }
}
