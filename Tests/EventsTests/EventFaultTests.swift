import AfterpushWire
import EventSamples
import Events
import Foundation
import Testing

/// Tests that an error in one event's JSON never affects its neighbors (E44 to E46).
@Suite struct EventFaultTests {
    static let strings = [
        "event_id", "kind", "action_identifier", "user_text", "notification_id", "device_id", "occurred_at",
        "campaign_id",
        "category_id", "variant", "receipt", "platform", "surface", "trigger", "app_state", "app_version", "os_version",
        "locale", "dismiss_cause", "handling", "reason", "name", "currency", "unknown",
    ]

    /// The outcome of an array with `bad` between two good events.
    private func outcome(_ bad: [UInt8]) throws -> Rejection {
        let good = Array(Sample.event().utf8)
        let body = Array("[".utf8) + good + Array(",".utf8) + bad + Array(",".utf8) + good + Array("]".utf8)
        let result = try Sample.validated(body)
        #expect(result.positions == [0, 2])
        #expect(result.rejections.count == 1)
        return try #require(result.rejections.first)
    }

    @Test(arguments: strings)
    func `E44 - text with invalid UTF-8, NUL or half a surrogate pair rejects only its event`(field: String) throws {
        let flaws: [[UInt8]] = [
            [0xFF], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0x00], [0x01], [0x1F], [0x0A],
            Array("\\u0000".utf8), Array("\\ud800".utf8), Array("\\uDC00".utf8), Array("\\ud800\\ud800".utf8),
            Array("\\ud800\\u0041".utf8), Array("\\q".utf8), Array("\\u12".utf8), Array("\\u12G4".utf8),
        ]
        for flaw in flaws {
            let event = Array(Sample.event([field: "\"abc@xyz\""]).utf8)
            let parts = event.split(separator: UInt8(ascii: "@"))
            let rejection = try outcome(Array(parts[0]) + flaw + Array(parts[1]))
            #expect(rejection.code == .textInvalid, "\(flaw)")
            #expect(rejection.detail.contains(field == "unknown" ? "properties" : field), "\(rejection.detail)")
            let kept = try #require(rejection.submittedEvent)
            #expect(!kept.utf8.contains(0))
        }
    }

    @Test func `E44 - an invalid field name or invalid text deep in properties rejects only its event`() throws {
        #expect(try outcome(Array("{\"a\\ud800\":1}".utf8)).code == .textInvalid)
        let rejection = try outcome(Array(Sample.event(["properties": "{\"a\":[{\"b\\u0000\":1}]}"]).utf8))
        #expect(rejection.code == .textInvalid)
        #expect(rejection.detail.contains("properties"))
    }

    @Test func `all Unicode characters except NUL are accepted, literally or escaped`() throws {
        let text = "aß€😀\u{7F}\u{FFFE}\u{10FFFF}"
        #expect(try Sample.accepted(["surface": Sample.quoted(text)]).surface == text)
        let escaped = "\\u0061\\u00DF\\u20ac\\ud83d\\uDE00\\\"\\\\\\/\\b\\f\\n\\r\\t"
        #expect(try Sample.accepted(["surface": Sample.quoted(escaped)]).surface == "aß€😀\"\\/\u{8}\u{C}\n\r\t")
    }

    @Test(arguments: ["1", "\"text\"", "null", "true", "[]", "[{\"event_id\":1}]", "NaN", "-", "0x10", "None"])
    func `an element that is not an object rejects only itself`(element: String) throws {
        let rejection = try outcome(Array(element.utf8))
        #expect(rejection.code == .invalidJSONType)
        #expect(rejection.index == 1)
        #expect(rejection.eventID == nil)
    }

    @Test(arguments: ["NaN", "-Infinity", "01", "+1", ".5", "1.", "1e", "True", "undefined"])
    func `E45 - a word that is not a JSON value rejects only its event`(word: String) throws {
        let rejection = try outcome(Array(Sample.event(["value": word]).utf8))
        #expect(rejection.code == .invalidJSONType)
        #expect(rejection.detail.contains("value"))
    }

    @Test func `E46 - an event nested deeper than the limit rejects only itself`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try Sample.validated(Sample.event(["properties": "{\"a\":\(nested(30))}"]).utf8).events.count == 1)
        for depth in [31, 64, 512, 15_000] {
            let rejection = try outcome(Array(Sample.event(["properties": "{\"a\":\(nested(depth))}"]).utf8))
            #expect(rejection.code == .limitExceeded)
            #expect(rejection.detail.contains("properties"))
        }
    }

    @Test func `E46 - hundreds of thousands of brackets are read without recursion`() throws {
        let count = 300_000
        let open = String(repeating: "[", count: count)
        let mixed = String(repeating: "[{\"a\":", count: count) + "1" + String(repeating: "}]", count: count)
        #expect(throws: BodyError.self) { try Submission.read(Array(open.utf8), as: .json) }
        let rejection = try outcome(Array((open + String(repeating: "]", count: count)).utf8))
        #expect(rejection.code == .invalidJSONType)
        #expect(try outcome(Array(mixed.utf8)).code == .invalidJSONType)
        let wrong = String(repeating: "[", count: 200) + "}" + String(repeating: "]", count: 199)
        #expect(throws: BodyError.self) { try Submission.read(Array("[\(wrong)]".utf8), as: .json) }
    }

    @Test func `E46 - an event longer than the limit rejects only itself`() throws {
        func event(_ length: Int) -> [UInt8] {
            var text = Sample.event()
            text.insert(
                contentsOf: String(repeating: " ", count: length - text.utf8.count),
                at: text.index(after: text.startIndex))
            return Array(text.utf8)
        }
        #expect(try Sample.validated(event(32 * 1024)).events.count == 1)
        #expect(try outcome(event(32 * 1024 + 1)).code == .limitExceeded)
        let members = (0..<50_000).map { "\"\($0)\":1" }.joined(separator: ",")
        #expect(try outcome(Array("{\(members)}".utf8)).code == .limitExceeded)
        #expect(try outcome(Array("{\"user_text\":\(Sample.letters(4_000_000))}".utf8)).code == .limitExceeded)
    }

    @Test func `E46 - a repeated known field rejects only its event, in every spelling`() throws {
        for second in ["\"kind\":\"delivered\"", "\"kin\\u0064\":null", "\"\\u006b\\u0069\\u006e\\u0064\":1"] {
            let rejection = try outcome(Array((Sample.event().dropLast() + "," + second + "}").utf8))
            #expect(rejection.code == .fieldInvalid)
            #expect(rejection.detail == "kind appears twice")
        }
    }
}
