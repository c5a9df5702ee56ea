import Dialects
import Testing

struct IterableTests {
    private func post(_ name: String, _ fields: String, more: String = "") throws -> Posted {
        try Posted(
            #"{"email": "ada@example.com"\#(more), "eventName": "\#(name)", "dataFields": {\#(fields)}}"#,
            to: "/v1/hooks/iterable")
    }

    private static let ada = "sha256:b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72"
    private static let message =
        #""createdAt": "2026-05-28 20:10:00 +00:00", "messageId": "0fce0573", "campaignId": 5555, "campaignName": "Spring", "templateId": 7, "contentId": 1, "channelId": 2, "experimentId": null"#
    private static let device =
        #", "deviceInfo": {"deviceId": "d-1", "platform": "APNS", "appPackageName": "com.example"}"#

    @Test(arguments: [
        ("pushSend", "kind=sent", "platform=ios"), ("pushOpen", "kind=opened", "platform=ios"),
        ("webPushSend", "kind=sent", "platform=web"), ("webPushClick", "kind=opened", "platform=web"),
    ])
    func `an event becomes a native one`(name: String, kind: String, platform: String) throws {
        let posted = try post(name, Self.message + Self.device)
        #expect(posted.events == ["\(kind) notification_id=0fce0573 device_id=d-1 campaign_id=5555 \(platform)"])
        #expect(posted.submission.events.first?.text(.occurredAt) == "2026-05-28T20:10:00+00:00")
        #expect(!posted.body.contains("ada@example.com"))
        #expect(try posted.rejections.isEmpty)
    }

    @Test func `an e-mail address is hashed, never stored`() throws {
        let posted = try post("pushSend", Self.message)
        #expect(posted.events == ["kind=sent notification_id=0fce0573 device_id=\(Self.ada) campaign_id=5555"])
        #expect(!posted.body.contains("ada@"))
        let byUser = try post("pushSend", Self.message, more: #", "userId": "u-1""#)
        #expect(byUser.submission.events.first?.text(.deviceID) == "u-1")
    }

    @Test(arguments: [
        (#", "deviceInfo": {"deviceId": "d"}, "platformEndpoint": "arn""#, "d"),
        (#", "platformEndpoint": "arn""#, "arn"),
        (#", "browserToken": "bt""#, "bt"), ("", ada),
    ])
    func `the first part that is there names the device`(fields: String, device: String) throws {
        #expect(try post("pushSend", Self.message + fields).submission.events.first?.text(.deviceID) == device)
    }

    @Test func `a bounce is a failure and a lost token`() throws {
        let posted = try post("pushBounce", Self.message + Self.device + #", "platformEndpoint": "arn""#)
        #expect(
            posted.events == [
                "kind=failed notification_id=0fce0573 device_id=d-1 campaign_id=5555 platform=ios reason=bounced",
                "kind=token_failed device_id=d-1 platform=ios reason=bounced",
            ])
        #expect(try posted.rejections.isEmpty)
        let reason = try post("pushBounce", Self.message + Self.device + #", "reason": "EndpointDisabled""#)
        #expect(reason.submission.events.first?.text(.reason) == "EndpointDisabled")
    }

    @Test func `an uninstallation is a lost token`() throws {
        let posted = try post("pushUninstall", Self.message + #", "isGhostPush": true, "platformEndpoint": "arn""#)
        #expect(posted.events == ["kind=token_failed device_id=arn campaign_id=5555 reason=uninstalled"])
        #expect(try posted.rejections.isEmpty)
    }

    @Test(arguments: [
        ("pushSend", #", "isGhostPush": true"#, "other_type"),
        ("pushSendSkip", #", "reason": "DuplicateMessage""#, "other_type"),
        ("webPushSendSkip", "", "other_type"), ("emailOpen", "", "other_type"), ("inAppClick", "", "other_type"),
        ("smsSend", "", "other_type"), ("pushDismiss", "", "unknown_name"), ("customEvent", "", "unknown_name"),
        ("", "", "unknown_name"),
    ])
    func `skipped sends, ghost pushes and others are ignored and answered 200`(
        name: String, fields: String, reason: String
    ) throws {
        let posted = try post(name, Self.message + Self.device + fields)
        #expect(posted.events.isEmpty)
        #expect(posted.ignored == ["\(name): \(reason)"])
        #expect(posted.answer.status == 200)
    }

    @Test func `the payload's own ID goes before the message's, and a receipt before both`() throws {
        let own = try post("pushOpen", Self.message + Self.device + #", "payload": {"msgid": "n-1"}"#)
        #expect(own.submission.events.first?.text(.notificationID) == "n-1")
        // {"alg":"HS256"}.{"jti":"n-9","sub":"d-9"}
        let receipt = "eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJuLTkiLCJzdWIiOiJkLTkifQ.c2ln"
        let posted = try post("pushOpen", Self.message + Self.device + #", "payload": {"afterpush": "\#(receipt)"}"#)
        #expect(posted.events == ["kind=opened campaign_id=5555 receipt=\(receipt) platform=ios"])
    }

    @Test func `the old form of pushOpen, without a message, names no notification`() throws {
        let posted = try post("pushOpen", #""createdAt": "2016-12-08 00:53:11 +00:00", "campaignId": 1"#)
        #expect(posted.ignored == ["pushOpen: no_notification"])
        #expect(posted.answer.status == 200)
    }

    @Test func `a button is an action, and typed text is never stored`() throws {
        let button = try post("pushOpen", Self.message + Self.device + #", "actionIdentifier": "book""#)
        #expect(button.submission.events.first?.text(.kind) == "action")
        let reply = try post(
            "pushOpen", Self.message + Self.device + #", "actionIdentifier": "reply", "userText": "secret""#)
        #expect(reply.submission.events.first?.text(.kind) == "text_input")
        #expect(reply.submission.events.first?.text(.actionIdentifier) == "reply")
        #expect(!reply.body.contains("secret"))
        #expect(try reply.rejections.isEmpty)
        let body = try post("pushOpen", Self.message + Self.device + #", "actionIdentifier": "default""#)
        #expect(body.submission.events.first?.text(.kind) == "opened")
    }

    @Test func `an event that comes again has the same ID, and one at another time another`() throws {
        func id(_ name: String, _ time: String) throws -> String? {
            try post(name, #""createdAt": "\#(time)", "messageId": "m", "platformEndpoint": "arn""#).ids.first
        }
        let first = try #require(try id("pushOpen", "2026-05-28 20:10:00 +00:00"))
        #expect(try id("pushOpen", "2026-05-28 20:10:00 +00:00") == first)
        #expect(try id("pushOpen", "2026-05-28 20:10:01 +00:00") != first)
        #expect(try id("pushSend", "2026-05-28 20:10:00 +00:00") != first)
    }

    @Test func `a missing or odd object of fields costs nothing but the event`() throws {
        for body in [
            #"{"eventName": "pushOpen"}"#, #"{"eventName": "pushOpen", "dataFields": []}"#,
            #"{"eventName": "pushOpen", "dataFields": {"payload": "text", "deviceInfo": null, "createdAt": 7}}"#,
            #"{"eventName": 7, "dataFields": null}"#, "[]",
        ] {
            let posted = try Posted(body, to: "/v1/hooks/iterable")
            #expect(posted.events.isEmpty && posted.answer.status == 200)
        }
    }
}
