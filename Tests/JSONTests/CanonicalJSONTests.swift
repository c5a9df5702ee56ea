import JSON
import Testing

/// Tests which JSON texts say the same.
struct CanonicalJSONTests {
    private func areEqual(_ one: String, _ other: String) throws -> Bool {
        try CanonicalJSON(Array(one.utf8)) == CanonicalJSON(Array(other.utf8))
    }

    @Test(
        arguments: [
            ("{}", " { } "), (#"{"a":1,"b":[2,3]}"#, "{ \"b\" : [2 ,\n3],\t\"a\":1 }"),
            (#"{"a":{"c":1,"b":{"e":2,"d":3}}}"#, #"{"a":{"b":{"d":3,"e":2},"c":1}}"#),
            (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#), (#"{"a":{"x":1},"a":{}}"#, #"{"a":{}}"#),
            (#"{"a":1,"\u0061":2}"#, #"{"a":2}"#), (#"{"a":1,"aa":2,"b":3}"#, #"{"aa":2,"b":3,"a":1}"#),
            (#"{"a":1.0}"#, #"{"a":1}"#), (#"{"a":10e-1}"#, #"{"a":1.00}"#), (#"{"a":-0.0}"#, #"{"a":0}"#),
            (#"{"a":1E2}"#, #"{"a":100}"#), (#"{"a":0.001}"#, #"{"a":1e-3}"#), (#"{"a":1e308}"#, #"{"a":10e307}"#),
            (#"["\u00e9\/\n\ud83d\ude00"]"#, "[\"é/\\u000a😀\"]"), ("[true,false,null]", "[ true , false , null ]"),
        ])
    func `texts that say the same are equal`(one: String, other: String) throws {
        #expect(try areEqual(one, other) && areEqual(other, one))
    }

    @Test(
        arguments: [
            ("{}", "[]"), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"a":"1"}"#),
            (#"{"a":1}"#, #"{"a":true}"#), (#"{"a":0}"#, #"{"a":false}"#), (#"{"a":null}"#, "{}"),
            (#"{"a":"null"}"#, #"{"a":null}"#), (#"{"a":1}"#, #"{"a":-1}"#), (#"{"a":1}"#, #"{"a":10}"#),
            (#"{"a":1e1}"#, #"{"a":1e-1}"#), (#"{"a":1}"#, #"{"a":1.0000000000000000000000000000001}"#),
            (#"{"a":1,"a":2}"#, #"{"a":1}"#), ("[1,2]", "[2,1]"), ("[1,2]", "[12]"), ("[[1],2]", "[[1,2]]"),
            (#"["a","b"]"#, #"["ab"]"#), (#"["é"]"#, "[\"e\u{301}\"]"), (#"["a"]"#, #"["A"]"#),
            (#"{"a":{"b":1}}"#, #"{"a":{"b":1,"c":2}}"#), (#"[{"a":1},{"b":2}]"#, #"[{"b":2},{"a":1}]"#),
        ])
    func `texts that say something else are not equal`(one: String, other: String) throws {
        #expect(try !areEqual(one, other) && !areEqual(other, one))
    }

    @Test func `numbers and brackets without end are compared as they are written`() throws {
        let digits = String(repeating: "1", count: 100_000)
        #expect(try areEqual("[\(digits)]", "[ \(digits) ]"))
        #expect(try !areEqual("[\(digits)]", "[\(digits).0]"))
        let (opened, closed) = (String(repeating: "[", count: 100_000), String(repeating: "]", count: 100_000))
        #expect(try areEqual("\(opened)1\(closed)", " \(opened)1\(closed)"))
        #expect(try !areEqual("\(opened)1\(closed)", "\(opened)1.0\(closed)"))
    }

    @Test(arguments: ["", "{", "{\"a\":1", "[1,]", "{} {}", "\"a"])
    func `a text that is not one value can't be compared`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try CanonicalJSON(Array(text.utf8)) }
    }
}
