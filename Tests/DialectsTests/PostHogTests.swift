import AfterpushWire
import Dialects
import Events
import Foundation
import JSON
import Testing

struct PostHogTests {
    /// What posthog-python 7.91.1 posts, with a key of Afterpush.
    private static let recorded = #"""
        {"batch":[{"properties":{"$notification_action":"ACCEPT","$notification_workflow_id":"w1","$notification_id":"n-1","$lib":"posthog-python","$lib_version":"7.91.1","$geoip_disable":true,"$is_server":true,"$os":"Mac OS X"},
          "timestamp":"2026-11-23T06:32:58.855351+00:00","distinct_id":"u1","event":"$push_notification_opened","uuid":"421BEFF5-571e-4482-8ef0-a94673699243"}],
         "historical_migration":false,"sent_at":"2026-11-23T06:32:58.855572+00:00","api_key":"ap_ingest_x"}
        """#

    private func batch(_ events: String, _ members: String = "") -> String {
        #"{"api_key":"ap_ingest_x"\#(members),"batch":[\#(events)]}"#
    }

    private func opened(_ properties: String, _ members: String = "") -> String {
        #"{"event":"$push_notification_opened","distinct_id":"u1"\#(members),"timestamp":"2026-11-23T06:32:58Z","properties":{"$notification_id":"n-1"\#(properties)}}"#
    }

    @Test func `the batch of the client in Python becomes an action`() throws {
        let played = try PlayedRequest(
            "/batch", Self.recorded,
            headers: ["content-type": "application/json", "user-agent": "posthog-python/7.91.1"])
        #expect(played.family == .posthog)
        #expect(try played.key == "ap_ingest_x")
        #expect(
            try played.fields == [
                "kind": "action", "action_identifier": "ACCEPT", "notification_id": "n-1", "device_id": "u1",
                "campaign_id": "w1", "occurred_at": "2026-11-23T06:32:58.855351+00:00",
            ])
        #expect(played.submission.sentAt == "2026-11-23T06:32:58.855572+00:00")
        #expect(try played.event.sourceID == "421beff5-571e-4482-8ef0-a94673699243")
        #expect(played.answer().status == 200)
        #expect(try played.answer().object["status"]?.number == 1)
    }

    @Test func `a repeated event has the same ID, whatever the time of sending`() throws {
        let first = try PlayedRequest("/batch", Self.recorded)
        let again = try PlayedRequest(
            "/batch", Self.recorded.replacingOccurrences(of: "06:32:58.855572", with: "07:00:00.000000"))
        let other = try PlayedRequest("/batch", Self.recorded.replacingOccurrences(of: "421BEFF5", with: "421BEFF6"))
        #expect(try first.id(first.event) == again.id(again.event))
        #expect(try first.id(first.event) != other.id(other.event))
    }

    @Test func `an opening of the client for iOS says all that the payload and the device say`() throws {
        let event = #"""
            {"event":"$push_notification_opened","uuid":"019ABC00-0000-7000-8000-000000000001","distinct_id":"u1",
             "timestamp":"2026-11-23T08:32:58.855+02:00","properties":{"$notification_title":"secret title",
             "$notification_subtitle":"secret subtitle","$notification_body":"secret body",
             "$notification_notification_id":"n-7","$notification_campaign_id":"c-7","$notification_workflow_id":"w-7",
             "$notification_action_id":"step-2","$notification_variant":"B","$notification_category_id":"invite",
             "$device_id":"D7","$os":"iOS","$os_version":"26.1","$app_version":"3.2","$locale":"de-DE",
             "$set":{"email":"a@example.com"},"$ip":"192.0.2.1"}}
            """#
        let played = try PlayedRequest("/batch", batch(event), headers: ["user-agent": "posthog-ios/3.30.0"])
        #expect(
            try played.fields == [
                "kind": "opened", "notification_id": "n-7", "device_id": "D7", "campaign_id": "c-7", "variant": "B",
                "category_id": "invite", "platform": "ios", "os_version": "26.1", "app_version": "3.2",
                "locale": "de-DE", "occurred_at": "2026-11-23T08:32:58.855+02:00", "utc_offset_minutes": "120",
                "properties": #"{"workflow_action_id":"step-2"}"#,
            ])
    }

    @Test(arguments: [
        (#""$notification_id":"a""#, "a"), (#""$notification_notification_id":"b""#, "b"),
        (#""$notification_msgid":"c""#, "c"), (#""msgid":"d""#, "d"), (#""gcm.message_id":"e""#, "e"),
        (#""$notification_notification_id":"f","$notification_id":"g""#, "f"), (#""$notification_id":12"#, "12"),
    ]) func `the payload names the notification`(_ properties: String, _ id: String) throws {
        let event = #"{"event":"$push_notification_opened","distinct_id":"u1","properties":{\#(properties)}}"#
        #expect(try PlayedRequest("/batch", batch(event)).event.text(.notificationID) == id)
    }

    @Test func `an opening without a notification is ignored, not refused`() throws {
        let played = try PlayedRequest(
            "/batch", batch(#"{"event":"$push_notification_opened","distinct_id":"u1","properties":{}}"#))
        #expect(played.ignored == [.noNotification])
    }

    @Test func `a receipt in the payload names the notification and the device`() throws {
        let claims = Data(#"{"iss":"shop","jti":"n-9","sub":"D9"}"#.utf8).base64EncodedString()
            .replacingOccurrences(of: "=", with: "")
        let event =
            #"{"event":"$push_notification_opened","distinct_id":"u1","properties":{"$notification_afterpush":"h.\#(claims).s"}}"#
        let fields = try PlayedRequest("/batch", batch(event)).fields
        #expect(fields["receipt"] == "h.\(claims).s")
        #expect(fields["notification_id"] == nil && fields["device_id"] == nil)
    }

    @Test func `native fields go before everything that is derived`() throws {
        let event = #"""
            {"event":"checkout","distinct_id":"u1","properties":{"afterpush":{"kind":"action","notification_id":"n-2",
             "action_identifier":"book","campaign_id":"c-2"},"campaign_id":"other"}}
            """#
        let fields = try PlayedRequest("/batch", batch(event)).fields
        #expect(fields["kind"] == "action" && fields["action_identifier"] == "book")
        #expect(fields["notification_id"] == "n-2" && fields["campaign_id"] == "c-2" && fields["device_id"] == "u1")
    }

    @Test func `a mapping of the app makes an event of its own name count`() throws {
        var settings = DialectSettings(receivedAt: PlayedRequest.receivedAt)
        settings.mappings = EventMappings([
            .init(
                dialect: "posthog", event: "push opened by us", kind: "tap",
                fields: ["notification_id": "properties.nid"])
        ])
        let event = #"{"event":"push_opened_by_us","distinct_id":"u1","properties":{"nid":"n-3"}}"#
        let played = try PlayedRequest("/batch", batch(event), settings: settings)
        #expect(try played.event.kind == "opened")
        #expect(try played.event.text(.notificationID) == "n-3")
    }

    @Test(arguments: [
        ("$pageview", IgnoredEvent.Reason.otherType), ("$identify", .otherType), ("$set", .otherType),
        ("$create_alias", .otherType), ("$groupidentify", .otherType), ("$snapshot", .otherType),
        ("$exception", .otherType), ("survey shown", .otherType), ("clicked a button", .unknownName),
        ("Application Backgrounded", .unknownName), ("", .unknownName),
    ]) func `events that are of no notification are ignored`(_ name: String, _ reason: IgnoredEvent.Reason) throws {
        let event = #"{"event":"\#(name)","distinct_id":"u1","$set":{"a":1},"properties":{"$notification_id":"n-1"}}"#
        let played = try PlayedRequest("/batch", batch(event))
        #expect(played.events.isEmpty && played.ignored == [reason])
        #expect(played.submission.ignored.first?.name == name)
    }

    @Test func `an opening of the app needs no notification`() throws {
        let event =
            #"{"event":"Application Opened","distinct_id":"u1","properties":{"$device_id":"D1","from_background":true}}"#
        let fields = try PlayedRequest("/batch", batch(event)).fields
        #expect(fields["kind"] == "app_opened" && fields["device_id"] == "D1" && fields["notification_id"] == nil)
    }

    @Test func `a value that is no object is ignored beside its neighbours`() throws {
        let played = try PlayedRequest("/batch", batch(#"17, null, "x", \#(opened(""))"#))
        #expect(played.events.count == 1 && played.ignored == [.malformed, .malformed, .malformed])
        #expect(played.events.first?.index == 3)
    }

    @Test(arguments: [
        (#","$device_id":"D1""#, "", "D1"), (#","$device_id":"""#, "", "u1"), ("", "", "u1"),
        ("", #","distinct_id":17"#, "17"), (#","distinct_id":"p1""#, #","distinct_id":null"#, "p1"),
        ("", #","distinct_id":null,"$distinct_id":"d1""#, "d1"),
    ]) func `the device is the one of the client, else the person`(
        _ properties: String, _ members: String, _ device: String
    ) throws {
        #expect(try PlayedRequest("/batch", batch(opened(properties, members))).event.text(.deviceID) == device)
    }

