import AfterpushWire
import Dialects
import Testing

struct NativeHookTests {
    private func post(_ members: String) throws -> Posted {
        try Posted("{\(members)}", to: "/v1/hooks/native")
    }

    @Test func `texts for numbers, numbers for texts and empty texts are read as a template means them`() throws {
        let posted = try post(
            #"""
            "event_id": "order-17", "kind": "converted", "notification_id": 42, "device_id": 7, "occurred_at": "1779999000",
            "campaign_id": "", "variant": "a", "category_version": "3", "platform": "iOS", "value": "39.95", "currency": "eur",
            "name": "Order", "locale": "", "receipt": "", "order": 17, "properties": {"plan": "pro"}
            """#)
        #expect(
            posted.events == [
                "kind=converted notification_id=42 device_id=7 variant=a platform=ios name=Order currency=EUR"
            ])
        #expect(posted.submission.events.first?.text(.occurredAt) == "2026-05-28T20:10:00Z")
        #expect(posted.body.contains(#""value":39.95"#) && posted.body.contains(#""category_version":3"#))
        #expect(posted.body.contains(#""properties":{"order":"17","plan":"pro"}"#))
        #expect(try posted.rejections.isEmpty)
    }

    @Test func `an event needs neither an ID nor a time`() throws {
        let event = #""kind": "sent", "notification_id": "n", "device_id": "d", "event_id": """#
        let posted = try post(event)
        #expect(posted.submission.events.first?.text(.occurredAt) == Posted.arrival.description)
        #expect(try posted.rejections.isEmpty)
        #expect(try post(event).ids == posted.ids && posted.ids.count == 1)
    }

    @Test func `an ID of any form identifies the event with its kind and its device`() throws {
        func id(_ id: String, _ kind: String, _ device: String) throws -> String? {
            try post(#""event_id": "\#(id)", "kind": "\#(kind)", "notification_id": "n", "device_id": "\#(device)""#)
                .ids.first
        }
        let sent = try #require(try id("m-1", "sent", "d"))
        #expect(try id("m-1", "sent", "d") == sent)
        #expect(try id("m-1", "opened", "d") != sent)
        #expect(try id("m-1", "sent", "d2") != sent)
        #expect(try id("m-2", "sent", "d") != sent)
        let uuid = "7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0b01"
        #expect(try id(uuid.uppercased(), "sent", "d") == uuid)
    }

    @Test(arguments: [
        (#""kind": "tap""#, "kind=opened"), (#""kind": "tap", "action_identifier": """#, "kind=opened"),
        (#""kind": "tap", "action_identifier": "book""#, "kind=action action_identifier=book"),
        (#""kind": "Notification Clicked", "action_identifier": "book""#, "kind=action action_identifier=book"),
        (#""kind": "Push Impressions""#, "kind=delivered"), (#""kind": "SENT""#, "kind=sent"),
        (#""action_identifier": "book""#, "kind=action action_identifier=book"),
        (
            #""action_identifier": "reply", "user_text": "hello""#,
            "kind=text_input action_identifier=reply user_text=hello"
        ),
    ])
    func `the kind can be a native one, a tap, or a name of another system`(members: String, kind: String) throws {
        let posted = try post(members + #", "notification_id": "n", "device_id": "d""#)
        #expect(posted.events == ["\(kind) notification_id=n device_id=d"])
        #expect(try posted.rejections.isEmpty)
    }

    @Test(arguments: [
        (#""kind": "sent", "device_id": "d""#, "sent: no_notification"),
        (#""kind": "sent", "notification_id": "n", "device_id": """#, "sent: no_device"),
        (#""kind": "teleported", "notification_id": "n", "device_id": "d""#, "teleported: unknown_name"),
        (#""kind": "", "notification_id": "n", "device_id": "d""#, ": unknown_name"), ("", ": unknown_name"),
    ])
    func `what a template left empty costs the event, but is answered 200`(members: String, ignored: String) throws {
        let posted = try post(members)
        #expect(posted.events.isEmpty && posted.ignored == [ignored])
        #expect(posted.answer.status == 200)
    }

    @Test func `an e-mail address in the place of a device is hashed`() throws {
        let posted = try post(#""kind": "sent", "notification_id": "n", "device_id": "ada@example.com""#)
        #expect(posted.submission.events.first?.text(.deviceID)?.hasPrefix("sha256:") == true)
        #expect(!posted.body.contains("ada@"))
    }

    @Test func `an unknown platform is left out, and several events are read`() throws {
        let event = #"{"kind": "sent", "notification_id": "n", "device_id": "d", "platform": "toaster"}"#
        let posted = try Posted(#"{"events": [\#(event), 7]}"#, to: "/v1/hooks/native")
        #expect(posted.events == ["kind=sent notification_id=n device_id=d"])
        #expect(posted.ignored == [": malformed"])
    }
}
