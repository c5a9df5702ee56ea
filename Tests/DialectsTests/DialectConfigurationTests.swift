import Foundation
import JSON
import Testing

@testable import Dialects

/// Tests the bounds on what an app can set for the requests of other systems' clients.
@Suite struct DialectConfigurationTests {
    private func error(_ rules: [[String: Any]]) throws -> String? {
        let body = try JSONSerialization.data(withJSONObject: ["mappings": rules])
        do {
            _ = try DialectConfiguration(Array(body))
            return nil
        } catch {
            return error.description
        }
    }

    private func rule(_ event: String, _ conditions: [String: String] = [:]) -> [String: Any] {
        ["event": event, "kind": "opened", "where": conditions]
    }

    @Test func `a name has at most 20 rules, however it is written`() throws {
        let same = (0..<20).map { rule($0.isMultiple(of: 2) ? "Push Seen" : "push_seen", ["a": "\($0)"]) }
        #expect(try error(same + [rule("other")]) == nil)
        let message = try #require(try error(same + [rule("PUSH SEEN")]))
        #expect(message.contains("more than 20 rules for the event"), "\(message)")
    }

    @Test func `conditions and paths are bounded, and NUL is refused`() throws {
        let eight = Dictionary(uniqueKeysWithValues: (0..<8).map { ("properties.p\($0)", "1") })
        #expect(try error([rule("e", eight)]) == nil)
        #expect(try error([rule("e", eight.merging(["q": "1"]) { $1 })])?.contains("mappings[0].where") == true)
        let path = String(repeating: "a.", count: 128)
        #expect(try error([rule("e", [path: "1"])]) == nil)
        #expect(try error([rule("e", [path + "a": "1"])])?.contains("256 bytes") == true)
        #expect(try error([rule("e\u{0}")])?.contains("NUL") == true)
        #expect(try error([rule("e", ["a\u{0}": "1"])])?.contains("NUL") == true)
    }

    @Test func `the first rule that applies decides`() throws {
        let mappings = EventMappings([
            .init(event: "seen", where: ["a": "1"], kind: "opened"),
            .init(dialect: "posthog", event: "Seen", kind: "read"),
            .init(event: "SEEN", kind: "displayed"),
        ])
        let event = try #require(JSONElement(Array(#"{"a":"1"}"#.utf8)).object)
        let other = try #require(JSONElement(Array(#"{"a":"2"}"#.utf8)).object)
        #expect(mappings.rule(.segment, "Seen", event)?.kind == "opened")
        #expect(mappings.rule(.posthog, "Seen", other)?.kind == "read")
        #expect(mappings.rule(.segment, "Seen", other)?.kind == "displayed")
        #expect(mappings.rule(.segment, "unseen", other) == nil)
    }
}
