import AfterpushWire
import Dialects
import Events
import JSON
import Testing

/// Reads a record of a file.
struct RecordReading {
    let submission: DialectSubmission
    let family: DialectFamily

    /// - Throws: If the record is of no dialect.
    init(_ text: String, path: String = "events.ndjson", mappings: EventMappings = EventMappings()) throws {
        let element = try JSONElement(Array(text.utf8))
        let object = try #require(element.object)
        let dialect = try #require(RecordDialects.find([object]))
        var settings = DialectSettings(receivedAt: Timestamp(microseconds: 1_780_000_000_000_000))
        settings.mappings = mappings
        submission = dialect.read(element, path: path, settings)
        family = dialect.family
    }

    /// Each native event as `kind notification device campaign variant platform time` and more, without what is absent.
    var events: [String] {
        submission.events.map { event in
            let fields: [NativeEvent.Field] = [
                .kind, .notificationID, .deviceID, .campaignID, .variant, .platform, .occurredAt, .reason, .name,
            ]
            return fields.compactMap { event.text($0) }.joined(separator: " ")
        }
    }

    var ignored: [String] { submission.ignored.map { "\($0.reason.rawValue) \($0.name)" } }

    var ids: [String] {
        get throws {
            try submission.events.map { event in
                let json = try JSONElement(Array(event.json(family, EventIDKey([1])).utf8))
                return try #require(json.object?["event_id"]?.text)
            }
        }
    }
}

