package import Foundation

/// A report as the product serves it in JSON.
package struct ServedReport: Sendable {
    /// Nil if the document does not contain them.
    package let columns: [String]?
    package let rows: [[String: ModelValue]]

    package init(columns: [String]? = nil, rows: [[String: ModelValue]]) {
        self.columns = columns
        self.rows = rows
    }

    /// Decodes contract.md's document `{"columns": [{"name"...}], "rows": [...]}` or an array of rows.
    package init(json: Data) throws {
        let decoder = JSONDecoder()
        if let rows = try? decoder.decode([[String: ModelValue]].self, from: json) {
            self.init(rows: rows)
        } else {
            let document = try decoder.decode(Document.self, from: json)
            self.init(columns: document.columns?.map(\.name), rows: document.rows)
        }
    }

    private struct Document: Decodable {
        struct Column: Decodable {
            let name: String
        }

        let columns: [Column]?
        let rows: [[String: ModelValue]]
    }
}
