/// Where a JSON string stands, without its quotes.
struct StringToken {
    let start: Int
    let end: Int
    let hasEscapes: Bool
}
