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
            appendEscaped(utf8, to: &json)
        }
        json.append(UInt8(ascii: "\""))
    }

    /// Appends UTF-8 as the inside of a JSON string, without quotes.
    package static func appendEscaped(_ utf8: some Sequence<UInt8>, to json: inout [UInt8]) {
        for byte in utf8 {
            if let escape = escape(of: byte) { json.append(contentsOf: escape) } else { json.append(byte) }
        }
    }

    /// Returns the escape sequence of a byte of a string, or `nil` if the byte needs none.
    ///
    /// Bytes that need an escape are ASCII, never part of a longer character.
    package static func escape(of byte: UInt8) -> [UInt8]? {
        escapes[Int(byte)]
    }

    private static let escapes: [[UInt8]?] = (0...255).map { (byte: UInt8) in
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): Array("\\n".utf8)
        case UInt8(ascii: "\r"): Array("\\r".utf8)
        case UInt8(ascii: "\t"): Array("\\t".utf8)
        case 0..<0x10: Array("\\u000\(String(byte, radix: 16))".utf8)
        case 0x10..<0x20, 0x7F: Array("\\u00\(String(byte, radix: 16))".utf8)
        default: nil
        }
    }

    package static func object(_ members: [(key: String, json: String)]) -> String {
        var object = [UInt8(ascii: "{")]
        object.reserveCapacity(2 + members.reduce(0) { $0 + $1.key.utf8.count + $1.json.utf8.count + 4 })
        for member in members {
            if object.count > 1 { object.append(UInt8(ascii: ",")) }
            append(member.key, to: &object)
            object.append(UInt8(ascii: ":"))
            object.append(contentsOf: member.json.utf8)
        }
        object.append(UInt8(ascii: "}"))
        return String(decoding: object, as: UTF8.self)
    }

    package static func array(_ elements: [String]) -> String {
        "[" + elements.joined(separator: ",") + "]"
    }
}
