import EventSamples
import Events
import Foundation
import Testing

@Suite struct SubmittedEventTests {
    private func kept(_ body: String, as format: BodyFormat = .json) throws -> String {
        try #require(try Sample.validated(body.utf8, as: format).rejections.first?.submittedEvent)
    }

    @Test(arguments: [
        (#"{"user_text":"secret"}"#, #"{"user_text":6}"#),
        (#"{ "user_text" : "größe" , "kind" : 7 }"#, #"{ "user_text" : 7 , "kind" : 7 }"#),
        (#"{"user_text":"a\"secret\u00e9\n"}"#, #"{"user_text":11}"#),
        (#"{"user\u005ftext":"secret"}"#, #"{"user\u005ftext":6}"#),
        (
            #"{"\u0075\u0073\u0065\u0072\u005f\u0074\u0065\u0078\u0074":"secret"}"#,
            #"{"\u0075\u0073\u0065\u0072\u005f\u0074\u0065\u0078\u0074":6}"#
        ),
        (#"{"user_text":"secret","user_text":"secret two"}"#, #"{"user_text":6,"user_text":10}"#),
        (#"{"user_text":["secret",{"a":"secret]"}],"b":1}"#, #"{"user_text":26,"b":1}"#),
        (#"{"user_text":null,"a":1}"#, #"{"user_text":null,"a":1}"#),
        (#"{"user_text":secret}"#, #"{"user_text":6}"#),
        (#"{"user_text":"secret\ud800"}"#, #"{"user_text":9}"#),
        (#"{"properties":{"user_text":"secret"}}"#, #"{"properties":{"user_text":6}}"#),
        (#"[[{"user_text":"secret"}]]"#, #"[{"user_text":6}]"#),
        (#"{"a":"user_text","b":"user_text:"}"#, #"{"a":"user_text","b":"user_text:"}"#),
    ])
    func `only the length of typed text is kept`(body: String, text: String) throws {
        #expect(try kept(body) == text)
    }

    @Test(arguments: [
        (#"{"kind":"read","user_text":"secret"#, #"{"kind":"read","user_text":"#),
        (#"{"kind":"read","user_text":"a" "secret"}"#, #"{"kind":"read","user_text":1 "#),
        (#"{"a":"b"","user_text":"secret"}"#, #"{"a":"b""#),
        (#"{"user_text":"a"} {"user_text":"secret"}"#, #"{"user_text":1} "#),
        ("secret", ""), ("secret\"}", ""), ("secret of mine\"}", ""),
    ])
    func `only the reliably readable part of a line that is not JSON is kept`(line: String, text: String) throws {
        #expect(try kept(line, as: .ndjson) == text)
    }

    @Test(arguments: [
        (#""{\"user_text\":\"secret\",\"kind\":\"x\"}""#, #""{\"user_text\":6,\"kind\":\"x\"}""#),
        (#"{"a":"{\"b\":[{\"user_text\":\"secret\"}]}"}"#, #"{"a":"{\"b\":[{\"user_text\":6}]}"}"#),
        (#"{"a":"{\"user\\u005ftext\":\"secret\"}"}"#, #"{"a":"{\"user\\u005ftext\":6}"}"#),
        (#"{"a":"\u007b\u0022user_text\u0022:\u0022secret\u0022}"}"#, #"{"a":"{\"user_text\":6}"}"#),
        (#"{"a":"\"{\\\"user_text\\\":\\\"secret\\\"}\""}"#, #"{"a":"\"{\\\"user_text\\\":6}\""}"#),
        (#"{"{\"user_text\":\"secret\"}":1}"#, #"{"{\"user_text\":6}":1}"#),
        // Almost JSON.
        (#"{"a":"x\" , \"user_text\":\"secret\""}"#, #"{"a":25}"#),
        (#"{"a":"{\"user_text\":\"secret"}"#, #"{"a":20}"#),
        (#"{"a":"{\"user_text\":\"secret\"}{\"user_text\":\"secret\"}"}"#, #"{"a":44}"#),
        // No typed text.
        (#"{"a":"user\u005ftext"}"#, #"{"a":"user\u005ftext"}"#),
        (#"{"a":"{\"b\":\"user_text\"}","c":"\n"}"#, #"{"a":"{\"b\":\"user_text\"}","c":"\n"}"#),
    ])
    func `typed text in JSON within a string is replaced, too`(event: String, text: String) throws {
        #expect(try kept("[\(event)]") == text)
    }

    @Test func `typed text is found in strings within strings, and nested too deeply replaces the whole`() throws {
        var event = #"{"user_text":"secret"}"#
        for depth in 1...10 {
            event = try #require(String(data: JSONEncoder().encode(event), encoding: .utf8))
            let text = try kept("[\(event)]")
            #expect(!text.contains("secret"), "\(depth)")
            #expect(text.contains("user_text") == (depth < 9), "\(depth): \(text)")
        }
    }

    @Test func `no detail and no kept event contains typed text, wherever the event is broken`() throws {
        let event = Array(#"{"event_id":"x","user_text":"secret","kind":"text_input"}"#.utf8)
        for length in 1...event.count {
            for rest in ["", "\"", "}", "\\", "\u{1}"] {
                let line = Array(event.prefix(length)) + Array(rest.utf8)
                let result = try Sample.validated(line, as: .ndjson)
                for rejection in result.rejections {
                    #expect(!rejection.detail.contains("secr"))
                    #expect(rejection.submittedEvent?.contains("secr") == false)
                }
            }
        }
    }

    @Test func `invalid UTF-8 and NUL are shown as replacement characters`() throws {
        let body = Array("[{\"a\":\"x".utf8) + [0xFF, 0x00, 0xC3] + Array("y\"}]".utf8)
        let rejection = try #require(try Sample.validated(body).rejections.first)
        #expect(rejection.submittedEvent == "{\"a\":\"x\u{FFFD}\u{FFFD}\u{FFFD}y\"}")
    }

    @Test func `a long event is cut between characters`() throws {
        let body = "{\"a\":\"" + String(repeating: "€", count: 20_000) + "\"}"
        let text = try kept(body)
        #expect(text.utf8.count <= 32_768 && text.utf8.count > 32_764)
        #expect(body.hasPrefix(text))
    }

    @Test func `the id is returned as sent, cut to 256 bytes`() throws {
        #expect(try Sample.rejected(["event_id": "\"a\\u00e9\""]).eventID == "aé")
        #expect(try Sample.rejected(["event_id": Sample.letters(300)]).eventID?.utf8.count == 256)
        #expect(try Sample.rejected(["event_id": "7"]).eventID == nil)
        #expect(try Sample.rejected(["event_id": "\"a\\u0000b\""]).eventID?.utf8.contains(0) == false)
        #expect(try Sample.rejected(["kind": "7"]).eventID == "6f9619ff-8b86-4d01-b42d-00c04fc964ff")
    }

    @Test func `a later rejection keeps the event in the same form`() throws {
        let submission = try Submission.read(Array(Sample.event(["user_text": "\"secret\""]).utf8), as: .json)
        let rejection = submission.rejection(of: 0, .storageRefused, "storage refused it")
        #expect(rejection.code == .storageRefused && rejection.index == 0)
        #expect(rejection.submittedEvent?.contains("\"user_text\":6") == true)
    }
}
