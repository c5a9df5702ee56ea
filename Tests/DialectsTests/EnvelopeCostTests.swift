import Dialects
import EventSamples
import Testing

/// Tests that what the events of a request have in common isn't read again for each of them.
@Suite struct EnvelopeCostTests {
    struct Sent: Sendable, CustomTestStringConvertible {
        let path: String
        /// The body, with `MORE` where members can be added, and `EVENT` for its events.
        let body: String
        let event: String

        var testDescription: String { path }

        /// Returns what reads the request.
        func cost(_ members: String) throws -> () throws -> Void {
            let events = Array(repeating: event, count: 300).joined(separator: ",")
            let body = body.replacing("MORE", with: members).replacing("EVENT", with: events)
            let request = DialectRequest(
                "POST", path, headers: ["content-type": "application/json"], body: Array(body.utf8))
            let (dialect, _) = try #require(DialectTable.find(request))
            let settings = DialectSettings(receivedAt: PlayedRequest.receivedAt)
            let submission = try dialect.read(dialect.parse(request), request, settings)
            #expect(submission.events.count == 300)
            return { _ = try dialect.read(dialect.parse(request), request, settings) }
        }
    }

    private static let requests = [
        Sent(
            path: "/i",
            body: #"{"app_key":"ap_ingest_x","device_id":"d","metrics":{"_os":"iOS"MORE},"events":[EVENT]MORE}"#,
            event: #"{"key":"[CLY]_token_session"}"#),
        Sent(
            path: "/v1/batch",
            body: #"{"context":{"device":{"id":"d"MORE}MORE},"batch":[EVENT]MORE}"#,
            event:
                #"{"type":"track","event":"Push Notification Tapped","userId":"u","properties":{"notification_id":"n"}}"#
        ),
        Sent(
            path: "/2/httpapi", body: #"{"api_key":"ap_ingest_x","events":[EVENT]MORE}"#,
            event: #"{"event_type":"Push Opened","device_id":"d","event_properties":{"notification_id":"n"}}"#),
        Sent(
            path: "/i/v1/analytics/events", body: #"{"api_key":"ap_ingest_x","batch":[EVENT]MORE}"#,
            event: #"{"event":"Push Opened","distinct_id":"d","properties":{"notification_id":"n"}}"#),
        Sent(
            path: "/v1/hooks/native", body: #"{"events":[EVENT]MORE}"#,
            event: #"{"kind":"opened","device_id":"d","notification_id":"n"}"#),
        Sent(
            path: "/v1/logs",
            body: #"{"resourceLogs":[{"resource":{"attributes":[]MORE},"scopeLogs":[{"logRecords":[EVENT]MORE}]}]}"#,
            event:
                #"{"eventName":"afterpush.opened","attributes":[{"key":"afterpush.device_id","value":{"stringValue":"d"}},{"key":"afterpush.notification_id","value":{"stringValue":"n"}}]}"#
        ),
    ]

    private static let kinds = ["long name", "escaped name", "long value", "many members"]

    private static func members(_ kind: String) -> String {
        // Such letters are looked at one by one, to find combining marks.
        let letters = String(repeating: "\u{1E01}", count: 30_000)
        return switch kind {
        case "long name": ",\"\(letters)\":1"
        case "escaped name": ",\"\(String(repeating: #"\u0061"#, count: 15_000))\":1"
        case "long value": ",\"a\":\"\(letters)\""
        default: (0..<900).map { ",\"m\($0)\":1" }.joined()
        }
    }

    @Test(arguments: requests, kinds)
    func `a long member, or many, cost the events of a request little`(sent: Sent, kind: String) throws {
        let ratio = try ProcessorTime.ratio(sent.cost(Self.members(kind)), to: sent.cost(#","m":1"#))
        print("\(sent.path) with \(kind) takes \(ratio) times as long")
        #expect(ratio < 6)
    }

    @Test func `a parameter with a long name counts as absent, and the others are read`() throws {
        let long = String(repeating: "x", count: 256)
        func post(_ members: String) throws -> PlayedRequest {
            try PlayedRequest("/i", #"{"app_key":"ap_ingest_x","device_id":"d","token_session":"1"\#(members)}"#)
        }
        #expect(try post(#","\#(long)_token":"t""#).event.kind == "token_failed")
        #expect(try post(#","\#(long)":"1","new_token":"t","av":"2.1""#).event.kind == "token_registered")
        let many = (0..<150).map { ",\"m\($0)\":\"1\"" }.joined()
        #expect(try post(many + #","tz":"60""#).fields["utc_offset_minutes"] == "60")
    }
}
