import JSON

/// A text within a path, percent-encoded (RFC 3986).
enum PathText {
    /// Decodes a path segment; returns `nil` if it isn't UTF-8, contains NUL or has an invalid % sequence.
    ///
    /// Of more than 128 combining marks in a row, the rest is left out.
    static func decode(_ part: String) -> String? {
        var bytes: [UInt8] = []
        var rest = part.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self).map { String(lenient: $0.utf8) }
    }

    static func encode(_ text: String) -> String {
        var part = ""
        for byte in text.utf8 {
            let scalar = UnicodeScalar(byte)
            let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if byte < 0x80, isPlain || "-._~".utf8.contains(byte) {
                part.unicodeScalars.append(scalar)
            } else {
                part += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return part
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
