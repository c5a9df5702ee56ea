/// Base64 as clients write it: in either alphabet, with or without padding, and with spaces where a form lost its pluses.
enum Base64Text {
    /// Returns the decoded bytes, or `nil` if the text is no base64.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count = 0
        for character in text.utf8 {
            let value = values[Int(character)]
            if value >= 0 {
                bits = bits << 6 | UInt32(value)
                count += 1
                if count == 4 {
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: bits))
                    count = 0
                }
            } else if value == invalid {
                return nil
            }
        }
        switch count {
        case 1: return nil
        case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3:
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: break
        }
        return bytes
    }

    private static let invalid: Int8 = -1
    private static let skipped: Int8 = -2

    /// The value of each character: six bits, or why it has none.
    private static let values: [Int8] = {
        var values = [Int8](repeating: invalid, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = Int8(value) }
        for (other, character) in [("-", "+"), (" ", "+"), ("_", "/")] as [(Unicode.Scalar, Unicode.Scalar)] {
            values[Int(other.value)] = values[Int(character.value)]
        }
        for character in ["=", "\r", "\n"] as [Unicode.Scalar] { values[Int(character.value)] = skipped }
        return values
    }()
}
