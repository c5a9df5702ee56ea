extension JSONScanner {
    /// Scans a string whose opening quote is at `position`.
    mutating func scanString() throws(JSONSyntaxError) -> StringToken {
        let start = position &+ 1
        var at = endOfPlainText(from: start)
        var hasEscapes = false
        while at < end {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                position = at &+ 1
                return StringToken(start: start, end: at, hasEscapes: hasEscapes)
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                at = endOfPlainText(from: scanEscape(at))
            } else if byte >= 0x80 {
                at = scanMultibyte(at)
            } else {
                if byte < 0x20 { note(.controlCharacter, at: at) }
                at &+= 1
            }
        }
        throw JSONSyntaxError(what: "a string does not end", offset: start - 1)
    }

    /// Returns the position of the next byte that is not plain ASCII text, or of one of the last seven before the end.
    ///
    /// It tests eight bytes at a time, because most of a body is plain text.
    private func endOfPlainText(from start: Int) -> Int {
        let text = bytes.span.bytes
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits = ones << 7
        var at = start
        while at &+ 8 <= end {
            let word = UInt64(littleEndian: text.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            // A byte's high bit is set if it is below 0x20, a quote, a backslash, or above 0x7F. The borrow of a
            // subtraction can set it wrongly, but only after a byte for which it is right.
            let control = (word &- ones &* 0x20) & ~word
            let special = (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | word) & highBits
            if special != 0 { return at &+ special.trailingZeroBitCount / 8 }
            at &+= 8
        }
        return at
    }

    /// Returns the position after the escape at `at`, or after as many of its bytes as certainly belong to it.
    private mutating func scanEscape(_ at: Int) -> Int {
        guard at + 1 < end else { return at + 1 }
        switch bytes[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return at + 2
        case UInt8(ascii: "u"):
            return scanUnicodeEscape(at)
        default:
            note(.badEscape, at: at)
            return at + 1
        }
    }

    private mutating func scanUnicodeEscape(_ at: Int) -> Int {
        guard let unit = bytes.hexUnit(at: at + 2, end: end) else {
            note(.badEscape, at: at)
            return at + 2
        }
        switch unit {
        case 0:
            note(.nul, at: at)
        case 0xD800...0xDBFF:
            let next = at + 6
            if next + 1 < end, bytes[next] == UInt8(ascii: "\\"), bytes[next + 1] == UInt8(ascii: "u"),
                let low = bytes.hexUnit(at: next + 2, end: end), 0xDC00...0xDFFF ~= low
            {
                return at + 12
            }
            note(.loneSurrogate, at: at)
        case 0xDC00...0xDFFF:
            note(.loneSurrogate, at: at)
        default:
            break
        }
        return at + 6
    }

    /// Returns the position after the character at `at`, or after its first byte if the character is not valid UTF-8.
    private mutating func scanMultibyte(_ at: Int) -> Int {
        // Table 3-7 of the Unicode standard: the second byte's range rules out overlong forms, surrogates and the
        // code points above U+10FFFF.
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch bytes[at] {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (1, 0...0)
            }
        let isValid =
            length > 1 && at + length <= end && second.contains(bytes[at + 1])
            && (length < 3 || bytes[at + 2] & 0xC0 == 0x80) && (length < 4 || bytes[at + 3] & 0xC0 == 0x80)
        guard isValid else {
            note(.invalidUTF8, at: at)
            return at + 1
        }
        return at + length
    }
}
