import JSON

/// Reads rows in COPY's text format, value by value.
///
/// COPY separates values by tabs and rows by line feeds, writes null as `\N`, and escapes these characters with
/// backslashes. It works on pointers, because it processes every byte of an export; every loop ends at the line feed
/// that ends the rows.
struct CopyRows {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Creates a reader of complete rows.
    ///
    /// - Parameter rows: The rows, including the line feed of the last.
    init(_ rows: UnsafeBufferPointer<UInt8>) {
        bytes = rows
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// Consumes a null; returns false if the next value is not null. In a text `\N`, the backslash would be escaped.
    @inline(__always)
    mutating func takeNull() -> Bool {
        guard bytes[position] == Self.backslash, bytes[position + 1] == UInt8(ascii: "N") else { return false }
        position += 3
        return true
    }

    /// Copies a value without characters that need an escape.
    @inline(__always)
    mutating func copyWord(to text: inout UncheckedByteBuffer) {
        while bytes[position] > Self.lineFeed {
            text.append(bytes[position])
            position &+= 1
        }
        position &+= 1
    }

    /// Copies a time such as `2026-11-21 10:00:00.5+00` as RFC 3339; the session's time zone must be UTC.
    @inline(__always)
    mutating func copyTime(to text: inout UncheckedByteBuffer) {
        let start = text.count
        copyWord(to: &text)
        guard text.count - start > 13 else { return }
        text[start + 10] = UInt8(ascii: "T")
        text.removeLast(3)
        text.append(UInt8(ascii: "Z"))
    }

    @inline(__always)
    mutating func copyBoolean(to text: inout UncheckedByteBuffer) {
        text.append(bytes[position] == UInt8(ascii: "t") ? "true" : "false")
        position += 2
    }

    /// Copies a text as the content of a quoted CSV cell.
    @inline(__always)
    mutating func copyQuoted(to text: inout UncheckedByteBuffer) {
        copyUnescaped(to: &text) { byte, text in
            if byte == UInt8(ascii: "\"") { text.append(byte) }
            text.append(byte)
        }
    }

    /// Copies a text as the content of a JSON string.
    @inline(__always)
    mutating func copyJSONString(to text: inout UncheckedByteBuffer) {
        copyUnescaped(to: &text) { byte, text in
            // Most bytes need no escape; this test is cheaper than a look into the table.
            if byte >= 0x20, byte != UInt8(ascii: "\""), byte != Self.backslash {
                text.append(byte)
            } else if let escape = JSONText.escape(of: byte) {
                text.append(escape)
            }
        }
    }

    /// Copies a text as it is stored.
    mutating func copyStored(to text: inout UncheckedByteBuffer) {
        copyUnescaped(to: &text) { $1.append($0) }
    }

    /// Whether a spreadsheet could treat the text as a formula; a text that begins with a letter or digit never is one.
    @inline(__always)
    func couldBeFormula() -> Bool {
        !bytes[position].isPlain && lookForFormula()
    }

    private func lookForFormula() -> Bool {
        var end = position
        while bytes[end] != Self.tab, bytes[end] != Self.lineFeed { end += 1 }
        var rest = self
        let stored = [UInt8](unsafeUninitializedCapacity: end - position) { buffer, count in
            var text = UncheckedByteBuffer(buffer)
            rest.copyStored(to: &text)
            count = text.count
        }
        return CSVText.couldBeFormula(String(decoding: stored, as: UTF8.self))
    }

    @inline(__always)
    private mutating func copyUnescaped(
        to text: inout UncheckedByteBuffer, _ append: (UInt8, inout UncheckedByteBuffer) -> Void
    ) {
        while true {
            let byte = bytes[position]
            position &+= 1
            if byte == Self.tab || byte == Self.lineFeed { return }
            if byte == Self.backslash {
                append(Self.character(bytes[position]), &text)
                position &+= 1
            } else {
                append(byte, &text)
            }
        }
    }

    private static func character(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "v"): 0x0B
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        default: letter
        }
    }

    private static let backslash = UInt8(ascii: "\\")
    private static let tab = UInt8(ascii: "\t")
    private static let lineFeed = UInt8(ascii: "\n")
}

extension UInt8 {
    /// Whether the byte is an ASCII letter or digit.
    fileprivate var isPlain: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
