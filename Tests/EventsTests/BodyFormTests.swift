import AfterpushWire
import EventSamples
import Events
import Foundation
import Testing

@Suite struct BodyFormTests {
    private let event = Sample.event()

    @Test func `a request, an array, a single event and lines are all read as events`() throws {
        let bodies: [(String, BodyFormat, Int)] = [
            ("{\"sent_at\":\"2026-11-21T10:00:00Z\",\"events\":[\(event),\(event)]}", .json, 2),
            ("{\"events\":[\(event)],\"sent_at\":null,\"later\":[{\"a\":[]}]}", .json, 1),
            ("{\"other\":{\"events\":[1]},\"events\":[]}", .json, 0),
            (" [ \(event) , \(event) ] \n", .json, 2),
            ("[]", .json, 0),
            (event, .json, 1),
            ("\u{FEFF}\(event)", .json, 1),
            ("\u{FEFF}\(event)\n\(event)", .ndjson, 2),
            ("\n\r\n\(event)\r\n \t\n\(event)\n", .ndjson, 2),
        ]
        for (body, format, count) in bodies {
            let result = try Sample.validated(body.utf8, as: format)
            #expect(result.events.count == count, "\(body)")
            #expect(result.rejections == [], "\(body)")
            #expect(result.positions == Array(0..<count))
        }
    }

    @Test(arguments: [
        "", " \n", "\u{FEFF}", "nul", "null", "17", "\"text\"", "NaN", "{", "[", "[1", "[1,]", "[,]", "{\"events\":[1}",
        "{\"a\":1,}", "{\"a\"}", "{\"a\":}", "{a:1}", "{1:2}", "[] []", "{} x", "{\"events\":[]}]", "{\"events\":{}}",
        "{\"events\":null}", "{\"events\":[],\"events\":[]}", "{\"events\":[],}", "{\"events\":[]", "[[}]", "[{]}",
        "{\"sent_at\":\"now\",\"events\":[]}", "{\"sent_at\":17,\"events\":[]}", "{\"events\":[],\"sent_at\":[]}",
        "{\"sent_at\":\"\",\"events\":[]}", "{\"sent_at\":NaN,\"events\":[]}", "{\"x\":\"\\q\",\"events\":[]}",
        "{\"events\":[],\"x\":\"\u{1}\"}", "{\"events\":[],\"x\":tru}", "[\"", "[\"\\", "[\"\\u", "[\"\\u00", "['a']",
        "[1 2]", "[//]", "{\"a\":1 \"b\":2}", "{\"a\" 1}",
    ])
    func `a body that can't be parsed is refused as a whole`(body: String) throws {
        let error = try #require(throws: BodyError.self) { try Submission.read(Array(body.utf8), as: .json) }
        guard case .malformed(let what, let offset) = error else { throw error }
        #expect(!what.isEmpty)
        #expect((0...body.utf8.count).contains(offset))
        #expect(error.description.hasSuffix("at byte \(offset)"))
    }

    @Test func `the error contains the reason and the byte position`() {
        func refusal(_ body: String) -> String? {
            do {
                _ = try Submission.read(Array(body.utf8), as: .json)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(refusal("{\"events\":7}") == "events is not an array, at byte 10")
        #expect(refusal("{\"sent_at\":\"now\",\"events\":[]}") == "sent_at is not an RFC 3339 time, at byte 12")
        #expect(refusal("[{\"a\" 1}]") == "expected a colon, at byte 6")
        #expect(refusal("[1") == "the text ends too early, at byte 2")
        #expect(refusal("[\"a") == "a string does not end, at byte 1")
        #expect(refusal("[]]") == "there is more text after the end of the JSON document, at byte 2")
    }

    @Test func `every truncated body is refused as a whole`() {
        let body = Array("{\"sent_at\":\"2026-11-21T10:00:00Z\",\"events\":[\(event),\(event)]}".utf8)
        for length in 0..<body.count {
            #expect(throws: BodyError.self) { try Submission.read(Array(body.prefix(length)), as: .json) }
        }
    }

    @Test func `E43 - the limit of events is accepted, and one more is refused`() throws {
        for (format, wrap) in [(BodyFormat.json, { "[\($0)]" }), (.ndjson, { (body: String) in body })] {
            let separator = format == .json ? "," : "\n"
            func body(_ count: Int) -> [UInt8] {
                Array(wrap(repeatElement("{}", count: count).joined(separator: separator)).utf8)
            }
            #expect(try Submission.read(body(5_000), as: format).count == 5_000)
            #expect(throws: BodyError.tooManyEvents(limit: 5_000)) { try Submission.read(body(5_001), as: format) }
        }
    }

    @Test func `a line that is not JSON rejects only itself`() throws {
        let lines = [
            event, "{\"event_id\":\"abc\",", "[1,2]", "\"text\"", "17", "word", "{} {}", event, "\"open", "{\"a\":01}",
            event,
        ]
        let result = try Sample.validated(lines.joined(separator: "\n").utf8, as: .ndjson)
        #expect(result.positions == [0, 7, 10])
        #expect(result.rejections.map(\.index) == [1, 2, 3, 4, 5, 6, 8, 9])
        #expect(result.rejections.allSatisfy { $0.code == .invalidJSONType })
        #expect(result.rejections.first?.eventID == "abc")
    }

    @Test func `a body of blank lines is refused`() {
        #expect(throws: BodyError.self) { try Submission.read(Array("\n \r\n".utf8), as: .ndjson) }
    }

    @Test func `the request's member names are recognized in every spelling`() throws {
        let body = "{\"\\u0073ent_at\":\"2026-11-21T09:00:00\\u005a\",\"even\\u0074s\":[\(event)]}"
        let submission = try Submission.read(Array(body.utf8), as: .json)
        #expect(submission.count == 1)
        #expect(submission.sentAt == Timestamp("2026-11-21T09:00:00Z"))
    }
}
