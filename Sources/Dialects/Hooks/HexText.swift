import JSON

/// Bytes in hexadecimal digits, as senders write signatures.
enum HexText {
    /// Returns the bytes of a text, or `nil` if it has other characters than pairs of digits.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map(\.hexValue)
        guard digits.count % 2 == 0, digits.allSatisfy({ $0 != nil }) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
    }
}
