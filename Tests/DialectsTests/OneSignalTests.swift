import AfterpushWire
import Dialects
import Testing

struct OneSignalStreamTests {
    private static let id = "7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0b01"

    /// One event in the three forms that customers write.
    private static let forms = [
        #"""
        {"event.kind": "message.push.clicked", "event.id": "7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0b01", "event.timestamp": 1779999000,
         "event.datetime": "2026-05-28T20:10:00.228Z", "event.app_id": "a", "event.subscription_device_type": "iOS",
         "event.subscription_id": "sub-1", "event.onesignal_id": "os-1", "event.external_id": "user_12345",
         "event.data.failure_reason": "", "message.id": "m-1", "message.template_id": "t-1", "message.name": "Spring",
         "message.title": "secret", "message.contents": "secret"}
        """#,
        #"""
        {"event": {"kind": "message.push.clicked", "id": "7B0F4F6E-3C1D-4B53-9A53-0D7C1F1F0B01", "timestamp": "1779999000",
          "datetime": "2026-05-28T20:10:00.228Z", "subscription_device_type": "iOS", "subscription_id": "sub-1",
          "data": {"failure_reason": ""}},
         "message": {"id": "m-1", "template_id": "t-1", "name": "Spring", "contents": "secret"},
         "user": {"external_id": "user_12345", "email": "secret@example.com"}}
        """#,
        #"""
        {"event_kind": "message.push.clicked", "event_id": "7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0b01", "event_timestamp": 1779999000,
         "event_datetime": "2026-05-28T20:10:00.228Z", "event_subscription_device_type": "iOS",
         "event_subscription_id": "sub-1", "message_id": "m-1", "message_template_id": "t-1", "message_name": "Spring",
         "title": "secret"}
        """#,
    ]

    @Test func `dotted, nested and underscored bodies give the same event`() throws {
        let posted = try Self.forms.map { try Posted($0, to: "/v1/hooks/onesignal") }
        for one in posted {
            #expect(one.events == ["kind=opened notification_id=m-1 device_id=sub-1 campaign_id=t-1 platform=ios"])
            #expect(one.submission.events[0].text(.occurredAt) == "2026-05-28T20:10:00.228Z")
            #expect(one.ids.count == 1 && one.ids == posted[0].ids)
            #expect(!one.body.contains("secret"))
            #expect(try one.rejections.isEmpty)
        }
    }

    @Test(arguments: [
        ("message.push.sent", "kind=sent"), ("message.push.received", "kind=delivered"),
        ("message.push.clicked", "kind=opened"), ("Message.Push.Clicked", "kind=opened"),
    ])
    func `a kind of push becomes a native kind`(name: String, kind: String) throws {
        let posted = try Posted(
            #"{"event.kind": "\#(name)", "message.id": "m-1", "event.subscription_id": "s"}"#, to: "/v1/hooks/onesignal"
        )
        #expect(posted.events == ["\(kind) notification_id=m-1 device_id=s"])
    }

    @Test func `a failure has its reason, and one of a token that is gone is a lost token as well`() throws {
        func failed(_ reason: String) throws -> Posted {
            try Posted(
                #"""
                {"event.kind": "message.push.failed", "event.data": {"failure_reason": "\#(reason)"}, "message.id": "m-1",
                 "event.subscription_id": "s", "event.id": "\#(Self.id)"}
                """#, to: "/v1/hooks/onesignal")
        }
        #expect(try failed("Rate limit").events == ["kind=failed notification_id=m-1 device_id=s reason=Rate limit"])
        #expect(try failed("").events == ["kind=failed notification_id=m-1 device_id=s reason=unknown"])
        let lost = try failed("NotRegistered")
        #expect(
            lost.events == [
                "kind=failed notification_id=m-1 device_id=s reason=NotRegistered",
                "kind=token_failed device_id=s reason=NotRegistered",
            ])
        #expect(Set(lost.ids).count == 2)
    }

    @Test func `an end of subscription is about the device, not about the notification`() throws {
        let posted = try Posted(
            #"{"event.kind": "message.push.unsubscribed", "message.id": "m-1", "event.subscription_id": "s"}"#,
            to: "/v1/hooks/onesignal")
        #expect(posted.events == ["kind=permission_revoked device_id=s"])
    }

    @Test(arguments: [
        ("message.email.opened", "other_type"), ("message.sms.sent", "other_type"),
        ("message.iam.clicked", "other_type"), ("message.live_activity.sent", "other_type"),
        ("message.push.teleported", "unknown_name"), ("", "unknown_name"),
    ])
    func `other channels and unknown kinds are ignored and answered 200`(name: String, reason: String) throws {
        let posted = try Posted(
            #"{"event.kind": "\#(name)", "message.id": "m-1", "event.subscription_id": "s"}"#, to: "/v1/hooks/onesignal"
        )
        #expect(posted.events.isEmpty)
        #expect(posted.ignored == ["\(name): \(reason)"])
        #expect(posted.answer.status == 200)
    }

    @Test func `a late click whose message fields are blank is ignored for want of a notification`() throws {
        let posted = try Posted(
            #"{"event.kind": "message.push.clicked", "message.id": "", "message": {"id": null}, "event.subscription_id": "s"}"#,
            to: "/v1/hooks/onesignal")
        #expect(posted.ignored == ["message.push.clicked: no_notification"])
    }

    @Test(arguments: [
        ("iOS", "ios"), ("Android", "android"), ("Chrome", "web"), ("Firefox", "web"), ("Safari", "web"),
        ("iOSPush", "ios"), ("ChromePush", "web"), ("Huawei", "android"),
    ])
    func `a type of subscription is a platform`(type: String, platform: String) throws {
        let posted = try Posted(
            #"{"event.kind": "message.push.sent", "message.id": "m", "event.subscription_id": "s", "event.subscription_device_type": "\#(type)"}"#,
            to: "/v1/hooks/onesignal")
        #expect(posted.submission.events.first?.text(.platform) == platform)
    }

    @Test func `an unknown type of subscription leaves the platform out`() throws {
        let posted = try Posted(
            #"{"event.kind": "message.push.sent", "message.id": "m", "event.subscription_id": "s", "event.subscription_device_type": "Toaster"}"#,
            to: "/v1/hooks/onesignal")
        #expect(posted.events == ["kind=sent notification_id=m device_id=s"])
    }

    @Test func `the time is that of the text, else of the number, else of the arrival`() throws {
        func time(_ members: String) throws -> String? {
            try Posted(
                #"{"event.kind": "message.push.sent", "message.id": "m", "event.subscription_id": "s"\#(members)}"#,
                to: "/v1/hooks/onesignal"
            ).submission.events.first?.text(.occurredAt)
        }
        #expect(try time(#", "event.timestamp": "1779999000""#) == "2026-05-28T20:10:00Z")
        #expect(try time(#", "event.timestamp": 1779999000, "event.datetime": "soon""#) == "2026-05-28T20:10:00Z")
        #expect(try time("") == Posted.arrival.description)
    }

    @Test func `the app's order of names decides which part names the device`() throws {
        let posted = try Posted(Self.forms[0], to: "/v1/hooks/onesignal") { $0.deviceOrder = [.userID, .token] }
        #expect(posted.submission.events.first?.text(.deviceID) == "user_12345")
    }

    @Test func `the app's mapping and an object of native fields go before the kind`() throws {
        let mapped = try Posted(
            #"{"event.kind": "message.push.seen", "message.id": "m", "event.subscription_id": "s"}"#,
            to: "/v1/hooks/onesignal"
        ) { $0.mappings = EventMappings([.init(dialect: "onesignal", event: "message.push.seen", kind: "displayed")]) }
        #expect(mapped.events == ["kind=displayed notification_id=m device_id=s"])
        let stated = try Posted(
            #"{"event.kind": "x", "afterpush": {"action_identifier": "book", "notification_id": "n"}, "event.subscription_id": "s"}"#,
            to: "/v1/hooks/onesignal")
        #expect(stated.events == ["action_identifier=book notification_id=n device_id=s"])
    }

    @Test(arguments: [#""text""#, "1", "null", "[1]", "[null]"])
    func `a body without an event is ignored and answered 200`(body: String) throws {
        let posted = try Posted(body, to: "/v1/hooks/onesignal")
        #expect(posted.events.isEmpty && posted.ignored == [": malformed"])
        #expect(posted.answer.status == 200)
    }

    @Test func `a body that is cut off is malformed`() {
        #expect(throws: DialectError.self) { try Posted(#"{"event.kind": "message.pu"#, to: "/v1/hooks/onesignal") }
    }
}

struct OneSignalWebTests {
    private func post(_ members: String) throws -> Posted {
        try Posted(
            #"{\#(members), "heading": "secret", "content": "secret", "url": "https://secret"}"#,
            to: "/v1/hooks/onesignal-web", headers: ["content-type": "text/plain"])
    }

    @Test(arguments: [
        (#""event": "notification.willDisplay""#, "kind=displayed"),
        (#""event": "notification.displayed""#, "kind=displayed"),
        (#""event": "notification.clicked""#, "kind=opened"),
        (#""event": "notification.clicked", "actionId": """#, "kind=opened"),
        (#""event": "notification.clicked", "actionId": "like-button""#, "kind=action action_identifier=like-button"),
        (#""event": "notification.dismissed""#, "kind=dismissed"),
    ])
    func `what a browser reports becomes a native event of the web`(event: String, native: String) throws {
        let posted = try post(event + #", "notificationId": "n-1", "subscriptionId": "s-1""#)
        #expect(posted.events == ["\(native) notification_id=n-1 device_id=s-1 platform=web"])
        #expect(posted.submission.events.first?.text(.occurredAt) == Posted.arrival.description)
        #expect(!posted.body.contains("secret"))
        #expect(try posted.rejections.isEmpty)
    }

    @Test func `events without a subscription, which come without CORS, name no device`() throws {
        let posted = try post(#""event": "notification.clicked", "notificationId": "n-1""#)
        #expect(posted.ignored == ["notification.clicked: no_device"])
        #expect(posted.answer.status == 200)
    }

    @Test func `an unknown event is ignored`() throws {
        let posted = try post(#""event": "permission.prompted", "subscriptionId": "s""#)
        #expect(posted.ignored == ["permission.prompted: unknown_name"])
    }

    @Test func `a repeated event has the same ID, and other events of the notification have others`() throws {
        func id(_ event: String, _ subscription: String = "s-1") throws -> String? {
            try post(#""event": "\#(event)", "notificationId": "n-1", "subscriptionId": "\#(subscription)""#).ids.first
        }
        let displayed = try #require(try id("notification.willDisplay"))
        #expect(try id("notification.willDisplay") == displayed)
        #expect(try id("notification.displayed") == displayed)
        #expect(try id("notification.clicked") != displayed)
        #expect(try id("notification.willDisplay", "s-2") != displayed)
    }

    @Test func `a receipt in the notification's data names the notification and the device`() throws {
        // {"alg":"HS256"}.{"jti":"n-9","sub":"d-9"}
        let receipt = "eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJuLTkiLCJzdWIiOiJkLTkifQ.c2ln"
        let posted = try post(
            #""event": "notification.clicked", "notificationId": "n-1", "subscriptionId": "s", "additionalData": {"afterpush": "\#(receipt)"}"#
        )
        #expect(posted.events == ["kind=opened receipt=\(receipt) platform=web"])
    }

    @Test func `a key of scope ingest suffices, because nothing says that something was sent`() throws {
        var submission = try post(#""event": "notification.clicked", "notificationId": "n", "subscriptionId": "s""#)
            .submission
        submission.ignoreSends()
        #expect(submission.events.count == 1)
    }
}

struct HookTests {
    @Test func `an unknown webhook is answered 404 with the names of those that exist`() throws {
        let request = DialectRequest("POST", "/v1/hooks/leanplum")
        let (dialect, route) = try #require(DialectTable.find(request))
        #expect(route.purpose == .sideCall)
        let answer = dialect.answer(DialectOutcome(received: 0, receivedAt: Posted.arrival), to: request)
        #expect(answer.status == 404 && answer.contentType == "application/problem+json")
        let body = String(decoding: answer.body, as: UTF8.self)
        #expect(body.contains(UnknownHook.names.joined(separator: ", ")))
        #expect(UnknownHook.names.contains("onesignal-web"))
        #expect(body.contains("hook_unknown"))
    }

    @Test func `a webhook that exists is not taken for an unknown one`() throws {
        for name in UnknownHook.names {
            let (_, route) = try #require(DialectTable.find(DialectRequest("POST", "/v1/hooks/\(name)")))
            #expect(route.purpose == .events, "\(name)")
        }
    }

    @Test(arguments: [
        ("Ada@Example.com ", "sha256:b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72"),
        ("d-1", "d-1"), ("a@b", "a@b"), ("@home.example", "@home.example"), ("arn:aws:sns:a@b.c", "arn:aws:sns:a@b.c"),
    ])
    func `the device's name is hashed if it is an e-mail address`(text: String, name: String) {
        #expect(DeviceName.stored(text) == name)
    }

    @Test func `a device's name that is too long is hashed`() {
        let name = DeviceName.stored(String(repeating: "t", count: 257))
        #expect(name?.hasPrefix("sha256:") == true && name?.utf8.count == 71)
        #expect(DeviceName.stored(String(repeating: "t", count: 256))?.utf8.count == 256)
        #expect(DeviceName.stored("") == nil)
    }
}