/// Tests what the records of other systems' files become.
struct RecordDialectTests {
    private func fcm(_ event: String, _ more: String = "") -> String {
        #"""
        {"event_timestamp":"2026-06-01 10:00:00.250 UTC","project_number":"77","message_id":"m-1","instance_id":"i-1",
        "message_type":"DISPLAY_NOTIFICATION","sdk_platform":"ANDROID","event":"\#(event)","analytics_label":"spring"\#(more)}
        """#
    }

    @Test(arguments: [
        ("MESSAGE_ACCEPTED", ["sent m-1 i-1 spring android 2026-06-01T10:00:00.250Z"]),
        ("MESSAGE_DELIVERED", ["delivered m-1 i-1 spring android 2026-06-01T10:00:00.250Z"]),
        ("QUOTA_EXCEEDED", ["failed m-1 i-1 spring android 2026-06-01T10:00:00.250Z QUOTA_EXCEEDED"]),
        ("MISSING_REGISTRATIONS", ["failed m-1 i-1 spring android 2026-06-01T10:00:00.250Z MISSING_REGISTRATIONS"]),
        (
            "INVALID_REGISTRATION",
            [
                "failed m-1 i-1 spring android 2026-06-01T10:00:00.250Z INVALID_REGISTRATION",
                "token_failed i-1 android 2026-06-01T10:00:00.250Z INVALID_REGISTRATION",
            ]
        ),
    ])
    func `a row of FCM says what became of a message on a device`(event: String, expected: [String]) throws {
        let reading = try RecordReading(fcm(event))
        #expect(reading.family == .fcm)
        #expect(reading.events == expected)
    }

    @Test func `a row of FCM without a message or an installation is ignored`() throws {
        #expect(
            try RecordReading(fcm("MESSAGE_ACCEPTED", #","instance_id":null"#)).ignored
                == ["no_device MESSAGE_ACCEPTED"])
        let sent = try RecordReading(fcm("MESSAGE_ACCEPTED", #","analytics_label":"","topic":"news","bulk_id":"7""#))
        #expect(sent.events == ["sent m-1 i-1 news android 2026-06-01T10:00:00.250Z"])
    }

    private func airship(_ type: String, _ body: String, device: String = #""ios_channel":"c-1""#) -> String {
        #"""
        {"id":"0F1E2D3C-0000-4000-8000-000000000001","type":"\#(type)","offset":"1","occurred":"2026-06-01T10:00:00.5Z",
        "processed":"2026-06-01T10:00:09Z","device":{\#(device),"named_user_id":"u-1"},"body":\#(body)}
        """#
    }

    private static let push = #"{"push_id":"p-1","group_id":"g-1","time":"2026-06-01T09:59:00Z"}"#

    @Test(arguments: [
        (
            "SEND", #"{"push_id":"p-1","group_id":"g-1","variant_id":2}"#,
            ["sent p-1 c-1 g-1 2 ios 2026-06-01T10:00:00.5Z"]
        ),
        (
            "SEND", #"{"push_id":"p-1","campaigns":{"categories":["spring","sale"]}}"#,
            ["sent p-1 c-1 spring ios 2026-06-01T10:00:00.5Z"]
        ),
        ("SEND", #"{"push_id":"p-1"}"#, ["sent p-1 c-1 p-1 ios 2026-06-01T10:00:00.5Z"]),
        (
            "OPEN", #"{"session_id":"s","triggering_push":\#(push)}"#,
            ["opened p-1 c-1 g-1 ios 2026-06-01T10:00:00.5Z", "app_opened c-1 ios 2026-06-01T10:00:00.5Z"]
        ),
        (
            "OPEN", #"{"session_id":"s","last_delivered":\#(push)}"#,
            ["app_opened c-1 ios 2026-06-01T10:00:00.5Z"]
        ),
        ("UNINSTALL", "null", ["token_failed c-1 ios 2026-06-01T10:00:00.5Z uninstalled"]),
        (
            "CUSTOM", #"{"name":"purchase","value":39.95,"triggering_push":\#(push)}"#,
            ["converted p-1 c-1 g-1 ios 2026-06-01T10:00:00.5Z purchase"]
        ),
    ])
    func `an event of Airship becomes what it says of a push`(type: String, body: String, expected: [String]) throws {
        let reading = try RecordReading(airship(type, body))
        #expect(reading.family == .airship)
        #expect(reading.events == expected)
    }

    @Test(arguments: [
        ("CUSTOM", #"{"name":"purchase","value":5}"#, "no_notification purchase"),
        ("CUSTOM", #"{"name":"viewed","triggering_push":\#(push)}"#, "unknown_name viewed"),
        ("RICH_READ", "{}", "other_type RICH_READ"), ("PUSH_BODY", #"{"payload":"e30="}"#, "other_type PUSH_BODY"),
        ("SEND", "{}", "no_notification SEND"),
    ])
    func `other events of Airship are ignored`(type: String, body: String, expected: String) throws {
        let reading = try RecordReading(airship(type, body))
        #expect(reading.ignored == [expected] && reading.events.isEmpty)
    }

    @Test func `the channel of an event of Airship names its platform, and those of e-mail are ignored`() throws {
        let body = #"{"push_id":"p-1"}"#
        for (device, platform) in [
            (#""android_channel":"c-1""#, "android"), (#""amazon_channel":"c-1""#, "android"),
            (#""web_channel":"c-1""#, "web"), (#""channel":"c-1","device_type":"IOS""#, "ios"),
        ] {
            let reading = try RecordReading(airship("SEND", body, device: device))
            #expect(reading.events == ["sent p-1 c-1 p-1 \(platform) 2026-06-01T10:00:00.5Z"])
        }
        let mail = try RecordReading(airship("SEND", body, device: #""email_channel":"c-1""#))
        #expect(mail.ignored == ["other_type SEND"])
    }

    private func pinpoint(_ type: String, _ attributes: String, platform: String = "{}") -> String {
        #"""
        {"event_type":"\#(type)","event_timestamp":1780308000250,"arrival_timestamp":1780308000300,"event_version":"3.1",
        "application":{"app_id":"a","version_name":"2.1"},"client":{"client_id":"e-1"},"device":{"platform":\#(platform)},
        "session":{},"attributes":{\#(attributes)},
        "client_context":{"custom":{"endpoint":"{\"ChannelType\":\"APNS\",\"Address\":\"secret\"}"}},"awsAccountId":"1"}
        """#
    }

    private static let activity = #""campaign_id":"c-1","treatment_id":"0","campaign_activity_id":"n-1""#
    private static let journey = #""journey_id":"j-1","journey_run_id":"r-1","journey_activity_id":"s-1""#

    @Test(arguments: [
        (
            "_campaign.send", #"\#(activity),"delivery_type":"GCM","campaign_send_status":"SUCCESS""#,
            ["sent n-1 e-1 c-1 0 android 2026-06-01T10:00:00.250Z"]
        ),
        (
            "_campaign.send", #"\#(activity),"delivery_type":"APNS","campaign_send_status":"OPT_OUT""#,
            ["failed n-1 e-1 c-1 0 ios 2026-06-01T10:00:00.250Z OPT_OUT"]
        ),
        ("_campaign.opened_notification", activity, ["opened n-1 e-1 c-1 0 ios 2026-06-01T10:00:00.250Z"]),
        ("_campaign.received_background", activity, ["delivered n-1 e-1 c-1 0 ios 2026-06-01T10:00:00.250Z"]),
        (
            "_campaign.received_foreground", activity,
            [
                "delivered n-1 e-1 c-1 0 ios 2026-06-01T10:00:00.250Z",
                "displayed n-1 e-1 c-1 0 ios 2026-06-01T10:00:00.250Z",
            ]
        ),
        (
            "_journey.send", #"\#(journey),"journey_send_status":"SUCCESS""#,
            ["sent r-1/s-1 e-1 j-1 ios 2026-06-01T10:00:00.250Z"]
        ),
        ("_journey.opened_notification", journey, ["opened r-1/s-1 e-1 j-1 ios 2026-06-01T10:00:00.250Z"]),
        ("_session.start", activity, ["app_opened e-1 ios 2026-06-01T10:00:00.250Z"]),
    ])
    func `an event of Pinpoint becomes what it says of a send`(
        type: String, attributes: String, expected: [String]
    ) throws {
        let reading = try RecordReading(pinpoint(type, attributes))
        #expect(reading.family == .pinpoint)
        #expect(reading.events == expected)
        #expect(reading.submission.events.allSatisfy { $0.text(.appVersion) == "2.1" })
        #expect(!reading.submission.events.contains { $0.json(.pinpoint, EventIDKey([1])).contains("secret") })
    }

    @Test(arguments: [
        ("_email.send", activity, "unknown_name _email.send"), ("_SMS.BUFFERED", "", "unknown_name _SMS.BUFFERED"),
        ("_campaign.send", #"\#(activity),"delivery_type":"SMS""#, "other_type _campaign.send"),
        ("_session.stop", "", "unknown_name _session.stop"), ("my.own", "", "unknown_name my.own"),
        ("_campaign.opened_notification", "", "no_notification _campaign.opened_notification"),
    ])
    func `other events of Pinpoint are ignored`(type: String, attributes: String, expected: String) throws {
        let reading = try RecordReading(pinpoint(type, attributes))
        #expect(reading.ignored == [expected] && reading.events.isEmpty)
    }

    @Test func `events of Pinpoint are told apart by type, device, activity and time`() throws {
        let one = try RecordReading(pinpoint("_campaign.opened_notification", Self.activity))
        let again = try RecordReading(
            pinpoint("_campaign.opened_notification", Self.activity + #","more":"1""#).replacing("300,", with: "999,"))
        let later = try RecordReading(
            pinpoint("_campaign.opened_notification", Self.activity).replacing("000250", with: "000251"))
        #expect(try one.ids == again.ids)
        #expect(try one.ids != later.ids)
    }

    private func ga4(_ name: String, _ parameters: String, _ more: String = "") -> String {
        #"""
        {"event_date":"20260601","event_timestamp":"1780308000250123","event_name":"\#(name)","event_params":[\#(parameters)],
        "user_pseudo_id":"d-1","platform":"ANDROID","app_info":{"version":"2.1"},
        "device":{"operating_system_version":"15","language":"de-de","time_zone_offset_seconds":"7200"}\#(more)}
        """#
    }

    private static let message =
        #"{"key":"message_id","value":{"string_value":"n-1","int_value":null}},{"key":"label","value":{"string_value":"l"}},"#
        + #"{"key":"message_name","value":{"string_value":"spring"}},{"key":"message_time","value":{"int_value":"5"}}"#

    @Test(arguments: [
        ("notification_receive", "delivered"), ("notification_open", "opened"), ("notification_dismiss", "dismissed"),
        ("notification_foreground", "displayed"),
    ])
    func `an event of a notification in an export of GA4 becomes a native one`(name: String, kind: String) throws {
        let reading = try RecordReading(ga4(name, Self.message))
        #expect(reading.family == .ga4)
        #expect(reading.events == ["\(kind) n-1 d-1 spring android 2026-06-01T10:00:00.250123Z"])
        let event = try #require(reading.submission.events.first)
        #expect(event.text(.appVersion) == "2.1" && event.text(.osVersion) == "15" && event.text(.locale) == "de-de")
        #expect(event.json(.ga4, EventIDKey([1])).contains(#""utc_offset_minutes":120"#))
    }

    @Test func `other events of GA4 are ignored, and a removed app has lost its token`() throws {
        #expect(try RecordReading(ga4("session_start", "")).ignored == ["unknown_name session_start"])
        #expect(try RecordReading(ga4("notification_open", "")).ignored == ["no_notification notification_open"])
        #expect(
            try RecordReading(ga4("app_remove", "")).events
                == ["token_failed d-1 android 2026-06-01T10:00:00.250123Z uninstalled"])
        let number = #"{"key":"message_id","value":{"string_value":null,"int_value":"1234567890123456789"}}"#
        let events = try RecordReading(ga4("notification_open", number)).events
        #expect(events == ["opened 1234567890123456789 d-1 android 2026-06-01T10:00:00.250123Z"])
    }

    private static let tap =
        #"{"type":"track","event":"Push Notification Tapped","messageId":"6731D4AC-26e1-4992-8d38-2be439fcfead","#
        + #""anonymousId":"a-1","timestamp":"2026-06-01T10:00:00Z","properties":{"notification_id":"n-1"},"#
        + #""context":{"device":{"id":"d-1","type":"ios"}},"receivedAt":"2026-06-01T10:00:03Z"}"#

    @Test func `an event of a Segment file has the ID of the event that was posted`() throws {
        let reading = try RecordReading(Self.tap)
        #expect(reading.family == .segment)
        #expect(reading.events == ["opened n-1 d-1 ios 2026-06-01T10:00:00Z"])
        let request = DialectRequest("POST", "/v1/batch", body: Array(#"{"batch":[\#(Self.tap)]}"#.utf8))
        let posted = SegmentEvents.read(
            try SegmentEvents.parse(request), request, DialectSettings(receivedAt: Timestamp(microseconds: 0)))
        #expect(
            posted.events.map { $0.json(.segment, EventIDKey([1])) }
                == reading.submission.events.map {
                    $0.json(.segment, EventIDKey([1]))
                })
        let whole = try RecordReading(#"{"batch":[\#(Self.tap),{"type":"page","messageId":"2"}],"writeKey":"x"}"#)
        #expect(try whole.ids == reading.ids && whole.ignored == ["other_type page"])
    }

    @Test func `an identification in a Segment file is recognized and ignored`() throws {
        let reading = try RecordReading(#"{"type":"identify","messageId":"1","userId":"u","traits":{"email":"a@b.c"}}"#)
        #expect(reading.family == .segment && reading.ignored == ["other_type identify"])
    }

    private func posthog(_ properties: String, _ id: String = #""uuid":"421BEFF5-571e-4482-8ef0-a94673699243""#)
        -> String
    {
        #"""
        {\#(id),"event":"$push_notification_opened","distinct_id":"u-1","properties":\#(properties),
        "timestamp":"2026-06-01T10:00:00.123000+00:00","created_at":"2026-06-01T10:00:02Z","person_id":"p"}
        """#
    }

    @Test func `an event of a PostHog export has the ID of the event that was posted`() throws {
        let properties = #"{"$notification_notification_id":"n-1","$device_id":"d-1","$os":"iOS"}"#
        let text = JSONText.string(properties)
        let posted = #"{"api_key":"x","batch":[\#(posthog(properties))]}"#
        let request = DialectRequest("POST", "/batch", body: Array(posted.utf8))
        let submission = PostHogEvents.read(
            try PostHogEvents.parse(request), request, DialectSettings(receivedAt: Timestamp(microseconds: 0)))
        let expected = submission.events.map { $0.json(.posthog, EventIDKey([1])) }
        let forms = [
            posthog(properties), posthog(text), posthog(text, #""id":"421beff5-571e-4482-8ef0-a94673699243""#),
        ]
        for form in forms {
            let reading = try RecordReading(form)
            #expect(reading.family == .posthog)
            #expect(reading.events == ["opened n-1 d-1 ios 2026-06-01T10:00:00.123000+00:00"])
            #expect(reading.submission.events.map { $0.json(.posthog, EventIDKey([1])) } == expected)
        }
        let page = posthog("{}").replacing("$push_notification_opened", with: "$pageview")
        #expect(try RecordReading(page).ignored == ["other_type $pageview"])
    }

    private static let flat =
        #"{"id":"5F1E2D3C-0000-4000-8000-000000000001","user_id":"u-1","external_user_id":"x","time":1780308000,"dispatch_id":"n-1","#
        + #""campaign_id":{"string":"c-1"},"device_id":{"string":"d-1"},"platform":{"string":"ios"}}"#

    @Test func `an app's mapping and native fields in a record go before what its name means`() throws {
        let mapping = EventMappings([
            .init(
                dialect: "airship", event: "viewed", kind: "action",
                fields: ["action_identifier": "body.properties.button"])
        ])
        let body = #"{"name":"viewed","triggering_push":\#(Self.push),"properties":{"button":"yes"}}"#
        let mapped = try RecordReading(airship("CUSTOM", body), mappings: mapping)
        #expect(mapped.events == ["action p-1 c-1 g-1 ios 2026-06-01T10:00:00.5Z"])
        #expect(mapped.submission.events.first?.text(.actionIdentifier) == "yes")
        let stated = try RecordReading(
            ga4("anything", Self.message, #","afterpush":{"kind":"dismissed","device_id":"mine"}"#))
        #expect(stated.events == ["dismissed n-1 mine spring android 2026-06-01T10:00:00.250123Z"])
    }

    @Test func `an event without a time states none, so that its rejection shows it`() throws {
        let reading = try RecordReading(fcm("MESSAGE_ACCEPTED", #","event_timestamp":"yesterday""#))
        #expect(reading.events == ["sent m-1 i-1 spring android"])
    }

    @Test(arguments: [
        #"{"event_id":"1","kind":"opened"}"#, #"{"kind":"opened","type":"track","messageId":"1","userId":"u"}"#,
        #"{"event_id":"1","event":"x","message_id":"m","sdk_platform":"IOS"}"#, #"{"messageId":"1","type":"other"}"#,
        #"{"type":"track","userId":"u"}"#, #"{"event":"Push Opened","properties":{}}"#, #"{"a":1}"#, "{}",
        #"{"id":"1","type":"send","occurred":"2026-06-01T10:00:00Z","offset":1}"#,
    ])
    func `a record that could be native, or anything, is of no dialect`(text: String) throws {
        let object = try Self.object(text)
        #expect(RecordDialects.find([object]) == nil)
    }

    private static func object(_ text: String) throws -> JSONObject {
        let element = try JSONElement(Array(text.utf8))
        return try #require(element.object)
    }

    @Test func `a single native record makes a file native`() throws {
        let native = try Self.object(#"{"event_id":"1","kind":"sent"}"#)
        let foreign = try Self.object(Self.tap)
        let other = try Self.object("{}")
        #expect(RecordDialects.find([other, foreign])?.family == .segment)
        #expect(RecordDialects.find([foreign, native]) == nil)
        #expect(
            RecordDialects.find(columns: ["event_id", "event", "event_timestamp", "message_id", "instance_id"]) == nil)
        #expect(
            RecordDialects.find(columns: ["event", "event_timestamp", "message_id", "instance_id"])?.family == .fcm)
    }

    @Test func `hostile records never stop the reader`() throws {
        let values = ["null", "1", "\"x\"", "[]", "{}", "[[1]]", "{\"a\":{}}", "1e999", "\"\\ud800\"", "true"]
        let samples = [
            fcm("MESSAGE_ACCEPTED"), airship("OPEN", #"{"triggering_push":\#(Self.push)}"#), Self.tap,
            pinpoint("_campaign.send", Self.activity), ga4("notification_open", Self.message), posthog("{}"), Self.flat,
        ]
        let settings = DialectSettings(receivedAt: Timestamp(microseconds: 0))
        for sample in samples {
            let object = try Self.object(sample)
            let dialect = try #require(RecordDialects.find([object]))
            for (name, _) in object.all {
                for value in values {
                    let members = object.all.map { ($0.name, $0.name == name ? value : $0.value.json) }
                    let record = try JSONElement(Array(JSONText.object(members).utf8))
                    for dialect in RecordDialects.all { _ = dialect.read(record, path: "", settings) }
                    let native = dialect.read(record, path: "", settings).body(dialect.family, EventIDKey([1]))
                    #expect((try? JSONElement(native))?.object != nil)
                }
            }
        }
    }
}
