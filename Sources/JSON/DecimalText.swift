/// A JSON number as exact decimal digits.
package struct DecimalText {
    private let isNegative: Bool
    /// The digits without zeros at either end; empty for 0.
    private let digits: [UInt8]
    /// The position of the decimal point: the number is 0.DIGITS times ten to this power.
    private let point: Int

    private init(isNegative: Bool, digits: [UInt8], point: Int) {
        self.isNegative = isNegative
        self.digits = digits
        self.point = point
    }

    /// Creates a number from text, which must be a JSON number.
    ///
    /// The result is `nil` for an absurd number: over `limit` digits, or a power of ten that no double can hold.
    package init?(_ text: Span<UInt8>, limit: Int = 64) {
        var digits: [UInt8] = []
        var point = 0
        var position = 0
        var isFraction = false
        while position < text.count, text[position] | 0x20 != UInt8(ascii: "e") {
            let byte = text[position]
            position += 1
            if byte == UInt8(ascii: ".") { isFraction = true }
            guard let digit = byte.hexValue else { continue }
            digits.append(digit)
            guard digits.count <= limit else { return nil }
            if !isFraction { point += 1 }
        }
        guard let exponent = Self.exponent(text, after: position) else { return nil }
        let leading = digits.prefix { $0 == 0 }.count
        digits.removeFirst(leading)
        while digits.last == 0 { digits.removeLast() }
        isNegative = !digits.isEmpty && text[0] == UInt8(ascii: "-")
        self.point = digits.isEmpty ? 0 : point - leading + exponent
        self.digits = digits
    }

    private static func exponent(_ text: Span<UInt8>, after start: Int) -> Int? {
        var value = 0
        for position in start..<text.count {
            guard let digit = text[position].hexValue, digit <= 9 else { continue }
            value = value * 10 + Int(digit)
            guard value <= 308 else { return nil }
        }
        return start + 1 < text.count && text[start + 1] == UInt8(ascii: "-") ? -value : value
    }

    /// The number of digits after the decimal point.
    package var decimals: Int { max(0, digits.count - point) }

    /// Whether the number's magnitude is greater than ten to this power.
    package func exceeds(tenTo power: Int) -> Bool {
        point > power + 1 || point == power + 1 && digits != [1]
    }

    /// Returns the number rounded to this many significant digits; half rounds away from 0.
    package func rounded(toDigits count: Int) -> DecimalText {
        guard digits.count > count else { return self }
        var kept = Array(digits.prefix(count))
        var point = point
        if digits[count] >= 5 {
            while kept.last == 9 { kept.removeLast() }
            if let last = kept.popLast() {
                kept.append(last + 1)
            } else {
                kept = [1]
                point += 1
            }
        }
        while kept.last == 0 { kept.removeLast() }
        return DecimalText(isNegative: isNegative, digits: kept, point: point)
    }

    /// Appends bytes that are the same for equal numbers, and whose end is certain: the sign, the digits and the point.
    ///
    /// Unlike the description, they are never much longer than the text that the number was read from.
    func appendCanonical(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: isNegative ? "-" : "+"))
        for digit in digits { bytes.append(digit + UInt8(ascii: "0")) }
        bytes.append(UInt8(ascii: point < 0 ? "-" : "+"))
        bytes.append(decimal: point.magnitude)
        bytes.append(UInt8(ascii: ";"))
    }

    /// The number as an integer, or `nil` when it has a fraction or does not fit.
    package var integer: Int32? {
        guard decimals == 0, !exceeds(tenTo: 10) else { return nil }
        let magnitude = (0..<max(0, point)).reduce(0) { $0 * 10 + ($1 < digits.count ? Int(digits[$1]) : 0) }
        return Int32(exactly: isNegative ? -magnitude : magnitude)
    }
}

extension DecimalText: CustomStringConvertible {
    /// The number in plain digits, without an exponent or insignificant zeros.
    package var description: String {
        guard !digits.isEmpty else { return "0" }
        var text = isNegative ? "-" : ""
        text += point <= 0 ? "0" : Self.text(digits.prefix(point)) + Self.zeros(point - digits.count)
        if decimals > 0 { text += "." + Self.zeros(-point) + Self.text(digits.dropFirst(max(0, point))) }
        return text
    }

    private static func text(_ digits: ArraySlice<UInt8>) -> String {
        String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    }

    private static func zeros(_ count: Int) -> String {
        String(repeating: "0", count: max(0, count))
    }
}
