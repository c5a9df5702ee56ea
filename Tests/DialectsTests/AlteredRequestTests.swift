import Dialects
import Events
import JSON
import SeededRandom
import Testing

/// Requests of clients of analytics, altered at random: none may crash a dialect or get a response that makes a client lose
/// or repeat events.
struct AlteredRequestTests {
    static let bodies = [
        #"{"batch":[{"properties":{"$notification_action":"A","$notification_id":"n","$notification_afterpush":"a.e30.c","token":"ap_ingest_x"},"timestamp":"2026-11-23T06:32:58.855351+00:00","distinct_id":"u1","event":"$push_notification_opened","uuid":"421beff5-571e-4482-8ef0-a94673699243","offset":12,"options":{"disable_skew_correction":false}}],"historical_migration":false,"sent_at":"2026-11-23T06:32:58Z","api_key":"ap_ingest_x"}"#,
        #"[{"event":"Push Clicked","offset":3500,"properties":{"token":"ap_ingest_x","distinct_id":"p1","notification_id":"n-1","afterpush":{"kind":"action","action_identifier":"b"}}}]"#,
        #"{"api_key":"ap_ingest_x","client_upload_time":"2026-11-23T06:34:04.000Z","events":[{"event_type":"revenue_amount","device_id":"D1","user_id":"u","insert_id":"i","time":1795415643969,"price":19.99,"quantity":3,"event_properties":{"notification_id":"n","$currency":"eur"}},{"event_type":"Push Opened","user_id":"u","event_properties":{"notification_id":"n"}}]}"#,
        "{\"event\":\"Push Opened\",\"properties\":{\"token\":\"ap_ingest_x\",\"distinct_id\":\"$device:u1\",\"time\":1795415642.9083977,\"$insert_id\":\"i\",\"notification_id\":\"n-1\"}}\n{\"event\":\"Push Opened\",\"properties\":{}}",
        "data=eyJldmVudCI6IlB1c2ggT3BlbmVkIiwicHJvcGVydGllcyI6eyJ0b2tlbiI6ImFwX2luZ2VzdF94IiwiZGlzdGluY3RfaWQiOiJ1Iiwibm90aWZpY2F0aW9uX2lkIjoibiJ9fQ%3D%3D&verbose=1&ip=0",
        "app_key=ap_ingest_x&device_id=D1&timestamp=1795415643969&tz=120&begin_session=1&token_session=1&ios_token=t&metrics=%7B%22_os%22%3A%22iOS%22%7D&events=%5B%7B%22key%22%3A%22%5BCLY%5D_push_action%22%2C%22segmentation%22%3A%7B%22i%22%3A%22n%22%2C%22b%22%3A1%7D%2C%22timestamp%22%3A1795415642908%7D%5D",
        "\r\n--b\r\nContent-Disposition: form-data; name=\"app_key\"\r\n\r\nap_ingest_x\r\n--b\r\nContent-Disposition: form-data; name=\"events\"\r\n\r\n[{\"key\":\"e\"}]\r\n--b--\r\n",
        #"{"api_key":"ap_ingest_x","distinct_id":"u1","device_token":"t","platform":"ios","app_id":"a"}"#,
        #"{"writeKey":"ap_ingest_x","batch":[{"type":"track","event":"Push Notification Tapped","messageId":"m","userId":"u","properties":{"notification_id":"n"}}]}"#,
    ]

    static let others = [
        #"{"specversion":"1.0","type":"push.notification.opened","source":"/devices/D1","id":"e-1","subject":"n-1","time":"2026-11-21T00:21:36.123456Z","data_base64":"eyJjYW1wYWlnbl9pZCI6ImMtMSJ9","campaignid":"c\"1"}"#,
        #"[{"specversion":"1.0","type":"com.afterpush.action","source":"/devices/D1","id":"e-1","data":{"notification_id":"n","action_identifier":"book","properties":{"a":[1]},"afterpush":{"kind":"action","action_identifier":"later"}}}]"#,
        #"{"resourceLogs":[{"resource":{"attributes":[{"key":"device.id","value":{"stringValue":"D1"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1795415641123456789","eventName":"push.notification.opened","body":{"kvlistValue":{"values":[{"key":"value","value":{"doubleValue":2.5}}]}},"attributes":[{"key":"push.notification.id","value":{"stringValue":"n-1"}},{"key":"event.name","value":{"stringValue":"x"}}]}]}]}]}"#,
        #"{"schema":"iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4","data":[{"e":"ue","ue_pr":"{\"data\":{\"schema\":\"iglu:com.apple/notification_event/jsonschema/1-0-1\",\"data\":{\"action\":\"book\",\"trigger\":\"PUSH\",\"notification\":{\"userInfo\":{\"notification_id\":\"n-1\"}}}}}","cx":"eyJkYXRhIjpbXX0=","uid":"u1","eid":"e","dtm":"1795592266087","aid":"ap_ingest_x","stm":"1795592266000"}]}"#,
    ]

