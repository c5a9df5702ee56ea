import Foundation
import JSON
import Testing

struct JSONTextTests {
    @Test func `any text survives as a JSON string`() throws {
        var text = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init(_:))))
        text += "\u{2028}\u{2029}😀\u{10FFFF}"
        let json = JSONText.string(text)
        #expect(try JSONDecoder().decode(String.self, from: Data(json.utf8)) == text)
        let inside = Array(json.utf8.dropFirst().dropLast())
        #expect(String(decoding: JSONText.unescape(inside, inside.indices), as: UTF8.self) == text)
    }

    @Test func `only quotes, backslashes and control characters are escaped`() {
        #expect(JSONText.string("a\"b\\c\n\r\t\u{1}\u{1f}\u{7f}/é") == #""a\"b\\c\n\r\t\u0001\u001f\u007f/é""#)
    }

    @Test func `objects and arrays keep their order`() {
        #expect(JSONText.object([("z", "1"), ("a\"", "[]")]) == #"{"z":1,"a\"":[]}"#)
        #expect(JSONText.array(["1", "null"]) == "[1,null]")
    }
}
