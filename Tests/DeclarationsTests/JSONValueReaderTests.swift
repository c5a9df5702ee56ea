import AfterpushWire
import Foundation
import Testing

@testable import Declarations

/// Tests that documents are read as `JSONDecoder` reads them, but within limits.
@Suite struct JSONValueReaderTests {
    private func read(_ json: String, mostEntries: Int = 10) throws(JSONValueReader.Failure) -> JSONValue {
        try JSONValueReader.read(Array(json.utf8), mostEntries: mostEntries)
    }

    @Test(arguments: [
        "null", " true ", "false", "0", "-0.5e3", "12345678901234567890", #""""#, #""a\"\\\/\b\f\n\r\t""#,
        #""\u00e9é\ud83d\ude00""#, "[]", "{}", #"[1,[2,{"a":[]}],{"b":null}]"#, #"{"a":1,"":"x"}"#,
        "{\"a\" :\n[ 1 ,\t2 ] }",
    ])
    func `a valid document is read like the decoder reads it`(json: String) throws {
        let list = "[\(json)]"
        #expect(try read(list) == JSONDecoder().decode(JSONValue.self, from: Data(list.utf8)))
    }

    @Test(arguments: [
        "", " ", "[", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{1:2}", "tru", "NaN", "01", "1.", "+1", "1e999", "\"a",
        "\"\u{1}\"", #""\x""#, #""\ud800""#, "[] []", "'a'",
    ])
    func `a text that is not JSON is refused`(json: String) {
        #expect(throws: JSONValueReader.Failure.malformed) { try read(json) }
    }

    @Test func `NUL is kept, and of several members with one name the first`() throws {
        #expect(try read(#"{"a":"\u0000","a":2}"#) == .object(["a": .string("\0")]))
    }

    @Test func `a byte order mark is skipped, and bytes that are not UTF-8 are refused`() throws {
        #expect(try read("\u{FEFF}[1]") == .array([.number(1)]))
        #expect(throws: JSONValueReader.Failure.malformed) {
            try JSONValueReader.read([0x22, 0xFF, 0x22], mostEntries: 1)
        }
    }

    @Test func `lists, objects and nesting have limits`() throws {
        #expect(try read("[1,2]", mostEntries: 2) == .array([.number(1), .number(2)]))
        let failure = JSONValueReader.Failure.tooManyEntries(limit: 2)
        #expect(throws: failure) { try read("[1,2,3]", mostEntries: 2) }
        // The rest is not even read.
        #expect(throws: failure) { try read(#"{"a":1,"b":2,"c":x"#, mostEntries: 2) }
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try read(nested(128)) }
        #expect(throws: JSONValueReader.Failure.malformed) { try read(nested(129)) }
    }
}