    static let otherPaths = ["/v1/cloudevents", "/v1/logs", "/com.snowplowanalytics.snowplow/tp2"]

    private static let paths = [
        "/batch", "/capture", "/e", "/i/v0/e", "/i/v1/analytics/events", "/api/push_subscriptions", "/2/httpapi",
        "/track",
        "/import", "/engage", "/i", "/v1/batch",
    ]

    private static let pieces = [
        "null", "{}", "[]", "\"\"", "1e999", "-0", "\\u0000", "\\ud800", "\u{0}", "%", "%ff", "&", "=", "\"", "}", "]",
        "afterpush", "a.e30.c", "é", "--b", "\r\n\r\n", "true", "[[[[", ":", ",",
    ]

    @Test(arguments: 0..<40) func `an altered request is answered as its client expects`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<50 {
            var body = Array((random.one(in: Self.bodies) ?? "").utf8)
            for _ in 0..<random.number(0...4) { alter(&body, &random) }
            let path = random.one(in: Self.paths) ?? ""
            let request = DialectRequest(
                "POST", path, query: random.happens(percent: 20) ? [.init("verbose", "1"), .init("_", "1e20")] : [],
                headers: random.happens(percent: 50) ? ["content-type": "multipart/form-data; boundary=b"] : [:],
                body: body)
            try play(request)
        }
    }

    @Test(arguments: 0..<20) func `an altered request of events of any kind is answered, too`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<50 {
            var body = Array((random.one(in: Self.others) ?? "").utf8)
            for _ in 0..<random.number(0...4) { alter(&body, &random) }
            var headers = ["content-type": "application/json"]
            if random.happens(percent: 20) {
                headers.merge(["ce-specversion": "1.0", "ce-type": "afterpush.opened", "ce-id": "%"]) { $1 }
            }
            try play(DialectRequest("POST", random.one(in: Self.otherPaths) ?? "", headers: headers, body: body))
        }
    }

    @Test func `events of any kind become valid native ones`() throws {
        for (position, body) in Self.others.enumerated() {
            let path = Self.otherPaths[max(0, position - 1)]
            let request = DialectRequest("POST", path, body: Array(body.utf8))
            let (dialect, _) = try #require(DialectTable.find(request))
            let settings = DialectSettings(receivedAt: PlayedRequest.receivedAt)
            let native = dialect.read(try dialect.parse(request), request, settings)
            #expect(native.events.count == 1)
            let context = ValidationContext(appID: 1, scope: .send, receivedAt: PlayedRequest.receivedAt)
            let validated = try Submission.read(native.body(dialect.family, EventIDKey([1])), as: .json).validated(
                context)
            #expect(validated.events.count == 1, "\(validated.rejections)")
        }
    }

    private func alter(_ body: inout [UInt8], _ random: inout SeededGenerator) {
        let (one, other) = (random.number(0...body.count), random.number(0...body.count))
        let range = min(one, other)..<min(max(one, other), min(one, other) + 20)
        switch random.number(0...4) {
        case 0: body.removeSubrange(range)
        case 1: body.insert(contentsOf: Array((random.one(in: Self.pieces) ?? "").utf8), at: one)
        case 2: body.replaceSubrange(range, with: Array((random.one(in: Self.pieces) ?? "").utf8))
        case 3: body.insert(contentsOf: body[range], at: other)
        default: body.replaceSubrange(range, with: range.map { _ in UInt8(random.number(0...255)) })
        }
    }

    private func play(_ request: DialectRequest) throws {
        let (dialect, _) = try #require(DialectTable.find(request) ?? DialectTable.first(request))
        let settings = DialectSettings(receivedAt: PlayedRequest.receivedAt)
        for status in [400, 401, 413, 429, 503] {
            let refusal = DialectRefusal(status: status, title: "Refused", code: "code", detail: "detail")
            let answer = dialect.answer(refusal, to: request)
            #expect([200, 400, 401, 413, 429, 503].contains(answer.status))
            if status == 429 || status == 503 { #expect(answer.status == status) }
            _ = try answer.object
        }
        guard let body = try? dialect.parse(request) else { return }
        _ = try? DialectKeys.inBody(body)
        let submission = dialect.read(body, request, settings)
        let mapped = submission.events.map(\.index) + submission.ignored.map(\.index)
        #expect(Set(mapped) == Set(body.events.indices))
        let native = try #require(JSONElement(submission.body(dialect.family, EventIDKey([1]))).object)
        #expect(try native["events"]?.events?.count == submission.events.count)
        let rejected = submission.events.first.map {
            [DialectOutcome.Rejection(index: $0.index, code: "code", detail: "detail")]
        }
        let answer = dialect.answer(
            DialectOutcome(
                received: body.events.count, accepted: submission.events.count, rejected: rejected ?? [],
                receivedAt: settings.receivedAt), to: request)
        #expect(answer.status == 200)
        if answer.contentType == "application/json" { _ = try answer.object }
    }
}
