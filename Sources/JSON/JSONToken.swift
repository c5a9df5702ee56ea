/// What a JSON value is, by its first byte.
package enum JSONType: UInt8, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object
    /// A word that is no JSON value, such as `NaN`.
    case other
}

/// The position of a JSON string, without its quotes.
package struct StringToken {
    package let start: Int
    package let end: Int
    package let hasEscapes: Bool
}

/// The position of a JSON value: a string without its quotes, an object or array with its brackets.
package struct ValueToken {
    package let type: JSONType
    package let start: Int
    package let end: Int
    package let hasEscapes: Bool

    package init(type: JSONType, start: Int, end: Int, hasEscapes: Bool = false) {
        self.type = type
        self.start = start
        self.end = end
        self.hasEscapes = hasEscapes
    }
}
