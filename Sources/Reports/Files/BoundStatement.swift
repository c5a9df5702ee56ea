package import Postgres

/// A statement ready for the server, with its values as quoted constants without a type, as psql would insert them.
package struct BoundStatement: Sendable, Equatable {
    package private(set) var sql = ""
    private let file: String
    private let line: Int
    /// The line breaks of the file, as offsets into the bytes of `sql`; those inside values are not included.
    private var lineBreaks: [Int] = []

    /// Inserts values into a template.
    ///
    /// - Parameters:
    ///   - parameters: The values of the request, which are only ever inserted as constants.
    ///   - prelude: The values that the file's own preludes returned.
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

    /// Turns a server error into an error of the report, or returns `nil` if the report did not cause it.
    ///
    /// - Parameter opening: The number of characters sent before the statement.
    package func fault(_ error: PostgresError, after opening: Int = 0) -> ReportError? {
        guard error.kind == .server, let state = error.sqlState, let message = error.safeMessage else { return nil }
        if error.isCancelled { return .tooSlow(report: file) }
        let classes = ["0A", "21", "22", "25", "34", "38", "39", "42", "54", "P0"]
        guard classes.contains(where: { state.hasPrefix($0) }) else { return nil }
        return .file(name: file, line: line + breaks(before: (error.position ?? 0) - opening), detail: message)
    }

    /// Returns the number of the file's line breaks before a position.
    ///
    /// - Parameter position: The position of a character, counted from 1 as the server does.
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
