import Dialects
import Events
import JSON
import Testing

struct BrazeTests {
    /// An event in the form of requests.
    private static func event(_ type: String, _ properties: String = "", user: String = "") -> String {
        #"""
        {"event_type": "\#(type)", "id": "7B0F4F6E-3C1D-4B53-9A53-0D7C1F1F0B01", "time": 1779999000,
         "user": {"user_id": "bz-1", "external_user_id": "u-1", "device_id": "d-1", "timezone": "America/New_York"\#(user)},
         "properties": {"app_id": "a", "campaign_id": "c-1", "campaign_name": "Spring", "message_variation_id": "v-1",
          "dispatch_id": "di-1", "send_id": "se-1", "platform": "ios", "os_version": "17.6.1", "device_model": "iPhone",
          "ad_id": "secret-ad"\#(properties)}}
        """#
    }

    private func post(_ events: String...) throws -> Posted {
        try Posted(#"{"events": [\#(events.joined(separator: ","))]}"#, to: "/v1/hooks/braze")
    }

    private static let names =
        "notification_id=di-1 device_id=d-1 campaign_id=c-1 variant=v-1 platform=ios os_version=17.6.1"
    private static let push = "users.messages.pushnotification."

    @Test(arguments: [
        (
            "Send", #", "push_token": "tok", "message_extras": "{\"x\": \"secret\"}", "locale_key": "secret""#, "sent",
            ""
        ),
        ("Open", "", "opened", ""), ("open", #", "button_string": null"#, "opened", ""),
        ("Open", #", "button_string": "accept", "button_action_type": "uri""#, "action", " action_identifier=accept"),
        ("Open", #", "button_string": "later", "button_action_type": "CLOSE""#, "dismissed", ""),
        ("IosForeground", "", "displayed", ""),
    ])
    func `an event of push becomes a native one`(
        name: String, properties: String, kind: String, action: String
    ) throws {
        let posted = try post(Self.event(Self.push + name, properties))
        #expect(posted.events == ["kind=\(kind)\(action) \(Self.names)"])
        #expect(posted.submission.events.first?.text(.occurredAt) == "2026-05-28T20:10:00Z")
        #expect(!posted.body.contains("secret"))
        #expect(try posted.rejections.isEmpty)
    }

    @Test func `a bounce, which states no reason, is a failure and a lost token`() throws {
        let posted = try post(Self.event(Self.push + "Bounce", #", "push_token": "tok""#))
        #expect(
            posted.events == [
                "kind=failed \(Self.names) reason=bounced",
                "kind=token_failed device_id=d-1 platform=ios reason=bounced",
            ])
        #expect(try posted.rejections.isEmpty)
        #expect(Set(posted.ids).count == 2)
    }

    @Test(arguments: [("add", "token_registered", ""), ("remove", "token_failed", " reason=removed")])
    func `a change of a push token is about the device that owned it`(
        change: String, kind: String, reason: String
    ) throws {
        let posted = try post(
            #"""
            {"event_type": "users.behaviors.pushnotification.TokenStateChange", "id": "e", "time": 1,
             "user": {"external_user_id": "u-1"},
             "properties": {"platform": "android", "push_token": "tok", "push_token_device_id": "d-2", "time_ms": 1779999000250,
              "push_token_state_change_type": "\#(change)", "push_token_provisionally_opted_in": true}}
            """#)
        #expect(posted.events == ["kind=\(kind) device_id=d-2 platform=android\(reason)"])
        #expect(posted.submission.events.first?.text(.occurredAt) == "2026-05-28T20:10:00.250Z")
        #expect(try posted.rejections.isEmpty)
    }

    @Test(arguments: ["users.campaigns.Conversion", "users.canvas.Conversion"])
    func `a conversion names the behaviour`(type: String) throws {
        let posted = try post(
            Self.event(type, #", "conversion_behavior": "Made Purchase", "conversion_behavior_index": 0"#))
        #expect(posted.events == ["kind=converted \(Self.names) name=Made Purchase"])
        #expect(try posted.rejections.isEmpty)
    }

    @Test func `an uninstalled app is a lost token`() throws {
        let posted = try post(#"{"event_type": "users.behaviors.Uninstall", "id": "e", "user": {"device_id": "d-1"}}"#)
        #expect(posted.events == ["kind=token_failed device_id=d-1 reason=uninstalled"])
    }

    @Test func `the send, then the variation name the notification if there is no dispatch`() throws {
        func notification(_ properties: String) throws -> String? {
            try post(
                #"{"event_type": "users.messages.pushnotification.Open", "user": {"device_id": "d"}, "properties": {\#(properties)}}"#
            ).submission.events.first?.text(.notificationID)
        }
        #expect(try notification(#""dispatch_id": "", "send_id": "s", "message_variation_id": "v""#) == "s")
        #expect(try notification(#""message_variation_id": "v""#) == "v")
        #expect(try notification(#""campaign_id": "c""#) == nil)
    }

    @Test func `a canvas is the campaign of events without one`() throws {
        let posted = try post(
            #"""
            {"event_type": "users.messages.pushnotification.Send", "user": {"device_id": "d"},
             "properties": {"dispatch_id": "x", "canvas_id": "cv", "canvas_variation_id": "cvv", "platform": "kindle"}}
            """#)
        #expect(
            posted.events == ["kind=sent notification_id=x device_id=d campaign_id=cv variant=cvv platform=android"])
    }

    @Test(arguments: [
        ("users.messages.pushnotification.Abort", "other_type"),
        ("users.messages.pushnotification.Retry", "other_type"),
        ("users.messages.email.Open", "other_type"), ("users.messages.contentcard.Click", "other_type"),
        ("users.behaviors.Purchase", "unknown_name"), ("users.behaviors.app.SessionStart", "unknown_name"),
        ("users.messages.pushnotification.InfluencedOpen", "unknown_name"), ("users.future.Thing", "unknown_name"),
        ("users.behaviors.pushnotification.TokenStateChange", "other_type"),
    ])
    func `an event without a native kind is ignored, and costs its neighbours nothing`(
        type: String, reason: String
    ) throws {
        let posted = try post(Self.event(type), "7", Self.event(Self.push + "Send"))
        #expect(posted.events == ["kind=sent \(Self.names)"])
        #expect(posted.ignored == ["\(type): \(reason)", ": malformed"])
        #expect(posted.answer.status == 200)
    }

    @Test func `an event that comes again has the same ID`() throws {
        let event = Self.event(Self.push + "Send")
        let posted = try post(event, event, Self.event(Self.push + "Open"))
        #expect(posted.ids[0] == posted.ids[1] && posted.ids[0] != posted.ids[2])
    }

    /// Lines of files, as tools write Avro as JSON.
    private static let flat = #"""
        {"id": "7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0b01", "user_id": "bz-1", "external_user_id": {"string": "u-1"},
         "device_id": {"string": "d-1"}, "time": 1779999000, "platform": {"string": "ios"}, "os_version": {"string": "17.6.1"},
         "campaign_id": {"string": "c-1"}, "message_variation_id": {"string": "v-1"}, "dispatch_id": {"string": "di-1"},
         "canvas_id": null, "button_string": {"string": "accept"}, "button_action_type": {"string": "uri"}}
        """#

    private func readFlat(_ line: String, type: String?) throws -> DialectSubmission {
        var submission = DialectSubmission()
        let event = try #require(try JSONElement(Array(line.utf8)).object)
        BrazeEventReader(event, type: type, index: 0, DialectSettings(receivedAt: Posted.arrival))
            .read(into: &submission)
        return submission
    }

    @Test func `a line of a file with unions gives the same event as a request`() throws {
        let type = "users.messages.pushnotification.Open"
        let flat = try readFlat(Self.flat, type: type)
        let nested = try post(Self.event(type, #", "button_string": "accept", "button_action_type": "uri""#))
        #expect(flat.events == nested.submission.events && flat.events.count == 1)
        let key = EventIDKey([1])
        #expect(flat.body(.braze, key) == nested.submission.body(.braze, key))
    }

    @Test func `a line of an older file, which names no dispatch and no device, still gives an event`() throws {
        let line = #"""
            {"id": "e-1", "user_id": "bz-1", "external_user_id": {"string": "u-1"}, "app_id": "a", "time": 1510628494,
             "platform": "android", "campaign_id": {"string": "c-1"}, "message_variation_id": {"string": "v-1"},
             "canvas_id": null}
            """#
        let event = try #require(try readFlat(line, type: "users.messages.pushnotification.Send").events.first)
        #expect(event.text(.notificationID) == "v-1" && event.text(.deviceID) == "bz-1")
        #expect(event.text(.occurredAt) == "2017-11-14T03:01:34Z")
    }

    @Test func `the type in an event goes before that of its file`() throws {
        let line =
            #"{"event_type": {"string": "users.messages.pushnotification.Send"}, "dispatch_id": "x", "device_id": "d"}"#
        #expect(try readFlat(line, type: "users.messages.pushnotification.Open").events.first?.text(.kind) == "sent")
        #expect(try readFlat(#"{"dispatch_id": "x"}"#, type: nil).ignored.first?.reason == .unknownName)
    }

    @Test func `the path of a file states the type of its events`() {
        let path = "dataexport.prod/event_type=users.messages.pushnotification.Open/date=2026-05-28-20/442/part-0.avro"
        #expect(BrazeEventReader.type(ofFile: path) == "users.messages.pushnotification.Open")
        #expect(BrazeEventReader.type(ofFile: "events.json") == nil)
    }

    @Test func `the app's mapping takes back a button that its kind doesn't have`() throws {
        let posted = try Posted(
            #"{"events": [\#(Self.event(Self.push + "Open", #", "button_string": "b""#))]}"#, to: "/v1/hooks/braze"
        ) {
            $0.mappings = EventMappings([
                .init(
                    event: Self.push + "Open", where: ["properties.button_string": "b"], kind: "opened",
                    fields: ["campaign_id": "properties.campaign_name"])
            ])
        }
        #expect(posted.submission.events.first?.text(.kind) == "opened")
        #expect(posted.submission.events.first?.text(.campaignID) == "Spring")
        #expect(try posted.rejections.isEmpty)
    }

    @Test func `an array, one event and an empty list are read as well`() throws {
        let event = Self.event(Self.push + "Send")
        #expect(try Posted("[\(event)]", to: "/v1/hooks/braze").events.count == 1)
        #expect(try Posted(event, to: "/v1/hooks/braze").events.count == 1)
        let empty = try Posted(#"{"events": []}"#, to: "/v1/hooks/braze")
        #expect(empty.events.isEmpty && empty.ignored.isEmpty && empty.answer.status == 200)
    }
}

struct BrazeRecordTests {
    private static let flat = #"""
        {"id": "e-1", "user_id": "bz-1", "external_user_id": {"string": "u-1"}, "device_id": {"string": "d-1"},
         "app_id": "a", "time": 1779999000, "platform": "android", "campaign_id": {"string": "c-1"},
         "message_variation_id": {"string": "v-1"}, "dispatch_id": {"string": "di-1"}, "canvas_id": null}
        """#
    private static let nested = #"""
        {"event_type": "users.messages.pushnotification.Send", "id": "e-1", "time": 1779999000,
         "user": {"user_id": "bz-1", "external_user_id": "u-1", "device_id": "d-1"},
         "properties": {"platform": "android", "campaign_id": "c-1", "message_variation_id": "v-1", "dispatch_id": "di-1"}}
        """#

    @Test func `lines of files are recognised, and the path states the type of flat ones`() throws {
        let path = "exports/event_type=users.messages.pushnotification.Send/date=2026-05-28/part-0.json"
        let flat = try RecordReading(Self.flat, path: path)
        #expect(flat.family == .braze)
        #expect(flat.events == ["sent di-1 d-1 c-1 v-1 android 2026-05-28T20:10:00Z"])
        let nested = try RecordReading(Self.nested)
        #expect(nested.family == .braze && nested.events == flat.events)
        #expect(try nested.ids == flat.ids)
    }

    @Test func `flat lines of a file whose path states no type are ignored`() throws {
        #expect(try RecordReading(Self.flat).ignored == ["unknown_name "])
    }
}
