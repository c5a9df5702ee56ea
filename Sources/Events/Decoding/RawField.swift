import JSON

/// One member of an event's object: its name and its position. Offsets count from the start of the body.
struct RawField: Sendable {
    let name: FieldName
    let type: JSONType
    /// Whether a string value must be unescaped.
    let hasEscapes: Bool
    let keyStart: UInt32
    let keyEnd: UInt32
    let valueStart: UInt32
    let valueEnd: UInt32

    init(name: FieldName, key: StringToken, value: ValueToken) {
        self.name = name
        type = value.type
        hasEscapes = value.hasEscapes
        keyStart = UInt32(key.start)
        keyEnd = UInt32(key.end)
        valueStart = UInt32(value.start)
        valueEnd = UInt32(value.end)
    }

    var key: Range<Int> { Int(keyStart)..<Int(keyEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
}
