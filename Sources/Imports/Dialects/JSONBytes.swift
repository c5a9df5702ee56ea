extension [UInt8] {
    /// Appends a text as the content of a JSON string.
    mutating func append(jsonEscaped text: ArraySlice<UInt8>) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case 0..<0x20:
                append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
                append(Self.digits[Int(byte & 15)])
            default: append(byte)
            }
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are a JSON number.
    var isJSONNumber: Bool {
        var rest = self
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        guard let whole = rest.takeDigits(), whole == 1 || !isZeroLed else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard rest.takeDigits() != nil else { return false }
        }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
            guard rest.takeDigits() != nil else { return false }
        }
        return rest.isEmpty
    }

    private var isZeroLed: Bool {
        first { $0 != UInt8(ascii: "-") } == UInt8(ascii: "0")
    }

    /// Removes the digits at the front and returns their number, or `nil` if there are none.
    private mutating func takeDigits() -> Int? {
        let digits = prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
        removeFirst(digits)
        return digits == 0 ? nil : digits
    }

    /// Whether the bytes are exactly one object, from first to last bracket, that can be embedded in another.
    var isJSONObject: Bool {
        guard first == UInt8(ascii: "{") else { return false }
        var depth = 0
        var (isInString, isEscaped) = (false, false)
        for (place, byte) in zip(indices, self) {
            if isInString {
                if byte < 0x20 { return false }
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return place == endIndex - 1 }
            default: break
            }
        }
        return false
    }
}
