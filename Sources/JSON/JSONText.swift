/// Writes JSON by hand, which keeps the order of keys and the server's spelling of numbers.
package enum JSONText {
    /// Returns a JSON string with its quotes; only quotes, backslashes and control characters are escaped.
    package static func string(_ text: String) -> String {
        var json: [UInt8] = []
        json.reserveCapacity(text.utf8.count + 2)
        append(text, to: &json)
        return String(decoding: json, as: UTF8.self)
    }

    /// Appends a text as a JSON string with its quotes.
    package static func append(_ text: String, to json: inout [UInt8]) {
        var text = text
        text.withUTF8 { append($0, to: &json) }
    }

    package static func append(_ utf8: UnsafeBufferPointer<UInt8>, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        if utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }) {
            json.append(contentsOf: utf8)
        } else {
            for byte in utf8 { append(byte, to: &json) }
        }
        json.append(UInt8(ascii: "\""))
    }

    /// Appends one byte of a string. Bytes that need an escape are ASCII, never part of a longer character.
    private static func append(_ byte: UInt8, to json: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): json.append(contentsOf: [UInt8(ascii: "\\"), byte])
        case UInt8(ascii: "\n"): json.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): json.append(contentsOf: "\\r".utf8)
        case UInt8(ascii: "\t"): json.append(contentsOf: "\\t".utf8)
        case 0..<0x20, 0x7F:
            let digits = String(byte, radix: 16)
            json.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
        default: json.append(byte)
        }
    }

    package static func object(_ members: [(key: String, json: String)]) -> String {
        "{" + members.map { "\(string($0.key)):\($0.json)" }.joined(separator: ",") + "}"
    }

    package static func array(_ elements: [String]) -> String {
        "[" + elements.joined(separator: ",") + "]"
    }
}
