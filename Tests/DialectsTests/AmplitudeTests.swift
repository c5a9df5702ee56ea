import AfterpushWire
import Dialects
import Events
import JSON
import Testing

struct AmplitudeTests {
    /// What amplitude-analytics 1.3.0 posts, with a key of Afterpush.
    private static let recorded = #"""
        {"api_key": "ap_ingest_x", "events": [{"app_version": "1.2", "device_id": "D1", "event_properties": {"action": "ACCEPT", "notification_id": "n-1", "campaign_id": "c-1", "body": "secret body"}, "event_type": "Push Notification Tapped", "insert_id": "ins-1", "library": "amplitude-python/1.3.0", "platform": "iOS", "time": 1795415643969, "user_id": "u1", "user_properties": {"email": "a@example.com"}, "ip": "192.0.2.1"}], "options": {"min_id_length": 1}}
        """#

    private func batch(_ events: String, _ members: String = "") -> String {
        #"{"api_key":"ap_ingest_x"\#(members),"events":[\#(events)]}"#
    }

    @Test(arguments: ["/2/httpapi", "/batch"]) func `the request of the client in Python becomes an action`(
        _ path: String
    ) throws {
        let played = try PlayedRequest(
            path, Self.recorded, headers: ["content-type": "application/json; charset=UTF-8"])
        #expect(played.family == .amplitude)
        #expect(try played.key == "ap_ingest_x")
        #expect(
            try played.fields == [
                "kind": "action", "action_identifier": "ACCEPT", "notification_id": "n-1", "device_id": "D1",
                "campaign_id": "c-1", "platform": "ios", "app_version": "1.2",
                "occurred_at": Timestamp(microseconds: 1_795_415_643_969_000).description,
            ])
        #expect(try played.event.sourceID == "ins-1")
        #expect(played.submission.sentAt == nil)
    }

    @Test func `the beacon of the browser is read whatever its media type`() throws {
        let event = #"""
            {"event_type":"Push Clicked","device_id":"D2","user_id":"u1","insert_id":"i","time":1795415643969,
             "platform":"Web","os_name":"Chrome","os_version":"140","language":"de-DE","event_properties":{"notification_id":"n"}}
            """#
        let played = try PlayedRequest(
            "/2/httpapi",
            batch(event, #","client_upload_time":"2026-11-23T06:34:04.000Z","request_metadata":{"sdk":{}}"#),
            headers: ["content-type": "text/plain"])
        let fields = try played.fields
        #expect(fields["kind"] == "opened" && fields["platform"] == "web" && fields["locale"] == "de-DE")
        #expect(played.submission.sentAt == "2026-11-23T06:34:04.000Z")
    }

    @Test func `the name of a language is no locale`() throws {
        let event =
            #"{"event_type":"Push Clicked","device_id":"D","language":"English","event_properties":{"notification_id":"n"}}"#
        #expect(try PlayedRequest("/2/httpapi", batch(event)).fields["locale"] == nil)
    }

    @Test(arguments: [
        (#""device_id":"D1","user_id":"u1""#, "D1"), (#""device_id":null,"user_id":"u1""#, "u1"),
        (#""device_id":"","user_id":17"#, "17"),
    ]) func `the device is the client's, else the person`(_ ids: String, _ device: String) throws {
        let event = #"{"event_type":"[Amplitude] Application Opened",\#(ids)}"#
        let played = try PlayedRequest("/2/httpapi", batch(event))
        #expect(try played.event.kind == "app_opened")
        #expect(try played.event.text(.deviceID) == device)
        #expect(try played.event.text(.occurredAt) == PlayedRequest.receivedAt.description)
    }

    @Test func `the same insert ID on two devices is two events`() throws {
        let one = try PlayedRequest("/2/httpapi", Self.recorded)
        let again = try PlayedRequest("/batch", Self.recorded)
        let other = try PlayedRequest("/2/httpapi", Self.recorded.replacing("\"D1\"", with: "\"D2\""))
        #expect(try one.id(one.event) == again.id(again.event))
        #expect(try one.id(one.event) != other.id(other.event))
    }

    @Test(arguments: [
        ("$identify", IgnoredEvent.Reason.otherType), ("$groupidentify", .otherType), ("session_start", .otherType),
        ("[Amplitude] Page Viewed", .otherType), ("Song Played", .unknownName), ("", .unknownName),
    ]) func `other events are ignored`(_ name: String, _ reason: IgnoredEvent.Reason) throws {
        let played = try PlayedRequest("/2/httpapi", batch(#"{"event_type":"\#(name)","user_id":"u","price":1}, 7"#))
        #expect(played.events.isEmpty && played.ignored == [reason, .malformed])
        #expect(try played.answer().object["code"]?.number == 200)
    }

    @Test func `native fields make an event of any name exact`() throws {
        let event =
            #"{"event_type":"Tapped","user_id":"u","event_properties":{"afterpush":{"kind":"dismissed","notification_id":"n"}}}"#
        let fields = try PlayedRequest("/2/httpapi", batch(event)).fields
        #expect(fields["kind"] == "dismissed" && fields["notification_id"] == "n" && fields["device_id"] == "u")
    }

    @Test(
        arguments: [
            // The client in Python.
            (
                #""event_properties":{"$price":19.99,"$quantity":3,"$currency":"eur","$productId":"p","notification_id":"n"}"#,
                "59.97", "EUR"
            ),
            (#""event_properties":{"$price":0.1,"notification_id":"n"}"#, "0.1", nil),
            // Of the HTTP API.
            (#""price":0.1,"quantity":3,"event_properties":{"notification_id":"n"}"#, "0.3", nil),
            (
                #""revenue":12.50,"price":1,"quantity":2,"currency":"USD","event_properties":{"notification_id":"n"}"#,
                "12.50", "USD"
            ),
            (#""revenue":-12.5,"event_properties":{"notification_id":"n"}"#, "-12.5", nil),
            (#""price":"x","event_properties":{"notification_id":"n"}"#, nil, nil),
            (#""price":1e300,"quantity":1e300,"event_properties":{"notification_id":"n"}"#, nil, nil),
        ] as [(String, String?, String?)]) func `a purchase is worth its revenue, else its price times its quantity`(
            _ members: String, _ value: String?, _ currency: String?
        ) throws
    {
        let event = #"{"event_type":"revenue_amount","user_id":"u",\#(members)}"#
        let fields = try PlayedRequest("/2/httpapi", batch(event)).fields
        #expect(fields["kind"] == "converted" && fields["name"] == "revenue_amount")
        #expect(fields["value"] == value && fields["currency"] == currency)
    }

    @Test func `a purchase of any name counts if it names a notification`() throws {
        let event =
            #"{"event_type":"Ticket Bought","user_id":"u","revenue":5,"event_properties":{"notification_id":"n"}}"#
        #expect(try PlayedRequest("/2/httpapi", batch(event)).fields["kind"] == "converted")
        let without = #"{"event_type":"Ticket Bought","user_id":"u","revenue":5}"#
        #expect(try PlayedRequest("/2/httpapi", batch(without)).ignored == [.unknownName])
    }

    @Test(arguments: [
        (#"{"api_key":"k","events":[]}"#, DialectFamily.amplitude), (#"{"events":[{"event_type":"e"}]}"#, .amplitude),
        (#"{"api_key":"k","batch":[]}"#, .posthog), (#"{"writeKey":"k","batch":[]}"#, .segment),
    ]) func `the body tells whose a batch is`(_ body: String, _ family: DialectFamily) throws {
        let request = DialectRequest("POST", "/batch", body: Array(body.utf8))
        #expect(DialectTable.find(request)?.dialect.family == family)
    }

    @Test(arguments: ["", "{", "[]", "7", #"{"api_key":"k"}"#, #"{"events":7}"#])
    func `a body that can't be read is refused as malformed`(_ body: String) {
        let request = DialectRequest("POST", "/2/httpapi", body: Array(body.utf8))
        #expect {
            try AmplitudeEvents.parse(request)
        } throws: { error in
            if case DialectError.malformed = error { true } else { false }
        }
    }

    @Test func `one event that is no list is read`() throws {
        let played = try PlayedRequest("/2/httpapi", #"{"events":{"event_type":"Application Opened","user_id":"u"}}"#)
        #expect(try played.event.kind == "app_opened")
    }

    // MARK: Responses

    @Test func `success is a code, and never names events, which would repeat the others`() throws {
        let played = try PlayedRequest("/2/httpapi", Self.recorded)
        let answer = played.answer(rejecting: [.init(index: 0, code: "field_invalid", detail: "x")])
        #expect(answer.status == 200)
        let object = try answer.object
        #expect(object["code"]?.json == "200")
        #expect(object["events_ingested"]?.json == "0")
        #expect(object["payload_size_bytes"]?.json == String(played.request.body.count))
        #expect(object["server_upload_time"]?.json == "1795415700000")
        #expect(!object.all.contains { $0.name.hasPrefix("events_with") })
    }

    @Test(arguments: [401, 403]) func `an unknown key is named as it was sent`(_ status: Int) throws {
        for path in ["/2/httpapi", "/batch"] {
            let body = #"{"api_key":" 5\"é\/K ","events":[]}"#
            let answer = try PlayedRequest.refusal(status, to: DialectRequest("POST", path, body: Array(body.utf8)))
            #expect(answer.status == 400)
            #expect(try answer.object["code"]?.json == "400")
            #expect(try answer.object["error"]?.string == "Invalid API key:  5\"é/K ")
        }
    }

    @Test(arguments: [401, 403]) func `a key with more rights than a public one is not repeated`(_ status: Int) throws {
        for key in ["ap_read_0123", "ap_send_0123", "ap_manage_0123:"] {
            let request = DialectRequest("POST", "/2/httpapi", body: Array(#"{"api_key":"\#(key)","events":[]}"#.utf8))
            let answer = try PlayedRequest.refusal(status, to: request)
            #expect(answer.status == 400)
            #expect(try answer.object["missing_field"]?.text == "api_key")
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("0123"))
        }
    }

    @Test func `a request without a key is told that the field is missing`() throws {
        let request = DialectRequest("POST", "/2/httpapi", body: Array(#"{"events":[]}"#.utf8))
        let answer = try PlayedRequest.refusal(401, to: request)
        #expect(answer.status == 400)
        #expect(try answer.object["missing_field"]?.text == "api_key")
    }

    @Test func `an unknown key in a header is named, before the body is read`() throws {
        let request = DialectRequest("POST", "/2/httpapi", headers: ["authorization": "Bearer ap_ingest_y"])
        #expect(try PlayedRequest.refusal(401, to: request).object["error"]?.text == "Invalid API key: ap_ingest_y")
    }

    @Test(
        arguments: [
            (400, 400, "events"), (415, 400, "events"), (404, 400, "events"), (413, 413, nil), (408, 408, nil),
            (500, 500, nil), (503, 503, nil),
        ] as [(Int, Int, String?)]) func `what a retry won't mend names a field, which ends retries`(
            _ status: Int, _ expected: Int, _ field: String?
        ) throws
    {
        let request = DialectRequest("POST", "/2/httpapi", body: Array("{".utf8))
        let answer = try PlayedRequest.refusal(status, "body_malformed", "the body is no JSON", to: request)
        #expect(answer.status == expected)
        #expect(try answer.object["code"]?.number == Double(expected))
        #expect(try answer.object["missing_field"]?.text == field)
        #expect(try answer.object["error"]?.text == "the body is no JSON")
    }

    @Test func `over the rate, all events are told to wait`() throws {
        let body = #"{"api_key":"ap_ingest_x","events":[{},{},{}]}"#
        let answer = try PlayedRequest.refusal(429, to: DialectRequest("POST", "/2/httpapi", body: Array(body.utf8)))
        #expect(answer.status == 429)
        #expect(try answer.object["code"]?.json == "429")
        #expect(try answer.object["throttled_events"]?.json == "[0,1,2]")
    }
}
