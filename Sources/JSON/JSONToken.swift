/// The type of a JSON value.
package enum JSONType: UInt8, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object
    /// A word that is not a JSON value, such as `NaN`.
    case other
}

/// The position of a JSON string, without its quotes.
package struct StringToken: Sendable {
    package let start: Int
    package let end: Int
    package let hasEscapes: Bool
}

/// The position of a JSON value, without the quotes of a string but with the brackets of an object or array.
package struct ValueToken: Sendable {
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
