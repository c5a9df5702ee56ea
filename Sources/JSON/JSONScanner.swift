/// Scans JSON token by token, in linear time and without recursion.
///
/// An error that leaves the end of a token uncertain is thrown. Any other is recorded in `fault`, and scanning goes on.
package struct JSONScanner {
    package let bytes: [UInt8]
    /// The end of the text: of the whole body, or of a line.
    package var end: Int
    package var position: Int
    /// The first fault since the last `takeFault()`, and its position; a syntax error takes precedence over a limit.
    package private(set) var fault: (kind: JSONTokenFailure, offset: Int)?
    private let maximumDepth: Int

    package init(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        end = bytes.count
        position = 0
    }

    /// Moves to the next token and returns its first byte, or `nil` at the end of the text.
    @inlinable
    package mutating func skipSpace() -> UInt8? {
        while position < end {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position &+= 1
        }
        return nil
    }

    /// Moves to the next token and returns its first byte.
    ///
    /// - Throws: `JSONSyntaxError` at the end of the text.
    @inlinable
    package mutating func nextToken() throws(JSONSyntaxError) -> UInt8 {
        guard let byte = skipSpace() else { throw JSONSyntaxError(what: "the text ends too early", offset: end) }
        return byte
    }

    /// Scans a value that begins at `position`.
    ///
    /// - Parameter depth: The number of open brackets around it.
    package mutating func scanValue(depth: Int) throws(JSONSyntaxError) -> ValueToken {
        let start = position
        switch bytes[start] {
        case UInt8(ascii: "\""):
            let text = try scanString()
            return ValueToken(type: .string, start: text.start, end: text.end, hasEscapes: text.hasEscapes)
        case UInt8(ascii: "{"):
            try scanNested(depth: depth)
            return ValueToken(type: .object, start: start, end: position)
        case UInt8(ascii: "["):
            try scanNested(depth: depth)
            return ValueToken(type: .array, start: start, end: position)
        default:
            return ValueToken(type: try scanWord(), start: start, end: position)
        }
    }

    mutating func note(_ kind: JSONTokenFailure, at offset: Int) {
        if let fault, fault.kind.isSyntax || !kind.isSyntax { return }
        fault = (kind, offset)
    }

    /// Records the nesting depth after an opening bracket.
    mutating func noteDepth(_ depth: Int) {
        if depth > maximumDepth { note(.tooDeep, at: position) }
    }

    /// Returns the recorded fault and clears it.
    package mutating func takeFault() -> (kind: JSONTokenFailure, offset: Int)? {
        defer { fault = nil }
        return fault
    }
}
