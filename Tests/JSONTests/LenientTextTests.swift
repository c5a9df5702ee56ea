import JSON
import Testing

struct LenientTextTests {
    private static func marks(_ count: Int) -> String { String(repeating: "\u{301}\u{334}", count: count / 2) }

    @Test func `a text keeps up to 128 combining marks in a row`() {
        for text in ["", "e\u{301}", Self.marks(128), "a" + Self.marks(128) + "b" + Self.marks(128), "한글 😀\u{FE0F}"] {
            #expect(Array(String(lenient: Array(text.utf8)).utf8) == Array(text.utf8))
            #expect(!text.hasManyCombiningMarks)
        }
    }

    @Test func `of more combining marks in a row, the rest is left out`() {
        let text = "a" + Self.marks(10_000) + "b" + Self.marks(200) + "c"
        let kept = "a" + Self.marks(128) + "b" + Self.marks(128) + "c"
        #expect(text.hasManyCombiningMarks)
        #expect(Array(String(lenient: Array(text.utf8)).utf8) == Array(kept.utf8))
    }

    @Test func `invalid UTF-8 is replaced`() {
        #expect(String(lenient: [0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
    }

    @Test func `marks that are escaped, or in a name, are found in a JSON text`() {
        let escaped = String(repeating: "\\u0301\\u0334", count: 65)
        #expect(JSONText.hasManyCombiningMarks(Array(#"{"a\#(escaped)":1}"#.utf8)))
        #expect(JSONText.hasManyCombiningMarks(Array(#"{"a":["\#(Self.marks(130))"]}"#.utf8)))
        #expect(!JSONText.hasManyCombiningMarks(Array(#"{"\#(Self.marks(128))":"\#(Self.marks(128))\n"}"#.utf8)))
    }

    @Test func `the names and texts of a document have at most 128 combining marks in a row`() throws {
        let escaped = String(repeating: "\\u0301\\u0334", count: 100)
        let document = try JSONElement(Array(#"{"n\#(Self.marks(200))":"t\#(escaped)"}"#.utf8))
        let member = try #require(document.object?.all.first)
        #expect(Array(member.name.utf8) == Array(("n" + Self.marks(128)).utf8))
        #expect(member.value.text.map { Array($0.utf8) } == Array(("t" + Self.marks(128)).utf8))
    }

    @Test func `a long text is cut between two characters`() {
        #expect("abc".cut(toBytes: 3) == "abc")
        #expect("abcdef".cut(toBytes: 5) == "ab…")
        #expect(String(repeating: "é", count: 10).cut(toBytes: 10) == "ééé…")
        #expect("é".prefix(utf8Bytes: 1) == "")
    }
}
