extension JSONText {
    /// Returns the content of a string as UTF-8, with its escapes resolved.
    ///
    /// It never fails: an unknown escape is kept as it is, and half a surrogate pair becomes U+FFFD.
    ///
    /// - Parameter keepsUnknown: Whether an unknown escape keeps its backslash.
    package static func unescape(_ bytes: [UInt8], _ range: Range<Int>, keepsUnknown: Bool = true) -> [UInt8] {
        var text = [UInt8]()
        text.reserveCapacity(range.count)
        var at = range.lowerBound
        while at < range.upperBound {
            let byte = bytes[at]
            guard byte == UInt8(ascii: "\\"), at + 1 < range.upperBound else {
                text.append(byte)
                at += 1
                continue
            }
            if let plain = character(escapedBy: bytes[at + 1]) {
                text.append(plain)
                at += 2
            } else if bytes[at + 1] == UInt8(ascii: "u"), let unit = bytes.hexUnit(at: at + 2, end: range.upperBound) {
                let low = lowSurrogate(bytes, at: at + 6, end: range.upperBound)
                at += append(unit, low, to: &text) ? 12 : 6
            } else {
                if keepsUnknown { text.append(byte) }
                at += 1
            }
        }
        return text
    }

    private static func character(escapedBy letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    private static func lowSurrogate(_ bytes: [UInt8], at position: Int, end: Int) -> UInt16? {
        guard position + 6 <= end, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u"),
            let unit = bytes.hexUnit(at: position + 2, end: end), 0xDC00...0xDFFF ~= unit
        else { return nil }
        return unit
    }

    /// Appends the character that a unit and, if needed, its low surrogate encode.
    ///
    /// - Returns: Whether the low surrogate was used.
    private static func append(_ unit: UInt16, _ low: UInt16?, to text: inout [UInt8]) -> Bool {
        if 0xD800...0xDBFF ~= unit, let low {
            let code = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
            text.append(contentsOf: UTF8.encode(Unicode.Scalar(code) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
            return true
        }
        let scalar = Unicode.Scalar(unit) ?? "\u{FFFD}"
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return false
    }
}
