/// A token of a report file, as psql's scanner splits it.
struct SQLToken: Equatable {
    enum Kind: Equatable {
        /// White space and comments.
        case blank
        /// Text that goes to the server unchanged: words, literals, operators.
        case sql
        case variable(SQLTemplate.Style, name: String)
        /// `$1`, which psql has no value for.
        case positional
        case semicolon
        /// A backslash and the rest of its line, without the backslash.
        case command(String)
    }

    let kind: Kind
    let text: String
    let line: Int
}