    @Test func `the app decides whether the device or the person names the device`() throws {
        var settings = DialectSettings(receivedAt: PlayedRequest.receivedAt)
        settings.deviceOrder = [.userID, .deviceID]
        let played = try PlayedRequest("/batch", batch(opened(#","$device_id":"D1""#)), settings: settings)
        #expect(try played.event.text(.deviceID) == "u1")
    }

    @Test func `a person's ID is cut after 200 characters, as PostHog does`() throws {
        let (short, long) = (String(repeating: "b", count: 200), String(repeating: "b", count: 300))
        let played = try PlayedRequest("/batch", batch(opened("", #","distinct_id":"\#(long)""#)))
        #expect(try played.event.text(.deviceID) == short)
    }

    @Test func `an address in the place of a device is stored as its hash`() throws {
        let hash = "sha256:08168cd80dfd534ab0f10af10f1303fe00af2d43ab5c1432360d137f8197e17a"
        let event = opened("", #","distinct_id":"A@example.com""#)
        let played = [
            try PlayedRequest("/batch", batch(event)),
            try PlayedRequest("/api/push_subscriptions", #"{"distinct_id":"a@example.com","device_token":"t"}"#),
            try PlayedRequest(
                "/v1/track", #"{"type":"track","event":"Application Opened","userId":"a@example.com"}"#),
        ]
        for played in played { #expect(try played.event.text(.deviceID) == hash) }
    }

    @Test(arguments: [
        (#","uuid":"""#, #","$insert_id":"i-1""#, "i-1"), (#","uuid":"x""#, #","$insert_id":"i-1""#, "x"),
    ]) func `the ID of an event is its uuid, else its insert ID`(
        _ members: String, _ properties: String, _ id: String
    ) throws {
        #expect(try PlayedRequest("/batch", batch(opened(properties, members))).event.sourceID == id)
    }

    @Test(
        arguments: [
            (#""$os":"iOS""#, "ios"), (#""$os":"Android""#, "android"), (#""$os":"Mac OS X","$lib":"web""#, "web"),
            (#""$os":"Mac OS X","$lib":"posthog-ios""#, "macos"), (#""$os":"Mac OS X","$is_server":true"#, nil),
            (#""$os":"Linux""#, nil), (#""$os":"Android","$browser":"Chrome""#, "web"),
        ] as [(String, String?)]) func `the platform is the device's, not the server's`(
            _ properties: String, _ platform: String?
        ) throws
    {
        #expect(try PlayedRequest("/batch", batch(opened("," + properties))).event.text(.platform) == platform)
    }

    // MARK: Times

    @Test(arguments: [
        #","historical_migration":true"#, "",
    ]) func `the clock of old or exact events is not corrected`(_ migration: String) throws {
        let flags = migration.isEmpty ? [#","$ignore_sent_at":true"#, #","$ignore_sent_at":1"#] : [""]
        for flag in flags {
            let played = try PlayedRequest(
                "/batch", batch(opened(flag), migration + #","sent_at":"2026-11-23T06:40:00Z""#))
            #expect(played.events.count == 1 && played.submission.sentAt == nil)
        }
    }

    @Test func `an event of the second protocol can switch the correction off`() throws {
        let event = opened("", #","options":{"disable_skew_correction":true}"#)
        let played = try PlayedRequest(
            "/i/v1/analytics/events", batch(event), headers: ["posthog-request-timestamp": "2026-11-23T06:40:00Z"])
        #expect(played.events.count == 1 && played.submission.sentAt == nil)
    }

    @Test func `an event without a time happened when the request was sent, else when it arrived`() throws {
        let event = #"{"event":"Application Opened","distinct_id":"u1"}"#
        let sent = try PlayedRequest("/batch", batch(event, #","sent_at":"2026-11-23T06:40:00Z""#))
        #expect(try sent.event.text(.occurredAt) == "2026-11-23T06:40:00Z")
        let bare = try PlayedRequest("/batch", batch(event))
        #expect(try bare.event.text(.occurredAt) == PlayedRequest.receivedAt.description)
    }

    @Test func `the browser's array states how long ago events happened, and the query when it was sent`() throws {
        let body = #"""
            [{"event":"$pageview","properties":{"token":"ap_ingest_x","distinct_id":"p1"},"offset":12},
             {"event":"Push Clicked","uuid":"019abc00-0000-7000-8000-000000000002","offset":3500,
              "properties":{"token":"ap_ingest_x","distinct_id":"p1","$device_id":"D1","$lib":"web","notification_id":"n-1"}}]
            """#
        let played = try PlayedRequest(
            "/e", body, query: ["_": "1795415690000", "ip": "0", "ver": "1.300.0"],
            headers: ["content-type": "text/plain"])
        #expect(try played.key == "ap_ingest_x")
        #expect(played.ignored == [.otherType])
        let event = try #require(played.events.first)
        #expect(event.text(.kind) == "opened" && event.text(.platform) == "web" && event.text(.deviceID) == "D1")
        let sent = try #require(played.submission.sentAt.flatMap { Timestamp($0) })
        let occurred = try #require(event.text(.occurredAt).flatMap { Timestamp($0) })
        #expect(sent.microseconds == 1_795_415_690_000_000)
        #expect(occurred.microseconds == 1_795_415_686_500_000)
    }

    @Test func `an offset that is no time is passed over`() throws {
        for offset in ["1e300", "-1e18", #""x""#] {
            let event = #"{"event":"Application Opened","distinct_id":"u1","offset":\#(offset)}"#
            #expect(try PlayedRequest("/e", event).event.text(.occurredAt) == PlayedRequest.receivedAt.description)
        }
    }

    // MARK: Bodies

    @Test(arguments: ["/batch", "/capture", "/e", "/i/v0/e", "/i/v1/analytics/events"])
    func `batches, arrays and single events are read at each path`(_ path: String) throws {
        let event = opened("", #","api_key":"ap_ingest_x""#)
        for body in [batch(event), "[\(event)]", event] {
            let played = try PlayedRequest(path, body)
            #expect(played.family == .posthog && played.events.count == 1)
            #expect(try played.key == "ap_ingest_x")
        }
    }

    @Test func `a beacon posts base64 in a form, in which pluses may have become spaces`() throws {
        let json = batch(opened(#","$notification_campaign_id":"a?>~ü>>>""#))
        let base64 = Data(json.utf8).base64EncodedString()
        #expect(base64.contains("+"))
        let escaped = base64.replacingOccurrences(of: "+", with: "%2B").replacingOccurrences(of: "=", with: "%3D")
        let json2 = json.utf8.map { "%" + String($0, radix: 16) }.joined()
        for body in ["data=\(escaped)", "data=\(base64)", "ver=1&data=\(escaped)&ip=0", base64, "data=\(json2)"] {
            let played = try PlayedRequest(
                "/e", body, query: ["compression": "base64"],
                headers: ["content-type": "application/x-www-form-urlencoded"])
            #expect(try played.event.text(.campaignID) == "a?>~ü>>>")
            #expect(try played.key == "ap_ingest_x")
        }
    }

    @Test(arguments: [
        #"{"api_key":"k","batch":[{"event""#, "", "data=", "data=%7B", "\u{1F}\u{8B}", "17", #"{"batch":7}"#,
    ])
    func `a body that can't be read is refused as malformed`(_ body: String) throws {
        let request = DialectRequest("POST", "/capture", body: Array(body.utf8))
        #expect {
            try PostHogEvents.parse(request)
        } throws: { error in
            if case DialectError.malformed = error { true } else { false }
        }
    }

    @Test func `an empty batch is a success`() throws {
        let played = try PlayedRequest("/batch", batch(""))
        #expect(played.events.isEmpty && played.ignored.isEmpty && played.answer().status == 200)
    }

    @Test func `events with different keys are refused, and a key of another system is none`() throws {
        let two = try PlayedRequest(
            "/e", "[\(opened("", #","api_key":"ap_ingest_x""#)),\(opened("", #","token":"ap_ingest_y""#))]")
        #expect(throws: DialectError.self) { try two.key }
        #expect(try PlayedRequest("/e", opened(#","token":"phc_abc""#)).key == nil)
        #expect(try PlayedRequest("/e", opened("", #","token":"ap_ingest_t""#)).key == "ap_ingest_t")
        #expect(try PlayedRequest("/e", #"{"token":"ap_ingest_t","batch":[]}"#).key == "ap_ingest_t")
    }

    // MARK: Whose a request at /batch is

    @Test(arguments: [
        (#"{"api_key":"k","batch":[]}"#, DialectFamily.posthog), (#"{"token":"k","batch":[]}"#, .posthog),
        (#"{"batch":[{"event":"e","distinct_id":"u"}]}"#, .posthog),
        (#"{"batch":[{"event":"e","properties":{"distinct_id":"u"}}]}"#, .posthog),
        (#"[{"event":"e","properties":{"token":"k"}}]"#, .posthog), (#"{"event":"e","distinct_id":"u"}"#, .posthog),
        ("data=e30", .posthog), (#"{"writeKey":"k","batch":[{"type":"track","event":"e"}]}"#, .segment),
        (#"{"batch":[{"type":"track","event":"e","userId":"u"}]}"#, .segment),
        (#"{"batch":[{"event":"e","messageId":"m","properties":{"token":"t"}}]}"#, .segment),
        (#"{"batch":[]}"#, .segment), (#"[{"type":"track","event":"e"}]"#, .segment), ("{\"batch\":[{", .segment),
    ]) func `the body tells whose a batch is`(_ body: String, _ family: DialectFamily) throws {
        let request = DialectRequest("POST", "/batch", body: Array(body.utf8))
        #expect(DialectTable.find(request)?.dialect.family == family)
    }

    @Test func `before its body is read, the client's name tells whose a batch is`() throws {
        let python = DialectRequest("POST", "/batch", headers: ["user-agent": "posthog-python/7.91.1"])
        #expect(DialectTable.find(python)?.dialect.family == .posthog)
        #expect(DialectTable.find(DialectRequest("POST", "/batch"))?.dialect.family == .segment)
    }

    // MARK: The second protocol, responses and side calls

    @Test func `the second protocol has its key in a header and a verdict for each event in its response`() throws {
        let body = #"""
            {"created_at":"2026-11-23T06:32:58.855Z","batch":[
             {"event":"$push_notification_opened","uuid":"u-1","distinct_id":"u1","timestamp":"2026-11-23T06:32:58Z","options":{},"properties":{"$notification_id":"n-1"},"session_id":"s"},
             {"event":"custom","uuid":"u-2","distinct_id":"u1","timestamp":"2026-11-23T06:32:58Z","options":{},"properties":{}},
             {"event":"$push_notification_opened","uuid":"u-3","distinct_id":"u1","timestamp":"2026-11-23T06:32:58Z","options":{},"properties":{"$notification_id":"n-1"}}]}
            """#
        let played = try PlayedRequest(
            "/i/v1/analytics/events", body,
            headers: [
                "authorization": "Bearer ap_ingest_x", "posthog-sdk-info": "posthog-python/7.91.1",
                "posthog-attempt": "1", "posthog-request-id": "r", "posthog-request-timestamp": "2026-11-23T06:33:00Z",
            ])
        #expect(try played.key == "ap_ingest_x")
        #expect(played.events.count == 2 && played.ignored == [.unknownName])
        #expect(played.submission.sentAt == "2026-11-23T06:33:00Z")
        #expect(
            played.answer().text == #"{"results":{"u-1":{"result":"ok"},"u-2":{"result":"ok"},"u-3":{"result":"ok"}}}"#)
        let partly = played.answer(rejecting: [.init(index: 2, code: "field_invalid", detail: "x")])
        #expect(partly.status == 200)
        #expect(try partly.object.at("results", "u-1", "result")?.text == "ok")
        #expect(try partly.object.at("results", "u-3", "result")?.text == "drop")
        #expect(try partly.object.at("results", "u-3", "details")?.text == "field_invalid: x")
    }

    @Test func `a response of the second protocol has results even if no event has an ID`() throws {
        let played = try PlayedRequest("/i/v1/analytics/events", #"{"batch":[]}"#)
        #expect(played.answer().text == #"{"results":{}}"#)
    }

    @Test(arguments: [401, 403, 400, 413, 429, 503]) func `a refusal has the detail that ends or starts retries`(
        _ status: Int
    ) throws {
        for path in ["/capture", "/i/v1/analytics/events"] {
            let answer = try PlayedRequest.refusal(status, to: DialectRequest("POST", path))
            #expect(answer.status == status)
            #expect(try answer.object["detail"]?.text == "no such key")
        }
    }

    @Test(arguments: [
        ("POST", "/flags", #"{"featureFlags":{},"flags":{},"errorsWhileComputingFlags":false}"#),
        ("GET", "/flags", #"{"featureFlags":{},"flags":{},"errorsWhileComputingFlags":false}"#),
        ("POST", "/decide", #"{"featureFlags":{},"flags":{},"errorsWhileComputingFlags":false}"#),
        ("GET", "/array/ap_ingest_x/config", "{}"), ("DELETE", "/api/push_subscriptions", "{}"),
    ]) func `side calls are answered without a key`(_ method: String, _ path: String, _ body: String) throws {
        let request = DialectRequest(method, path, query: [.init("v", "4")])
        let found = try #require(DialectTable.find(request))
        #expect(found.route.purpose == .sideCall)
        let answer = found.dialect.answer(
            DialectOutcome(received: 0, receivedAt: PlayedRequest.receivedAt), to: request)
        #expect(answer.status == 200 && answer.text == body)
    }

    @Test func `a registered push token counts once, and is not stored`() throws {
        let body =
            #"{"api_key":"ap_ingest_x","distinct_id":"u1","device_token":"secret-token","platform":"ios","app_id":"com.example.app"}"#
        let played = try PlayedRequest("/api/push_subscriptions", body)
        #expect(try played.key == "ap_ingest_x")
        #expect(
            try played.fields == [
                "kind": "token_registered", "device_id": "u1", "platform": "ios",
                "occurred_at": PlayedRequest.receivedAt.description,
            ])
        var later = DialectSettings(receivedAt: PlayedRequest.receivedAt)
        later.receivedAt = Timestamp(microseconds: later.receivedAt.microseconds + 1_000_000)
        let again = try PlayedRequest("/api/push_subscriptions", body, settings: later)
        let other = try PlayedRequest(
            "/api/push_subscriptions", body.replacingOccurrences(of: "secret-token", with: "new-token"))
        #expect(try played.id(played.event) == again.id(again.event))
        #expect(try played.id(played.event) != other.id(other.event))
    }

    @Test func `a subscription without a token is ignored`() throws {
        #expect(try PlayedRequest("/api/push_subscriptions", #"{"distinct_id":"u1"}"#).ignored == [.malformed])
    }

    @Test func `numbers that are not finite arrive as null and cost nothing but themselves`() throws {
        let event =
            #"{"event":"Order Completed","distinct_id":"u1","properties":{"revenue":null,"total":"39.95","currency":"eur","order_id":7}}"#
        let fields = try PlayedRequest("/batch", batch(event)).fields
        #expect(fields["kind"] == "converted" && fields["value"] == "39.95" && fields["currency"] == "EUR")
        #expect(fields["name"] == "Order Completed" && fields["properties"] == #"{"order_id":"7"}"#)
    }
}
