/// Quotes text for statements whose values can't be bound, such as `copy`, `set` and `create role`.
package enum SQLText {
    /// Returns a quoted string constant. It ends before the first NUL, which PostgreSQL can't represent.
    package static func literal(_ value: String) -> String {
        // An E constant doesn't depend on standard_conforming_strings.
        let hasBackslash = value.unicodeScalars.contains("\\")
        return (hasBackslash ? " E" : "") + quoted(value, by: "'", doubling: ["'", "\\"])
    }

    /// Returns a quoted identifier. It ends before the first NUL.
    package static func identifier(_ name: String) -> String {
        quoted(name, by: "\"", doubling: ["\""])
    }

    /// Quotes a text by scalars, because a quote with a combining accent is a single `Character` other than the quote.
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

    /// Returns the first words of a statement, which identify it in error messages without showing its constants.
    ///
    /// A statement from a file begins with its name, in a comment.
    static func label(_ sql: String) -> String {
        let start = sql.drop { $0.isWhitespace || $0 == "-" }
        let words = start.prefix(60).prefix { ($0.isLetter || " _.,".contains($0)) && !$0.isNewline }
        return words.split(separator: " ").joined(separator: " ")
    }
}
