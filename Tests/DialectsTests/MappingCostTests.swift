import EventSamples
import Foundation
import JSON
import SeededRandom
import Testing

@testable import Dialects

/// Tests that an app's mappings find what they should, and that no mapping makes its events expensive.
@Suite struct MappingCostTests {
    private func object(_ json: String) throws -> JSONObject {
        try #require(JSONElement(Array(json.utf8)).object)
    }

    /// The value at a path, found without any tree.
    private func value(at path: String, of object: JSONObject) -> JSONElement? {
        if let value = object.value(named: path) { return value }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        guard let inner = object.value(named: String(path[..<dot]))?.object else { return nil }
        return value(at: String(path[path.index(after: dot)...]), of: inner)
    }

    @Test func `each path finds the value that it finds alone`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        func name() -> String {
            (0..<random.one(of: 1, 1, 1, 2, 3)).map { _ in random.one(of: "a", "b", "") }.joined(separator: ".")
        }
        func text(depth: Int) -> String {
            guard depth < 5, Int.random(in: 0..<4, using: &random) > 0 else {
                return random.one(of: "1", "null", "\"x\"", "true", "[]", "NaN")
            }
            let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                "\"\(name())\":\(text(depth: depth + 1))"
            }
            return "{\(members.joined(separator: ","))}"
        }
        for _ in 0..<500 {
            let event = try object("{\"a\":\(text(depth: 0)),\"a.b\":\(text(depth: 1)),\"b\":\(text(depth: 0))}")
            var paths = MemberPaths()
            let names = (0..<20).map { _ in name() + random.one(of: "", "." + name(), "." + name() + "." + name()) }
            let numbers = names.map { paths.add($0) }
            let values = paths.values(of: event)
            for (path, number) in zip(names, numbers) {
                #expect(values[number]?.json == value(at: path, of: event)?.json, "\(path)")
            }
        }
    }

    @Test func `many rules with long paths cost little more than one with a short path`() throws {
        let depth = 27
        let deep = "properties" + String(repeating: ".a", count: depth)
        let many = EventMappings(
            (0..<20).map { rule in
                let conditions = (0..<8).map { (deep + String(repeating: "b", count: $0), "\(rule)") }
                return .init(event: "x", where: Dictionary(uniqueKeysWithValues: conditions), kind: "opened")
            } + [
                .init(
                    event: "x", kind: "read",
                    fields: Dictionary(
                        uniqueKeysWithValues: ["variant", "campaign_id", "device_id", "locale"].map { ($0, deep) }))
            ])
        let one = EventMappings([.init(event: "x", where: [deep: "no"], kind: "opened")])
        let nested = String(repeating: #"{"a":"#, count: depth) + "\"v\"" + String(repeating: "}", count: depth)
        let event = try object(#"{"event":"x","properties":\#(nested)}"#)
        #expect(many.rule(.segment, "x", event)?.kind == "read")
        #expect(one.rule(.segment, "x", event) == nil)
        let ratio = ProcessorTime.ratio {
            for _ in 0..<200 { _ = many.rule(.segment, "x", event) }
        } to: {
            for _ in 0..<200 { _ = one.rule(.segment, "x", event) }
        }
        print("many rules take \(ratio) times as long")
        #expect(ratio < 8)
    }

    /// Comparing or hashing such a text as a `String` takes the square of its length.
    @Test(arguments: ["name", "member", "value", "kind", "platform", "time"])
    func `a long run of combining marks costs little more than as many letters`(place: String) throws {
        let mappings = EventMappings([.init(event: "x", where: ["properties.a": "no"], kind: "opened")])
        func cost(_ text: String) throws -> () -> Void {
            let member = place == "member" ? text : "a"
            let event = try object(#"{"event":"x","properties":{"\#(member)":"\#(place == "value" ? text : "b")"}}"#)
            return {
                for _ in 0..<5 {
                    switch place {
                    case "name": _ = (mappings.rule(.segment, text, event), EventNames.meaning(of: text))
                    case "kind": _ = (KindNames.kind(text), KindNames.kind(of: "afterpush." + text))
                    case "platform": _ = ForeignPlatform.word(text)
                    case "time": _ = (ForeignTime.text(text), ForeignTime.offsetMinutes(text))
                    default: _ = mappings.rule(.segment, "x", event)
                    }
                }
            }
        }
        let marks = "a" + String(repeating: "\u{345}", count: 3_000) + String(repeating: "\u{334}", count: 3_000)
        let (hostile, plain) = (try cost(marks), try cost(String(repeating: "é", count: 6_000)))
        // Beside a fixed cost, because some of these are refused at once.
        let fixed = { _ = (0..<2_000).map { String($0) } }
        let ratio = ProcessorTime.ratio {
            hostile()
            fixed()
        } to: {
            plain()
            fixed()
        }
        #expect(ratio < 5, "\(place) with marks takes \(ratio) times as long")
    }

    @Test func `a long text is compared with all conditions at once`() throws {
        let text = String(repeating: "é", count: 10_000)
        let event = try object(#"{"event":"x","a":"\#(text)"}"#)
        func mappings(_ count: Int) -> EventMappings {
            EventMappings((0..<count).map { .init(event: "x", where: ["a": text + "\($0)"], kind: "opened") })
        }
        let (many, one) = (mappings(20), mappings(1))
        let ratio = ProcessorTime.ratio {
            for _ in 0..<20 { _ = many.rule(.segment, "x", event) }
        } to: {
            for _ in 0..<20 { _ = one.rule(.segment, "x", event) }
        }
        #expect(ratio < 5, "20 conditions take \(ratio) times as long as one")
    }
}
