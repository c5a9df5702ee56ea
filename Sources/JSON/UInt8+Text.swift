extension [UInt8] {
    /// Appends a text in UTF-8.
    package mutating func append(utf8 text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends a number in decimal digits.
    package mutating func append(decimal number: UInt) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
