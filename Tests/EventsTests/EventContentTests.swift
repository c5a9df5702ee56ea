import EventSamples
import Events
import Testing

/// Tests which copies of an event say the same, and that it is cheap to find out.
@Suite struct EventContentTests {
    private func event(_ changes: [String: String?]) throws -> Event {
        try Sample.accepted(changes.merging(["kind": Sample.quoted("converted")]) { own, _ in own })
    }

    private func areEqual(_ one: [String: String?], _ other: [String: String?]) throws -> Bool {
        let (one, other) = (try event(one), try event(other))
        let isEqual = EventContent(of: one).isEqual(to: other)
        #expect(EventContent(of: other).isEqual(to: one) == isEqual)
        return isEqual
    }

    @Test func `copies with the same content in other words are equal`() throws {
        #expect(try areEqual([:], [:]))
        #expect(try areEqual(["properties": nil], ["properties": "{ }"]))
        #expect(try areEqual(["properties": #"{"a":1,"b":"é"}"#], ["properties": #"{"b":"\u00e9","a":1.0}"#]))
        #expect(try areEqual(["properties": #"{"a":1,"a":2}"#], ["properties": #"{"a":2}"#]))
        #expect(try areEqual(["properties": #"{"a":2}"#, "a": "1"], ["properties": #"{"a":2}"#]))
        #expect(try areEqual(["value": "1.0"], ["value": "1"]))
    }

    @Test func `copies with other content are not equal`() throws {
        #expect(try !areEqual(["properties": #"{"a":1}"#], ["properties": nil]))
        #expect(try !areEqual(["properties": #"{"a":1}"#], ["properties": #"{"a":2}"#]))
        #expect(try !areEqual(["properties": #"{"a":1}"#], ["properties": #"{"a":true}"#]))
        #expect(try !areEqual(["properties": #"{"a":{"b":[1,2]}}"#], ["properties": #"{"a":{"b":[2,1]}}"#]))
        #expect(try !areEqual(["properties": "{\"é\":1}"], ["properties": "{\"e\u{301}\":1}"]))
        #expect(try !areEqual(["value": "1"], ["value": "2"]))
        #expect(try !areEqual(["value": "1"], ["value": nil]))
        #expect(try !areEqual(["campaign_id": "\"é\""], ["campaign_id": "\"e\u{301}\""]))
    }

    private func cost(_ properties: @escaping (Int) -> String) throws -> () -> Void {
        let copies = try (0..<100).map { try event(["properties": properties($0)]) }
        let known = EventContent(of: copies[0])
        #expect(copies.dropFirst().allSatisfy { !known.isEqual(to: $0) })
        return {
            let content = EventContent(of: copies[0])
            for copy in copies { _ = content.isEqual(to: copy) }
        }
    }

    /// Hashing such a text as a `String` takes the square of its length.
    @Test func `a name of combining marks takes no longer to compare than one of letters`() throws {
        let marks = "a" + String(repeating: "\u{345}", count: 900) + String(repeating: "\u{334}", count: 900)
        let letters = String(repeating: "é", count: 1_800)
        let ratio = try ProcessorTime.ratio(
            cost { "{\"\(marks)\":\($0)}" }, to: cost { "{\"\(letters)\":\($0)}" })
        #expect(ratio < 5, "a name of marks takes \(ratio) times as long")
    }

    private static func list(_ element: String, _ count: Int, _ number: Int) -> String {
        "{\"a\":[\(Array(repeating: element, count: count).joined(separator: ","))],\"i\":\(number)}"
    }

    private static func members(_ names: [Int], _ number: Int) -> String {
        "{" + names.map { "\"\($0)\":\(number)" }.joined(separator: ",") + "}"
    }

    @Test(arguments: ["texts", "numbers", "members", "names"])
    func `properties take time in proportion to their length`(kind: String) throws {
        func properties(_ count: Int) -> (Int) -> String {
            let names = (0..<count).map { $0 * 7 % count }
            return { number in
                switch kind {
                case "texts": Self.list(#""a\u0041""#, count, number)
                case "numbers": Self.list("1e300", count, number)
                case "members": Self.members(names, number)
                default: Self.members(names.map { _ in 7 }, number)
                }
            }
        }
        let (long, short) = (try cost(properties(320)), try cost(properties(20)))
        let ratio = ProcessorTime.ratio(long) {
            for _ in 0..<16 { short() }
        }
        print("\(kind) take \(ratio) times as long")
        #expect(ratio < 4, "\(kind) take \(ratio) times as long as 16 that are a sixteenth as long")
    }

    @Test func `the depth of properties costs little`() throws {
        func nested(_ depth: Int, _ number: Int) -> String {
            String(repeating: #"{"b":1,"a":"#, count: depth) + Self.list("1", 1_500, number)
                + String(repeating: "}", count: depth)
        }
        let ratio = try ProcessorTime.ratio(cost { nested(29, $0) }, to: cost { nested(1, $0) })
        print("29 levels take \(ratio) times as long as one")
        #expect(ratio < 8)
    }
}
