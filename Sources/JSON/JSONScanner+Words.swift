extension JSONScanner {
    /// Scans a number, `true`, `false` or `null`; any other word is recorded as a fault.
    mutating func scanWord() throws(JSONSyntaxError) -> JSONType {
        let start = position
        var type = scanNumber() ? JSONType.number : nil
        while position < end, Self.isWordByte(bytes[position]) {
            type = nil
            position &+= 1
        }
        if let type { return type }
        guard position > start else { throw unexpected("a value") }
        if let literal = literal(start..<position) { return literal }
        note(.notAValue, at: start)
        return .other
    }

    private func literal(_ range: Range<Int>) -> JSONType? {
        let word = bytes.span.extracting(range)
        if word.equals("true") || word.equals("false") { return .bool }
        return word.equals("null") ? .null : nil
    }

    /// Scans a JSON number; if the word is not one, returns false with `position` somewhere within it.
    private mutating func scanNumber() -> Bool {
        skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) {
            guard skipDigits() else { return false }
        }
        if skip(UInt8(ascii: ".")) {
            guard skipDigits() else { return false }
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
            guard skipDigits() else { return false }
        }
        return true
    }

    @discardableResult
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position &+= 1
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while position < end, 0x30...0x39 ~= bytes[position] { position &+= 1 }
        return position > start
    }

    /// Whether a byte belongs to a word; even the end of a meaningless word is therefore certain.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default:
            false
        }
    }
}
