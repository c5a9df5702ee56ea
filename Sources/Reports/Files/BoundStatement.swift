/// A statement ready for the server: its text with `$1`, `$2`..., and the values bound to them.
///
/// Values are bound in text form without a type, so that the server infers one from the first place it meets the
/// parameter in. psql puts an untyped literal in each place instead. The two agree wherever a file uses a parameter as
/// text, or casts it the same way everywhere (`nullif(:'from', '')::timestamptz` does both).
package struct BoundStatement: Sendable, Equatable {
    package private(set) var sql = ""
    package private(set) var values: [String] = []

    /// Fills `template`: `parameters` come from outside and are only ever bound, `prelude` holds what the file's own
    /// preludes returned.
    package init(
        _ template: SQLTemplate, file: String, parameters: [String: String], prelude: [String: String]
    ) throws(ReportError) {
        var numbers: [String: Int] = [:]
        for piece in template.pieces {
            switch piece {
            case .text(let text): sql += text
            case .variable(let variable) where variable.style == .value:
                guard let value = parameters[variable.name] ?? prelude[variable.name] else {
                    throw Self.missing(variable, file: file)
                }
                let number = numbers[variable.name] ?? values.count + 1
                if number > values.count { values.append(value) }
                numbers[variable.name] = number
                sql += "$\(number)"
            case .variable(let variable):
                guard let value = prelude[variable.name] else { throw Self.missing(variable, file: file) }
                sql += variable.style == .raw ? value : Self.quoted(identifier: value)
            }
        }
    }

    private static func quoted(identifier: String) -> String {
        "\"" + identifier.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static func missing(_ variable: SQLTemplate.Variable, file: String) -> ReportError {
        .file(name: file, line: variable.line, detail: "no prelude returned \(variable.name), or it returned null")
    }
}
