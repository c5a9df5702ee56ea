import JSON

/// An event of a body as it was sent: its position, its fields and the error in its JSON.
struct RawEvent: Sendable {
    /// The positions of the event's bytes; in a line that is not JSON, only those before the error.
    let bytes: Range<Int>
    /// The positions of the event's fields in the submission's list.
    let fields: Range<Int>
    /// The set of the present fields, one bit each, so that absent fields need no search.
    let stated: UInt64
    let flaw: EventParseFailure?
}

/// A member of an event's object: its name and its position. Offsets count from the start of the body.
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
