import AfterpushWire
import Foundation
import Testing

@Suite struct WireShapeTests {
    @Test func `a request is encoded with the contract's names and without absent fields`() throws {
        let id = try #require(UUID(uuidString: "6F9619FF-8B86-4D01-B42D-00C04FC964FF"))
        let time = try #require(Timestamp("2026-11-21T10:00:00.25Z"))
        var event = IngestEvent(
            eventID: id, kind: .converted, notificationID: "n", deviceID: "d", occurredAt: time)
        event.value = Decimal(string: "19.99")
        event.utcOffsetMinutes = -60
        event.properties = ["deep": .array([.null, .bool(true), .number(2), .object(["a": .string("b")])])]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(IngestRequest(sentAt: time, events: [event])), as: UTF8.self)
        #expect(
            text == """
                {"events":[{"device_id":"d","event_id":"6F9619FF-8B86-4D01-B42D-00C04FC964FF","kind":"converted",\
                "notification_id":"n","occurred_at":"2026-11-21T10:00:00.250Z",\
                "properties":{"deep":[null,true,2,{"a":"b"}]},"utc_offset_minutes":-60,"value":19.99}],\
                "sent_at":"2026-11-21T10:00:00.250Z"}
                """)
        #expect(try JSONDecoder().decode(IngestRequest.self, from: Data(text.utf8)).events == [event])
    }

    @Test func `a rejected event without a readable id has a null id in the response`() throws {
        let rejected = RejectedEvent(index: 3, eventID: nil, code: "field_missing", detail: "event_id is missing")
        let answer = IngestResponse(accepted: 1, duplicates: 2, rejected: [rejected], durability: .spooled)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(answer), as: UTF8.self)
        #expect(
            text == """
                {"accepted":1,"duplicates":2,"durability":"spooled","rejected":[{"code":"field_missing",\
                "detail":"event_id is missing","event_id":null,"index":3}]}
                """)
        #expect(try JSONDecoder().decode(IngestResponse.self, from: Data(text.utf8)) == answer)
    }

    @Test func `decoding a time that is not RFC 3339 fails`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Timestamp].self, from: Data(#"["yesterday"]"#.utf8))
        }
    }
}

@Suite struct EventKindTests {
    @Test func `the kinds and the order of their bits are those of the contract`() {
        let words = [
            "sent", "failed", "delivered", "displayed", "read", "opened", "action", "text_input", "dismissed",
            "converted", "replaced", "media_played", "media_paused", "attachment_failed", "extension_expired",
            "held_out", "token_registered", "token_failed", "permission_granted", "permission_revoked", "app_opened",
        ]
        #expect(EventKind.allCases.map(\.rawValue) == words)
        #expect(EventKind.allCases.map(\.bit) == Array(0..<21))
    }

    @Test func `the last five kinds are about the device only`() {
        #expect(EventKind.allCases.filter(\.isAboutDevice) == Array(EventKind.allCases.suffix(5)))
    }
}
