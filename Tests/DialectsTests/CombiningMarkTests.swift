import Dialects
import EventSamples
import Events
import JSON
import Testing

/// Tests that each text of a request is read in a time in proportion to its length.
///
/// Comparing or hashing a long run of combining marks as a `String` takes the square of its length.
@Suite struct CombiningMarkTests {
    struct Sent: Sendable, CustomTestStringConvertible {
        let path: String
        let body: String
        var headers: [String: String] = [:]

        var testDescription: String { "\(path) \(body.prefix(40))" }
    }

    private static let paths = [
        "/i/v1/analytics/events", "/track", "/2/httpapi", "/import", "/track", "/i", "/i", "/api/push_subscriptions",
        "/v1/batch",
    ]

    private static let requests: [Sent] =
        zip(paths, AlteredRequestTests.bodies).map { path, body in
            let isInParts = body.hasPrefix("\r\n--b")
            return Sent(
                path: path, body: body,
                headers: isInParts ? ["content-type": "multipart/form-data; boundary=b"] : [:])
        }
        + AlteredRequestTests.others.enumerated().map { position, body in
            Sent(
                path: AlteredRequestTests.otherPaths[max(0, position - 1)], body: body,
                headers: ["content-type": "application/json"])
        } + AlteredHookTests.requests.map { Sent(path: $0.0, body: $0.1) }

    /// A text of marks that are out of order, and one of as many bytes that are letters.
    private static let marks =
        "a" + String(repeating: "\u{345}", count: 3_000) + String(repeating: "\u{334}", count: 3_000)
    private static let letters = "a" + String(repeating: "é", count: 6_000)

    /// The bodies that have the text in the place of one of their words, or behind it.
    private static func bodies(_ body: String, with text: String) -> [[UInt8]] {
        body.matches(of: /[A-Za-z0-9_.$-]+/).flatMap { word in
            ["", body[word.range]].map { start in
                Array("\(body[..<word.range.lowerBound])\(start)\(text)\(body[word.range.upperBound...])".utf8)
            }
        }
    }

    @Test(arguments: requests)
    func `a run of combining marks in any place of a request costs little more than as many letters`(
        sent: Sent
    ) throws {
        func cost(_ text: String) -> () throws -> Void {
            let bodies = Self.bodies(sent.body, with: text)
            return {
                for body in bodies {
                    try Self.read(DialectRequest("POST", sent.path, headers: sent.headers, body: body))
                }
            }
        }
        let ratio = try ProcessorTime.ratio(cost(Self.marks), to: cost(Self.letters))
        print("marks take \(ratio) times as long: \(sent.testDescription)")
        #expect(ratio < 8)
    }

    private static func read(_ request: DialectRequest) throws {
        let (dialect, _) = try #require(DialectTable.find(request) ?? DialectTable.first(request))
        guard let body = try? dialect.parse(request) else { return }
        _ = try? DialectKeys.inBody(body)
        let settings = DialectSettings(receivedAt: PlayedRequest.receivedAt)
        let submission = dialect.read(body, request, settings)
        _ = submission.body(dialect.family, EventIDKey([1]))
        _ = dialect.answer(
            DialectOutcome(received: body.events.count, receivedAt: settings.receivedAt), to: request)
    }

    private static let records = [
        #"{"event_timestamp":"2026-06-01 10:00:00.250 UTC","project_number":"77","message_id":"m-1","instance_id":"i-1","message_type":"DISPLAY_NOTIFICATION","sdk_platform":"ANDROID","event":"MESSAGE_DELIVERED","analytics_label":"spring"}"#,
        #"{"id":"0F1E2D3C-0000-4000-8000-000000000001","type":"CUSTOM","offset":"1","occurred":"2026-06-01T10:00:00.5Z","device":{"ios_channel":"c-1","named_user_id":"u-1"},"body":{"name":"push_opened","triggering_push":{"push_id":"p"}}}"#,
        #"{"event_type":"_campaign.send","event_timestamp":1780308000250,"arrival_timestamp":1780308000300,"event_version":"3.1","application":{"app_id":"a"},"client":{"client_id":"e-1"},"device":{"platform":{"name":"ios"}},"attributes":{"campaign_id":"c","campaign_send_status":"SUCCESS"},"client_context":{"custom":{"endpoint":"{\"ChannelType\":\"APNS\"}"}},"awsAccountId":"1"}"#,
        #"{"event_date":"20260601","event_timestamp":"1780308000250123","event_name":"notification_open","event_params":[{"key":"message_id","value":{"string_value":"m"}}],"user_pseudo_id":"d-1","platform":"ANDROID","app_info":{"version":"2.1"},"device":{"operating_system_version":"15"}}"#,
        #"{"type":"track","event":"Push Notification Tapped","messageId":"m","userId":"u","properties":{"notification_id":"n"}}"#,
        #"{"uuid":"421beff5-571e-4482-8ef0-a94673699243","event":"$push_notification_opened","distinct_id":"u-1","properties":{"$notification_id":"n"},"timestamp":"2026-06-01T10:00:00.123000+00:00"}"#,
        #"{"id":"e","user_id":"b","external_user_id":"u","time":1779999000,"device_id":"d","platform":"ios","campaign_id":"c"}"#,
    ]

    @Test(arguments: records)
    func `a run of combining marks in a record of a file costs little more than as many letters`(
        record: String
    ) throws {
        let object = try #require(JSONElement(Array(record.utf8)).object)
        let dialect = try #require(RecordDialects.find([object]))
        func cost(_ text: String) -> () throws -> Void {
            let records = Self.bodies(record, with: text)
            return {
                for record in records {
                    guard let element = try? JSONElement(record), let object = element.object else { continue }
                    _ = dialect.claims(object)
                    _ = dialect.read(
                        element, path: "event_type=x/events", DialectSettings(receivedAt: PlayedRequest.receivedAt))
                }
            }
        }
        let ratio = try ProcessorTime.ratio(cost(Self.marks), to: cost(Self.letters))
        print("marks take \(ratio) times as long in a record of \(dialect.family)")
        #expect(ratio < 8)
    }
}
