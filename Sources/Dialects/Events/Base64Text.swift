import Foundation

/// Base64 as clients write it: in either alphabet, with or without padding, and with spaces where a form lost its pluses.
enum Base64Text {
    /// Returns the decoded bytes, or `nil` if the text is no base64.
    static func decode(_ text: String) -> [UInt8]? {
        var plain = ""
        for character in text.utf8 {
            switch character {
            case UInt8(ascii: "-"), UInt8(ascii: " "): plain.append("+")
            case UInt8(ascii: "_"): plain.append("/")
            case UInt8(ascii: "="), 0x0A, 0x0D: continue
            default: plain.unicodeScalars.append(UnicodeScalar(character))
            }
        }
        while plain.utf8.count % 4 != 0 { plain.append("=") }
        return Data(base64Encoded: plain).map(Array.init)
    }
}
