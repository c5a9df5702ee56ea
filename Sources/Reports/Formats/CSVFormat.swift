/// A CSV format as in RFC 4180, with a header line.
///
/// Numbers and booleans are unquoted, null is an empty field without quotes, and every other value is quoted.
package struct CSVFormat: ReportFormat {
    package var dialect: CSVDialect

    package init(_ dialect: CSVDialect = CSVDialect()) {
        self.dialect = dialect
    }

    package var contentType: String { "text/csv; charset=utf-8; header=present" }

    package nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws {
        var pieces = ChunkedWriter()
        if dialect.hasByteOrderMark { try await pieces.write("\u{FEFF}", into: sink) }
        let delimiter = String(dialect.delimiter.character)
        try await pieces.write(result.columns.map(\.name).joined(separator: delimiter) + "\r\n", into: sink)
        for row in result.rows {
            let fields = zip(row, result.columns).map { field($0, $1) }
            try await pieces.write(fields.joined(separator: delimiter) + "\r\n", into: sink)
        }
        try await pieces.finish(into: sink)
    }

    private func field(_ value: String?, _ column: ReportColumn) -> String {
        guard let value else { return "" }
        switch column.kind {
        case .number where dialect.decimal == .comma: return value.replacing(".", with: ",", maxReplacements: 1)
        case .integer, .number, .boolean: return value
        case .text, .time, .date: return CSVText.field(value, raw: dialect.raw)
        }
    }
}

/// The variants of CSV that spreadsheets of different countries read.
package struct CSVDialect: Sendable, Hashable {
    package enum Delimiter: String, Sendable, CaseIterable {
        case comma, semicolon, tab

        var character: Character {
            switch self {
            case .comma: ","
            case .semicolon: ";"
            case .tab: "\t"
            }
        }

        /// Reads the delimiter's name, or the character itself.
        package init?(_ text: String) {
            guard let found = Self.allCases.first(where: { $0.rawValue == text || String($0.character) == text }) else {
                return nil
            }
            self = found
        }
    }

    package enum Decimal: String, Sendable, CaseIterable {
        case point, comma

        /// Reads the decimal sign's name, or the character itself.
        package init?(_ text: String) {
            switch text {
            case "point", ".": self = .point
            case "comma", ",": self = .comma
            default: return nil
            }
        }
    }

    /// Whether text is written exactly as it is stored, even if a spreadsheet could treat it as a formula.
    package var raw = false
    package var delimiter = Delimiter.comma
    /// The decimal sign of numbers. A comma needs another delimiter.
    package var decimal = Decimal.point
    /// Whether the file begins with U+FEFF, by which Excel recognizes UTF-8.
    package var hasByteOrderMark = false

    package init(raw: Bool = false) {
        self.raw = raw
    }

    /// A word for each setting that is not the usual one, such as `csv-raw-semicolon`.
    var name: String {
        var words = ["csv"]
        if raw { words.append("raw") }
        if delimiter != .comma { words.append(delimiter.rawValue) }
        if decimal != .point { words.append("decimal-comma") }
        if hasByteOrderMark { words.append("bom") }
        return words.joined(separator: "-")
    }
}
