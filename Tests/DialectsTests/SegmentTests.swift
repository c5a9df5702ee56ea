import AfterpushWire
import Dialects
import Events
import JSON
import Testing

struct SegmentTests {
    private let receivedAt = Timestamp(microseconds: 1_780_000_000_000_000)

    private func read(_ body: String, at path: String = "/v1/batch") throws -> DialectSubmission {
        let request = DialectRequest("POST", path, body: Array(body.utf8))
        let (dialect, _) = try #require(DialectTable.find(request))
        return dialect.read(try dialect.parse(request), request, DialectSettings(receivedAt: receivedAt))
    }

    @Test func `a tap of a batch becomes an opening of its notification on its device`() throws {
        let submission = try read(
            #"""
            {"batch": [{"type": "track", "event": "Push Notification Tapped", "messageId": "6731D4AC-26e1-4992-8d38-2be439fcfead",
              "userId": "u1", "anonymousId": null, "timestamp": "2026-11-23T06:31:42.868+00:00",
              "properties": {"notification_id": "n-1", "campaign": {"name": "Referral", "content": "secret text"}},
              "context": {"device": {"id": "D1", "type": "ios"}, "app": {"version": "2.1"}}}],
             "sentAt": "2026-11-23T06:31:43.165175+00:00", "writeKey": "ap_ingest_x"}
            """#)
        let event = try #require(submission.events.first)
        #expect(submission.events.count == 1 && submission.ignored.isEmpty)
        #expect(event.text(.kind) == "opened")
        #expect(event.text(.notificationID) == "n-1")
        #expect(event.text(.deviceID) == "D1")
        #expect(event.text(.campaignID) == "Referral")
        #expect(event.text(.platform) == "ios")
        #expect(event.text(.appVersion) == "2.1")
        #expect(event.text(.occurredAt) == "2026-11-23T06:31:42.868+00:00")
        #expect(event.sourceID == "6731d4ac-26e1-4992-8d38-2be439fcfead")
        #expect(submission.sentAt == "2026-11-23T06:31:43.165175+00:00")
        #expect(!event.json(.segment, EventIDKey([1])).contains("secret text"))
    }

    @Test func `what a batch says of its events counts where they say nothing, unless it is too long`() throws {
        func events(_ padding: Int) throws -> [NativeEvent] {
            let text = String(repeating: "x", count: padding)
            return try read(
                #"""
                {"context": {"padding": "\#(text)", "os": {"version": "16"}, "app": {"version": "2.1"}},
                 "batch": [
                    {"type": "track", "event": "Push Notification Tapped", "messageId": "1", "userId": "u1",
                     "properties": {"notification_id": "n-1"}, "context": {"app": {"version": "2.2"}}},
                    {"type": "track", "event": "Push Notification Tapped", "messageId": "2", "userId": "u1",
                     "properties": {"notification_id": "n-1"}}],
                 "sentAt": "2026-11-23T06:31:43Z", "writeKey": "ap_ingest_x"}
                """#
            ).events
        }
        #expect(try events(16_000).map { $0.text(.osVersion) } == ["16", "16"])
        #expect(try events(16_000).map { $0.text(.appVersion) } == ["2.2", "2.1"])
        #expect(try events(16_000).map { $0.text(.occurredAt) } == Array(repeating: "2026-11-23T06:31:43Z", count: 2))
        #expect(try events(17_000).map { $0.text(.appVersion) } == ["2.2", nil])
    }

    @Test(arguments: [
        (401, 400), (403, 400), (404, 400), (413, 400), (415, 400), (422, 400), (400, 400), (408, 408), (429, 429),
        (500, 500), (503, 503),
    ]) func `a refusal of the SDK in Swift has the only status that makes it drop a batch`(
        _ status: Int, _ expected: Int
    ) throws {
        let swift = DialectRequest("POST", "/v1/b", headers: ["user-agent": "analytics-ios/1.9.1"])
        let answer = try PlayedRequest.refusal(status, to: swift)
        #expect(answer.status == expected)
        #expect(try answer.object["status"]?.number == Double(expected))
        for agent in ["analytics-kotlin/1.22.0", "analytics-python/2.4.0", ""] {
            let other = DialectRequest("POST", "/v1/b", headers: ["user-agent": agent])
            #expect(try PlayedRequest.refusal(status, to: other).status == status)
        }
    }
}
