/// Text that becomes part of a statement, where a value can't be bound (`copy`, `set`, `create role`).
package enum SQLText {
    /// A quoted string constant; refuses nothing but can't carry NUL, at which it ends.
    package static func literal(_ value: String) -> String {
        // An E constant means the same whatever standard_conforming_strings is.
        let hasBackslash = value.unicodeScalars.contains("\\")
        return (hasBackslash ? " E" : "") + quoted(value, by: "'", doubling: ["'", "\\"])
    }

    /// A quoted identifier.
    package static func identifier(_ name: String) -> String {
        quoted(name, by: "\"", doubling: ["\""])
    }

    /// Scalar by scalar, as the server reads it: to Swift a quote and an accent after it are one character, and no quote.
    private static func quoted(
        _ text: String, by quote: Unicode.Scalar, doubling doubled: [Unicode.Scalar]
    ) -> String {
        var result = String.UnicodeScalarView([quote])
        for scalar in text.unicodeScalars.prefix(while: { $0 != "\0" }) {
            if doubled.contains(scalar) { result.append(scalar) }
            result.append(scalar)
        }
        result.append(quote)
        return String(result)
    }

    /// The first words of a statement, for error messages: names a statement without showing a constant of it.
    static func label(_ sql: String) -> String {
        let start = sql.drop { $0.isWhitespace || $0 == "-" }
        let words = start.prefix(60).prefix { ($0.isLetter || " _.,".contains($0)) && !$0.isNewline }
        return words.split(separator: " ").joined(separator: " ")
    }
}
