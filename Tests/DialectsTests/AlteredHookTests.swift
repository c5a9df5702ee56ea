import AfterpushWire
import Dialects
import Events
import JSON
import SeededRandom
import Testing

/// Webhooks, altered at random: none may crash a dialect, get an error, or become an event that is invalid by its own making.
struct AlteredHookTests {
    static let requests = [
        (
            "/v1/hooks/onesignal",
            #"{"event.kind":"message.push.failed","event.id":"7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0b01","event.timestamp":"1779999000","event.datetime":"2026-05-28T20:10:00.228Z","event.subscription_device_type":"iOS","event.subscription_id":"s","event.data":{"failure_reason":"Unregistered"},"message":{"id":"m","template_id":"t"}}"#
        ),
        (
            "/v1/hooks/onesignal-web",
            #"{"event":"notification.clicked","notificationId":"n","heading":"h","actionId":"like","subscriptionId":"s","additionalData":{"afterpush":"a.e30.c"}}"#
        ),
        (
            "/v1/hooks/braze",
            #"{"events":[{"event_type":"users.messages.pushnotification.Open","id":"e","time":1779999000,"user":{"user_id":"b","external_user_id":"u","device_id":"d"},"properties":{"campaign_id":"c","dispatch_id":"di","platform":"ios","button_string":"accept","button_action_type":"uri"}},{"event_type":"users.messages.pushnotification.Bounce","id":"e2","device_id":{"string":"d"},"send_id":"s"}]}"#
        ),
        (
            "/v1/hooks/customerio",
            #"{"data":{"broadcast_id":9,"customer_id":"a@b.example","delivery_id":"R","href":"h","recipients":[{"device_id":"t1","device_platform":"android"},{"device_id":"t2","failure_message":"Unregistered"}]},"event_id":"E","object_type":"push","metric":"bounced","timestamp":1779999000}"#
        ),
        (
            "/v1/hooks/iterable",
            #"{"email":"a@b.example","eventName":"pushOpen","dataFields":{"createdAt":"2016-12-08 00:53:11 +00:00","messageId":"m","campaignId":1,"payload":{"msgid":"n"},"deviceInfo":{"deviceId":"d","platform":"GCM"},"actionIdentifier":"b","userText":"x"}}"#
        ),
        (
            "/v1/hooks/native",
            #"{"event_id":"x","kind":"tap","action_identifier":"b","notification_id":1,"device_id":2,"occurred_at":"1779999000","value":"3.5","currency":"eur","category_version":"2","utc_offset_minutes":60,"trigger":"push","properties":{"a":1}}"#
        ),
        (
            "/api/v1/customers/u/events",
            #"{"name":"Order Completed","data":{"delivery_id":"R","total":3.5,"currency":"eur"},"id":"E","timestamp":1779999000}"#
        ),
    ]

    private static let paths =
        UnknownHook.names.map { "/v1/hooks/\($0)" } + [
            "/push/events", "/api/v1/metrics", "/api/v1/customers/u/events", "/api/v1/events",
        ]

    private static let pieces = [
        "null", "{}", "[]", "\"\"", "1e999", "-0", "\\u0000", "\\ud800", "\u{0}", "\"", "}", "]", "é", "true", "[[[[",
        ":",
        ",", "7", "{\"string\":\"x\"}", "\"opened\"", "\"action\"", "\"text_input\"", "\"dismissed\"", "\"converted\"",
        "\"held_out\"", "\"com.apple.UNNotificationDismissActionIdentifier\"", "@",
    ]

    @Test(arguments: 0..<40) func `an altered webhook is answered 200 and gives events that are valid`(
        _ seed: Int
    ) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            let (own, text) = Self.requests[random.number(0...Self.requests.count - 1)]
            let path = random.happens(percent: 80) ? own : random.one(in: Self.paths) ?? own
            var body = Array(text.utf8)
            for _ in 0..<random.number(0...3) { alter(&body, &random) }
            try play(DialectRequest("POST", path, body: body))
        }
    }

    private func alter(_ body: inout [UInt8], _ random: inout SeededGenerator) {
        let (one, other) = (random.number(0...body.count), random.number(0...body.count))
        let range = min(one, other)..<min(max(one, other), min(one, other) + 20)
        switch random.number(0...6) {
        case 0: body.removeSubrange(range)
        case 1: body.insert(contentsOf: Array((random.one(in: Self.pieces) ?? "").utf8), at: one)
        case 2: body.replaceSubrange(range, with: Array((random.one(in: Self.pieces) ?? "").utf8))
        default:
            // A value in the place of another is the alteration that most often leaves JSON behind.
            guard let colon = body.indices.filter({ body[$0] == UInt8(ascii: ":") }).randomElement(using: &random)
            else { return }
            let end =
                body[colon...].firstIndex { [UInt8(ascii: ","), UInt8(ascii: "}")].contains($0) } ?? body.endIndex
            body.replaceSubrange((colon + 1)..<end, with: Array((random.one(in: Self.pieces) ?? "").utf8))
        }
    }

    /// What a sender can cause by a text that no event may have, or that is too long or out of range.
    private static let causedBySender: Set<RejectionCode> = [
        .textInvalid, .fieldTooLong, .fieldInvalid, .occurredAtOutOfRange, .receiptInvalid, .limitExceeded,
    ]

    private func play(_ request: DialectRequest) throws {
        let (dialect, _) = try #require(DialectTable.find(request))
        let settings = DialectSettings(receivedAt: Posted.arrival)
        guard let body = try? dialect.parse(request) else {
            #expect((try? JSONElement(request.body)) == nil, "only a body that is no JSON is refused")
            return
        }
        let submission = dialect.read(body, request, settings)
        #expect(Set(submission.events.map(\.index) + submission.ignored.map(\.index)) == Set(body.events.indices))
        let native = submission.body(dialect.family, EventIDKey([1]))
        #expect(!String(decoding: native, as: UTF8.self).contains("a@b.example"))
        let read = try Submission.read(native, as: .json)
        #expect(read.count == submission.events.count)
        let rejections = read.validated(
            ValidationContext(appID: 1, scope: .send, receivedAt: Posted.arrival)
        ).rejections
        for rejection in rejections where !Self.causedBySender.contains(rejection.code) {
            Issue.record(
                "\(rejection.code.rawValue): \(rejection.detail) in \(String(decoding: native, as: UTF8.self)) of \(request.path) \(String(decoding: request.body, as: UTF8.self))"
            )
        }
        let answer = dialect.answer(
            DialectOutcome(received: body.events.count, receivedAt: Posted.arrival), to: request)
        #expect(answer.status == 200)
    }
}
