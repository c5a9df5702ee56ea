import JSON

/// The name of an object's member: its position, and the event field that it names.
struct MemberName {
    let key: StringToken
    let field: FieldName
    /// The name without escapes, if it has any: a name may be spelled in many ways.
    private let unescaped: [UInt8]?

    init(key: StringToken, bytes: [UInt8]) {
        self.key = key
        if key.hasEscapes {
            let text = JSONText.unescape(bytes, key.start..<key.end)
            field = FieldName(key: text.span)
            unescaped = text
        } else {
            field = FieldName(key: bytes.span.extracting(key.start..<key.end))
            unescaped = nil
        }
    }

    /// Whether the name is the given one, however it is spelled.
    func equals(_ text: StaticString, in bytes: [UInt8]) -> Bool {
        if let unescaped { return unescaped.span.equals(text) }
        return bytes.span.extracting(key.start..<key.end).equals(text)
    }
}
