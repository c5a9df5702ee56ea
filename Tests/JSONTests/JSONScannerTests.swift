import JSON
import Testing

struct JSONScannerTests {
    /// The type of a text that is one JSON value as a whole, or nil.
    private func type(of text: String, depth: Int = 8) -> JSONType? {
        var scanner = JSONScanner(Array(text.utf8), maximumDepth: depth)
        guard scanner.skipSpace() != nil, let value = try? scanner.scanValue(depth: 0), scanner.skipSpace() == nil,
            scanner.takeFault() == nil
        else { return nil }
        return value.type
    }

    @Test(arguments: [
        ("null", JSONType.null), ("true", .bool), ("-0.5e+10", .number), (#""a\u00e9""#, .string), ("[1,[]]", .array),
        (#" {"a":{"b":[1,2]}} "#, .object),
    ])
    func `a value has the type that its text has`(text: String, expected: JSONType) {
        #expect(type(of: text) == expected)
    }

    @Test(arguments: [
        "", "nul", "True", "01", "1.", "+1", ".5", "1e", "\"", "\"\n\"", #""\x""#, #""\ud800""#, "[1,]", "[1 2]",
        "{a:1}",
        #"{"a"}"#, #"{"a":1,}"#, "[", "]", "{}{}", "NaN",
    ])
    func `a text that is no JSON value has no type`(text: String) {
        #expect(type(of: text) == nil)
    }

    @Test func `nesting deeper than the limit is a fault, and a million brackets need no stack`() {
        #expect(type(of: "[[[]]]", depth: 3) == .array)
        #expect(type(of: "[[[]]]", depth: 2) == nil)
        let count = 1_000_000
        let text = String(repeating: "[", count: count) + String(repeating: "]", count: count)
        #expect(type(of: text, depth: .max) == .array)
        #expect(type(of: String(text.dropLast()), depth: .max) == nil)
    }

    @Test func `a fault inside a value does not end the scan`() throws {
        var scanner = JSONScanner(Array(#"[tru,"\ud800"] 7"#.utf8), maximumDepth: 8)
        _ = try scanner.scanValue(depth: 0)
        let fault = scanner.takeFault()
        #expect(fault?.kind == .notAValue)
        #expect(fault?.offset == 1)
        _ = scanner.skipSpace()
        #expect(try scanner.scanValue(depth: 0).type == .number)
        #expect(scanner.takeFault() == nil)
    }
}
