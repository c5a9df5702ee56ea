package import Postgres

/// A statement ready for the server: its values are in it as quoted constants of no type, just as psql puts them there.
package struct BoundStatement: Sendable, Equatable {
    package private(set) var sql = ""
    private let file: String
    private let line: Int
    /// Of the file, as offsets into the bytes of `sql`; a value's own line breaks are none.
    private var lineBreaks: [Int] = []

    /// Fills `template`: `parameters` come from outside and are only ever constants, `prelude` holds what the file's own
    /// preludes returned.
    package init(
        _ template: SQLTemplate, file: String, parameters: [String: String], prelude: [String: String]
    ) throws(ReportError) {
        self.file = file
        line = template.line
        for piece in template.pieces {
            switch piece {
            case .text(let text): append(text)
            case .variable(let variable) where variable.style == .value:
                guard let value = parameters[variable.name] ?? prelude[variable.name] else {
                    throw Self.missing(variable, file: file)
                }
                sql += SQLText.literal(value)
            case .variable(let variable):
                guard let value = prelude[variable.name] else { throw Self.missing(variable, file: file) }
                sql += variable.style == .raw ? value : SQLText.identifier(value)
            }
        }
    }

    /// What the server refused, as a fault of the report; nil if the report isn't to blame.
    ///
    /// - Parameter opening: how many characters were sent before the statement.
    package func fault(_ error: PostgresError, after opening: Int = 0) -> ReportError? {
        guard error.kind == .server, let state = error.sqlState, let message = error.safeMessage else { return nil }
        if error.isCancelled { return .tooSlow(report: file) }
        let classes = ["0A", "21", "22", "25", "34", "38", "39", "42", "54", "P0"]
        guard classes.contains(where: { state.hasPrefix($0) }) else { return nil }
        return .file(name: file, line: line + breaks(before: (error.position ?? 0) - opening), detail: message)
    }

    /// - Parameter position: of a character, as the server counts them: from 1.
    private func breaks(before position: Int) -> Int {
        let bytes = sql.unicodeScalars.prefix(max(0, position - 1)).reduce(0) { $0 + UTF8.width($1) }
        return lineBreaks.count { $0 < bytes }
    }

    private mutating func append(_ text: String) {
        let start = sql.utf8.count
        for (offset, byte) in text.utf8.enumerated() where byte == UInt8(ascii: "\n") {
            lineBreaks.append(start + offset)
        }
        sql += text
    }

    private static func missing(_ variable: SQLTemplate.Variable, file: String) -> ReportError {
        .file(name: file, line: variable.line, detail: "no prelude returned \(variable.name), or it returned null")
    }
}
