import JSON
import SeededRandom
import Testing

struct JSONElementTests {
    /// A value of any JSON type.
    private indirect enum Value {
        case null
        case bool(Bool)
        case number(Int)
        case string(String)
        case array([Value])
        case object([(name: String, value: Value)])

        /// Returns a value whose objects and arrays are nested at most this deep.
        static func random(_ random: inout SeededGenerator, depth: Int) -> Value {
            switch random.number(0...(depth > 0 ? 9 : 3)) {
            case 0: .null
            case 1: .bool(random.happens(percent: 50))
            case 2: .number(random.number(-9...99_999))
            case 3: .string(text(&random))
            case 4...6: .array((0..<random.number(0...6)).map { _ in Self.random(&random, depth: depth - 1) })
            default:
                .object((0..<random.number(0...6)).map { _ in (text(&random), Self.random(&random, depth: depth - 1)) })
            }
        }

        private static func text(_ random: inout SeededGenerator) -> String {
            random.one(
                of: "", "a", "b", "ab", "context", "device_id", "a \"quoted\" text", "line\nbreak", "ü",
                "😀 and more text")
        }

        /// The value as JSON, with spaces and escapes where they may be.
        func json(_ random: inout SeededGenerator) -> String {
            let space = random.one(of: "", "", " ", "\n\t")
            switch self {
            case .null: return "null"
            case .bool(let value): return String(value)
            case .number(let value): return String(value)
            case .string(let text): return Self.quoted(text, &random)
            case .array(let elements):
                return "[\(space)" + elements.map { $0.json(&random) }.joined(separator: ",\(space)") + "\(space)]"
            case .object(let members):
                let texts = members.map { "\(Self.quoted($0.name, &random))\(space):\($0.value.json(&random))" }
                return "{\(space)" + texts.joined(separator: "\(space),") + "}"
            }
        }

        private static func quoted(_ text: String, _ random: inout SeededGenerator) -> String {
            guard random.happens(percent: 30) else { return JSONText.string(text) }
            return "\"" + text.utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined() + "\""
        }
    }

    @Test(arguments: 1...20) func `any document reads as the values that it was written from`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for depth in 0...10 {
            let value = Value.random(&random, depth: depth)
            try expect(JSONElement(Array(value.json(&random).utf8)), value)
        }
    }

    private func expect(_ element: JSONElement, _ value: Value) throws {
        switch value {
        case .null: #expect(element.type == .null && element.text == nil && element.object == nil)
        case .bool(let value): #expect(element.bool == value)
        case .number(let value): #expect(element.number == Double(value) && element.text == String(value))
        case .string(let text): #expect(element.string == text && element.text == (text.isEmpty ? nil : text))
        case .array(let values):
            let elements = try #require(try element.elements(limit: 100))
            #expect(elements.count == values.count)
            for (element, value) in zip(elements, values) { try expect(element, value) }
        case .object(let members):
            let object = try #require(element.object)
            let all = object.all
            #expect(all.map(\.name) == members.map(\.name))
            for (member, expected) in zip(all, members) { try expect(member.value, expected.value) }
            for (name, _) in members {
                // Of several members with one name, the last counts.
                let last = all.last { $0.name == name }?.value
                #expect(object.value(named: name)?.json == (last?.type == .null ? nil : last?.json))
            }
        }
    }

    @Test func `a long document is read to its end, although it has no list of all its values`() throws {
        let event = #"{"a":1,"b":{"c":{"d":[1,2,{"e":"x"}]}}}"#
        let text = "{\"events\":[\(Array(repeating: event, count: 5_000).joined(separator: ","))],\"after\":true}"
        let document = try #require(try JSONElement(Array(text.utf8)).object)
        let events = try #require(try document["events"]?.elements(limit: 5_000))
        #expect(events.count == 5_000)
        for event in events {
            let list = try event.object?["b"]?.object?["c"]?.object?["d"]?.elements(limit: 3)
            #expect(list?.last?.object?["e"]?.text == "x")
        }
        #expect(document["after"]?.bool == true)
        #expect(throws: JSONElementError.tooMany(limit: 4_999)) { try document["events"]?.elements(limit: 4_999) }
    }

    @Test func `an array of more elements than are read is refused`() throws {
        for count in [5_001, 5_002, 9_000] {
            let array = try JSONElement(Array("[\(Array(repeating: "1", count: count).joined(separator: ","))]".utf8))
            #expect(throws: JSONElementError.tooMany(limit: 5_000)) { try array.elements(limit: 5_000) }
        }
    }

    @Test func `members after the first thousand count as absent`() throws {
        let members = (1...1_001).map { #""m\#($0)":{"n":\#($0)}"# }.joined(separator: ",")
        for text in ["{\(members)}", "[[[[[[[[[{\(members)}]]]]]]]]]"] {
            var element = try JSONElement(Array(text.utf8))
            while let first = try element.elements(limit: 1)?.first { element = first }
            let object = try #require(element.object)
            #expect(object.all.count == 1_000)
            #expect(object["m1000"]?.object?["n"]?.text == "1000")
            #expect(object["m1001"] == nil)
        }
    }

    @Test func `members that are too long for their object count as absent`() throws {
        let object = try #require(
            try JSONElement(
                Array(#"{"a":"12345","a":"123456","b":[1,2,3],"c":{"d":"123456"},"long":"123","f":1}"#.utf8)
            ).object)
        let short = object.withoutMembers(longerThan: 6)
        #expect(short["a"]?.text == "12345" && short["b"] == nil && short["c"] == nil && short["long"] == nil)
        #expect(short.all.map(\.name) == ["a", "f"])
        #expect(object["a"]?.text == "123456" && object["c"]?.object?["d"] != nil && object["long"]?.text == "123")
    }

    @Test func `members after as many as are wanted count as absent`() throws {
        let object = try #require(try JSONElement(Array(#"{"a":1,"long":"12345","b":{"x":1},"c":3}"#.utf8)).object)
        let few = object.withoutMembers(after: 3)
        #expect(few["a"]?.text == "1" && few["b"]?.object?["x"] != nil && few["c"] == nil)
        #expect(few.all.map(\.name) == ["a", "long", "b"])
        #expect(few.withoutMembers(longerThan: 8).all.map(\.name) == ["a", "b"])
        #expect(object.withoutMembers(after: 0).all.isEmpty && object["c"] != nil)
    }

    @Test func `a name is found however it is escaped`() throws {
        let object = try #require(
            try JSONElement(
                Array(#"{"\u0061\u0062":1,"\ud83d\ude00":2,"\/":3,"\u00e9":4,"\u0061":5,"\u0061\u0062c":6}"#.utf8)
            ).object)
        for (name, number) in ["ab": 1, "😀": 2, "/": 3, "é": 4, "a": 5, "abc": 6] {
            #expect(object.value(named: name)?.text == "\(number)", "\(name)")
        }
        #expect(object["b"] == nil && object[""] == nil)
    }

    @Test func `brackets that need more memory than text are not listed`() throws {
        let count = 1_000_000
        let text = String(repeating: "[", count: count) + String(repeating: "]", count: count)
        var element = try JSONElement(Array(text.utf8))
        for _ in 0..<20 { element = try #require(try element.elements(limit: 1)?.first) }
        #expect(throws: JSONSyntaxError.self) { try JSONElement(Array(text.dropLast().utf8)) }
    }
}
