/// Text that becomes part of a statement, where a value can't be bound (`copy`, `set`, `create role`).
package enum SQLText {
    /// A quoted string constant; refuses nothing but can't carry NUL, at which it ends.
    package static func literal(_ value: String) -> String {
        let value = value.prefix { $0 != "\0" }
        let quoted = "'" + value.replacing("'", with: "''") + "'"
        // An E constant means the same whatever standard_conforming_strings is.
        return value.contains("\\") ? " E" + quoted.replacing("\\", with: "\\\\") : quoted
    }

    /// A quoted identifier.
    package static func identifier(_ name: String) -> String {
        "\"" + name.prefix { $0 != "\0" }.replacing("\"", with: "\"\"") + "\""
    }

    /// The first words of a statement, for error messages: names a statement without showing a constant of it.
    static func label(_ sql: String) -> String {
        let start = sql.drop { $0.isWhitespace || $0 == "-" }
        let words = start.prefix(60).prefix { ($0.isLetter || " _.,".contains($0)) && !$0.isNewline }
        return words.split(separator: " ").joined(separator: " ")
    }
}
