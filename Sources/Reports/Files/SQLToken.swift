/// A piece of a report file as psql's scanner tells them apart.
struct SQLToken: Equatable {
    enum Kind: Equatable {
        /// White space and comments.
        case blank
        /// Anything that goes to the server as it stands: words, literals, operators.
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
