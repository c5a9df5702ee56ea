import AfterpushWire
import Dialects
import Events
import JSON
import Testing

struct CloudEventsTests {
    private static let receivedAt = Timestamp(microseconds: 1_795_415_641_000_000)

    private static func read(
        _ body: String, _ type: String? = "application/cloudevents+json", headers: [String: String] = [:],
        _ change: (inout DialectSettings) -> Void = { _ in }
    ) throws -> DialectSubmission {
        var headers = headers
        headers["content-type"] = type
        let request = DialectRequest("POST", "/v1/cloudevents", headers: headers, body: Array(body.utf8))
        let (dialect, route) = try #require(DialectTable.find(request))
        #expect(dialect.family == .cloudevents && route.purpose == .events)
        var settings = DialectSettings(receivedAt: receivedAt)
        change(&settings)
        return dialect.read(try dialect.parse(request), request, settings)
    }

    /// An event that names its delivery, with members before the end of the document.
    private static func document(_ members: String = "", type: String = "push.notification.opened") -> String {
        #"{"specversion":"1.0","type":"\#(type)","source":"/devices/D1","id":"e-1","subject":"n-1"\#(members)}"#
    }

    private static func event(_ submission: DialectSubmission) throws -> NativeEvent {
        #expect(submission.ignored.isEmpty)
        return try #require(submission.events.first)
    }

    private static func text(_ event: IgnoredEvent) -> String {
        "\(event.index) \(event.name) \(event.reason.rawValue)"
    }

    private static let binary = [
        "ce-specversion": "1.0", "ce-type": "push.notification.opened", "ce-source": "/devices/D1", "ce-id": "e-1",
        "ce-subject": "n-1",
    ]

    // MARK: What the client in Python posts

    @Test func `the Python client's structured event becomes the action of its notification`() throws {
        let event = try Self.event(
            Self.read(
                #"{"type": "push.notification.action", "source": "/devices/D1", "id": "e-1", "specversion": "1.0", "time": "2026-11-21T00:21:36.123456Z", "subject": "n 1 \u00dcn\u00efc 50%", "datacontenttype": "application/json", "campaignid": "c\"1", "data": {"action_identifier": "ACCEPT"}}"#
            ))
        #expect(event.text(.kind) == "action")
        #expect(event.text(.actionIdentifier) == "ACCEPT")
        #expect(event.text(.notificationID) == "n 1 Ünïc 50%")
        #expect(event.text(.deviceID) == "D1")
        #expect(event.text(.campaignID) == #"c"1"#)
        #expect(event.text(.occurredAt) == "2026-11-21T00:21:36.123456Z")
        #expect(!event.has(.utcOffsetMinutes))
    }

    @Test func `the Python client's binary event is the same event as its structured one`() throws {
        let headers = [
            "ce-type": "push.notification.action", "ce-source": "/devices/D1", "ce-id": "e-1", "ce-specversion": "1.0",
            "ce-time": "2026-11-21T00:21:36.123456Z", "ce-subject": "n%201%20%C3%9Cn%C3%AFc%2050%25",
            "ce-campaignid": "c%221",
        ]
        let binary = try Self.event(
            Self.read(#"{"action_identifier": "ACCEPT"}"#, "application/json", headers: headers))
        let structured = try Self.event(
            Self.read(
                #"{"type": "push.notification.action", "source": "/devices/D1", "id": "e-1", "specversion": "1.0", "time": "2026-11-21T00:21:36.123456Z", "subject": "n 1 \u00dcn\u00efc 50%", "datacontenttype": "application/json", "campaignid": "c\"1", "data": {"action_identifier": "ACCEPT"}}"#
            ))
        #expect(binary == structured)
        #expect(binary.json(.cloudevents, EventIDKey([1])) == structured.json(.cloudevents, EventIDKey([1])))
    }

    @Test(arguments: ["", "text", "\u{0}\u{1}", #"{"notification_id":"n-2"}"#])
    func `a binary event may have no content type and any data`(_ data: String) throws {
        let event = try Self.event(Self.read(data, nil, headers: Self.binary))
        #expect(event.text(.kind) == "opened")
        #expect(event.text(.notificationID) == (data.hasPrefix("{") ? "n-2" : "n-1"))
    }

    @Test func `the older helper's time and its unencoded percent sign are read`() throws {
        var headers = Self.binary
        headers["ce-time"] = "2026-11-25T07:24:16.434256+00:00"
        headers["ce-subject"] = "50%"
        let event = try Self.event(Self.read("{}", nil, headers: headers))
        #expect(event.text(.occurredAt) == "2026-11-25T07:24:16.434256+00:00")
        #expect(event.text(.notificationID) == "50%")
    }

    @Test func `data that are bytes or a text don't cost the event`() throws {
        for data in [#","data_base64":"AP8=""#, #","data":"text""#, #","data":[1]"#, #","data":null"#, ""] {
            #expect(try Self.event(Self.read(Self.document(data))).text(.kind) == "opened")
        }
    }

    @Test func `an object within bytes or a text is data`() throws {
        for data in [#","data_base64":"eyJjYW1wYWlnbl9pZCI6ImMtMSJ9""#, #","data":"{\"campaign_id\":\"c-1\"}""#] {
            #expect(try Self.event(Self.read(Self.document(data))).text(.campaignID) == "c-1")
        }
    }

    @Test(arguments: [
        ("eyJjYW1wYWlnbl9pZCI6ImF+Pj/ev9+/In0=", true), ("eyJjYW1wYWlnbl9pZCI6ImF-Pj_ev9-_In0", true),
        ("eyJjYW1wYWlnbl9pZCI6ImF Pj/ev9 /In0=", true), ("eyJjYW1wYWlnbl9pZCI6\\r\\nImF+Pj/ev9+/In0=\\r\\n", true),
        ("eyJjYW1wYWlnbl9pZCI6ImF+Pj/ev9+/I", false), ("eyJjYW1wYWlnbl9pZCI6ImF%Pj/ev9+/In0=", false), ("", false),
    ])
    func `bytes are read in either alphabet of base64`(_ base64: String, _ isValid: Bool) throws {
        let event = try Self.event(Self.read(Self.document(#","data_base64":"\#(base64)""#)))
        #expect(event.text(.campaignID) == (isValid ? "a~>?\u{07BF}\u{07FF}" : nil))
    }

    // MARK: Modes

    @Test(arguments: [
        "application/cloudevents+json", "Application/CloudEvents+JSON; charset=UTF-8", "application/cloudevents",
        "application/json", "text/plain", nil,
    ])
    func `a document is one event whatever the case of its type`(_ type: String?) throws {
        #expect(try Self.read(Self.document(), type).events.count == 1)
    }

    @Test(arguments: ["application/cloudevents-batch+json", "APPLICATION/CLOUDEVENTS-BATCH+JSON;charset=utf-8"])
    func `one bad event of a batch is ignored, and the others count`(_ type: String) throws {
        let submission = try Self.read(
            "[\(Self.document()), 7, {}, \(Self.document(#","specversion":"0.3""#)), \(Self.document(type: "com.example.order"))]",
            type)
        #expect(submission.events.map(\.index) == [0])
        #expect(
            submission.ignored.map(Self.text) == [
                "1  malformed",
                "2  malformed",
                "3 push.notification.opened malformed",
                "4 com.example.order unknown_name",
            ])
    }

    @Test func `an empty batch is valid`() throws {
        let submission = try Self.read("[]", "application/cloudevents-batch+json")
        #expect(submission.events.isEmpty && submission.ignored.isEmpty)
    }

    @Test func `the batch's type is recognised before the shorter one that it begins with`() {
        #expect(throws: DialectError.malformed("the body is no array of events")) {
            try Self.read(Self.document(), "application/cloudevents-batch+json")
        }
        #expect(throws: DialectError.malformed("the event is no object")) { try Self.read("[]") }
    }

    @Test func `the type of the content goes before headers of the binary mode`() throws {
        let event = try Self.event(Self.read(Self.document(), headers: ["ce-type": "com.example.order"]))
        #expect(event.text(.kind) == "opened")
    }

    @Test(arguments: [
        "application/cloudevents+avro", "application/cloudevents-batch+protobuf", "application/cloudeventsx",
    ])
    func `formats other than JSON are refused`(_ type: String) {
        #expect(throws: DialectError.unsupportedMediaType("of CloudEvents, only the JSON format can be read")) {
            try Self.read(Self.document(), type)
        }
    }

    @Test func `a body that is no event at all is refused as of an unknown type`() {
        #expect(
            throws: DialectError.unsupportedMediaType("the request has neither ce- headers nor a type of CloudEvents")
        ) {
            try Self.read("event=opened", "application/x-www-form-urlencoded")
        }
    }

    @Test func `a document that is cut off is refused`() {
        for body in ["", "{", String(Self.document().dropLast())] {
            #expect(throws: DialectError.self) { try Self.read(body) }
        }
        #expect(throws: DialectError.self) { try Self.read("{", "application/json", headers: Self.binary) }
    }

    @Test(arguments: ["type", "source", "id", "specversion"])
    func `a single event without what each must have is refused`(_ attribute: String) {
        let expected =
            attribute == "specversion" ? "specversion is not 1.0" : "the event has no \(attribute)"
        var headers = Self.binary
        headers["ce-\(attribute)"] = nil
        #expect(throws: DialectError.malformed(expected)) { try Self.read("", nil, headers: headers) }
        #expect(throws: DialectError.malformed(expected)) { try Self.read(Self.document(#","\#(attribute)":null"#)) }
    }

    @Test func `the path of native events is shared by type or headers`() {
        func isCloudEvent(_ headers: [String: String]) -> Bool {
            CloudEvents.isCloudEvent(DialectRequest("POST", "/v1/events", headers: headers))
        }
        #expect(isCloudEvent(["content-type": "Application/CloudEvents+json; charset=utf-8"]))
        #expect(isCloudEvent(["content-type": "application/cloudevents-batch+json"]))
        #expect(isCloudEvent(Self.binary))
        #expect(!isCloudEvent(["content-type": "application/json"]))
        #expect(!isCloudEvent(["content-type": "application/x-ndjson", "cefoo": "1"]))
        #expect(!isCloudEvent([:]))
    }

    // MARK: Headers

    @Test(arguments: [
        ("n%201", "n 1"), ("n%2525", "n%25"), ("%c3%9c", "Ü"), ("Ü", "Ü"), (#""n 1""#, "n 1"),
        (#""a \"b\" \\ c""#, #"a "b" \ c"#), (#""n%201""#, "n 1"), ("100%", "100%"), ("%zz", "%zz"), ("%4", "%4"),
        ("%41%", "A%"),
    ])
    func `headers are unquoted and then decoded once`(_ header: String, _ value: String) throws {
        var headers = Self.binary
        headers["ce-subject"] = header
        #expect(try Self.event(Self.read("", nil, headers: headers)).text(.notificationID) == value)
    }

    @Test(arguments: ["%C0%A0", "%FF", "n%20%C3", "%ED%A0%80", "n\u{FFFD}"])
    func `an attribute that is no valid UTF-8 is refused`(_ header: String) {
        for name in ["ce-subject", "ce-type", "ce-other"] {
            var headers = Self.binary
            headers[name] = header
            #expect(throws: DialectError.malformed("an attribute is no valid UTF-8")) {
                try Self.read("", nil, headers: headers)
            }
        }
    }

    @Test func `headers can't state the data or their type`() throws {
        var headers = Self.binary
        headers["ce-datacontenttype"] = "image/png"
        headers["ce-data"] = "x"
        headers["ce-"] = "x"
        let event = try Self.event(Self.read(#"{"campaign_id":"c-1"}"#, "application/json", headers: headers))
        #expect(event.text(.campaignID) == "c-1")
    }

    // MARK: Names

    @Test(arguments: [
        ("push.notification.delivered", "delivered"), ("com.afterpush.opened", "opened"),
        ("afterpush.dismissed", "dismissed"), ("com.example.push.notification.sent", "sent"),
        ("Push.Notification.Token-Registered", "token_registered"), ("afterpush.app_opened", "app_opened"),
        ("afterpush.appOpened", "app_opened"), ("COM.AFTERPUSH.HELD_OUT", "held_out"),
    ])
    func `the type's last word after a known prefix is the kind`(_ type: String, _ kind: String) throws {
        #expect(try Self.event(Self.read(Self.document(type: type))).text(.kind) == kind)
    }

    @Test(arguments: [
        "opened", "com.example.opened", "afterpush", "afterpush.banana", "push.notification.", "notafterpush.opened",
        "xpush.notification.opened", "afterpush.opened.v2", "push.notification.opened.",
    ])
    func `other types are ignored by their name`(_ type: String) throws {
        let submission = try Self.read(Self.document(#","data":{"title":"x"}"#, type: type))
        #expect(submission.events.isEmpty)
        #expect(submission.ignored.map(Self.text) == ["0 \(type) unknown_name"])
    }

    @Test func `the data may state the kind`() throws {
        let document = Self.document(#","data":{"kind":"dismissed"}"#, type: "com.afterpush.event")
        #expect(try Self.event(Self.read(document)).text(.kind) == "dismissed")
    }

    @Test func `an object named afterpush makes an event of any type exact`() throws {
        let data =
            #","data":{"device_id":"D9","afterpush":{"kind":"action","notification_id":"n-9","action_identifier":"book"}}"#
        let event = try Self.event(Self.read(Self.document(data, type: "com.example.order")))
        #expect(event.text(.kind) == "action")
        #expect(event.text(.notificationID) == "n-9")
        #expect(event.text(.actionIdentifier) == "book")
        #expect(event.text(.deviceID) == "D9")
    }

    @Test func `a mapping of the app names events that no prefix does`() throws {
        let document = Self.document(
            #","data":{"channel":"push","button":"book"}"#, type: "com.example.clicked")
        let event = try Self.event(
            Self.read(document) {
                $0.mappings = EventMappings([
                    .init(
                        dialect: "cloudevents", event: "com.example.clicked", where: ["data.channel": "push"],
                        kind: "tap", fields: ["action_identifier": "data.button"])
                ])
            })
        #expect(event.text(.kind) == "action")
        #expect(event.text(.actionIdentifier) == "book")
        #expect(event.text(.notificationID) == "n-1")
    }

    // MARK: Fields

    @Test func `data state native fields, whatever their types`() throws {
        let event = try Self.event(
            Self.read(
                Self.document(
                    #"""
                    ,"data":{"device_id":"D2","notification_id":7,"campaign_id":"c-1","variant":"b","category_id":"k",
                    "category_version":"2","platform":"iOS","surface":"banner","trigger":"timeInterval","app_state":"active",
                    "app_version":"2.1","os_version":"19","locale":"de-DE","utc_offset_minutes":"60","handling":"App",
                    "value":"39.95","currency":"eur","name":"order","occurred_at":1795415640,"properties":{"seat":"4A"},
                    "title":"secret","body":"secret","email":"secret"}
                    """#, type: "push.notification.converted")))
        let json = event.json(.cloudevents, EventIDKey([1]))
        let written = try #require(try JSONElement(Array(json.utf8)).object)
        let expected = [
            "kind": "converted", "device_id": "D2", "notification_id": "7", "campaign_id": "c-1", "variant": "b",
            "category_id": "k", "platform": "ios", "surface": "banner", "trigger": "time_interval",
            "app_state": "active", "app_version": "2.1", "os_version": "19", "locale": "de-DE", "handling": "app",
            "currency": "EUR", "name": "order", "occurred_at": "2026-11-23T06:34:00Z", "value": "39.95",
            "category_version": "2", "utc_offset_minutes": "60",
        ]
        for (field, value) in expected { #expect(written.value(named: field)?.text == value, "\(field)") }
        #expect(written["value"]?.type == .number)
        #expect(written.at("properties", "seat")?.text == "4A")
        #expect(written.all.count == expected.count + 2)
        #expect(!json.contains("secret"))
    }

    @Test func `a value that its field can't have is left out`() throws {
        let event = try Self.event(
            Self.read(
                Self.document(
                    #"""
                    ,"data":{"platform":"fridge","trigger":"other","handling":"nobody","value":"much","currency":"euro",
                    "utc_offset_minutes":5000,"category_version":0,"locale":["de"],"event_id":"not-a-uuid",
                    "campaign_id":"\#(String(repeating: "c", count: 257))","occurred_at":"yesterday"}
                    """#)))
        let written = try #require(try JSONElement(Array(event.json(.cloudevents, EventIDKey([1])).utf8)).object)
        #expect(written.all.map(\.name) == ["event_id", "kind", "notification_id", "device_id", "occurred_at"])
    }

    @Test func `extensions state native fields, and data go before them`() throws {
        let document = Self.document(
            #"""
            ,"notificationid":"n-2","deviceid":"D2","campaignid":"c-2","variant":"b","categoryid":"k","actionidentifier":"book",
            "utcoffsetminutes":-300,"data":{"campaign_id":"c-3"}
            """#)
        let event = try Self.event(Self.read(document))
        #expect(event.text(.kind) == "action")
        #expect(event.text(.actionIdentifier) == "book")
        #expect(event.text(.notificationID) == "n-2")
        #expect(event.text(.deviceID) == "D2")
        #expect(event.text(.campaignID) == "c-3")
        #expect(event.text(.variant) == "b")
        #expect(event.text(.categoryID) == "k")
        #expect(event.json(.cloudevents, EventIDKey([1])).contains(#""utc_offset_minutes":-300"#))
    }

    @Test func `properties are kept as far as they have room`() throws {
        let long = String(repeating: "x", count: 4_096)
        let event = try Self.event(
            Self.read(Self.document(#","data":{"properties":{"long":"\#(long)","a":1,"b":null,"c":{"d":true}}}"#)))
        #expect(event.json(.cloudevents, EventIDKey([1])).hasSuffix(#""properties":{"a":1,"c":{"d":true}}}"#))
    }

    @Test(arguments: [
        ("opened", "", "opened", nil), ("opened", "book", "action", "book"), ("opened", "Default", "opened", nil),
        ("opened", ActionIdentifier.appleDefault, "opened", nil),
        ("opened", ActionIdentifier.appleDismiss, "dismissed", nil),
        ("action", "open", "action", "open"), ("action", ActionIdentifier.appleDismiss, "dismissed", nil),
        ("delivered", "book", "delivered", nil), ("dismissed", "close", "dismissed", nil),
        ("text_input", "reply", "text_input", "reply"),
    ])
    func `the kind and the action agree`(_ word: String, _ action: String, _ kind: String, _ written: String?) throws {
        let event = try Self.event(
            Self.read(Self.document(#","actionidentifier":"\#(action)""#, type: "afterpush.\(word)")))
        #expect(event.text(.kind) == kind)
        #expect(event.text(.actionIdentifier) == written)
    }

    @Test func `typed text makes a reply of an action, and is left out elsewhere`() throws {
        let reply = try Self.event(
            Self.read(Self.document(#","data":{"action_identifier":"reply","user_text":"yes"}"#)))
        #expect(reply.text(.kind) == "text_input")
        #expect(reply.text(.userText) == "yes")
        let delivery = try Self.event(
            Self.read(Self.document(#","data":{"user_text":"yes"}"#, type: "afterpush.delivered")))
        #expect(!delivery.has(.userText))
    }

    @Test func `an event without a time is of its arrival`() throws {
        #expect(try Self.event(Self.read(Self.document())).text(.occurredAt) == Self.receivedAt.description)
        let offset = try Self.event(Self.read(Self.document(#","time":"2026-11-21T02:00:00.123456789+01:30""#)))
        #expect(offset.text(.occurredAt) == "2026-11-21T02:00:00.123456789+01:30")
        #expect(offset.json(.cloudevents, EventIDKey([1])).contains(#""utc_offset_minutes":90"#))
    }

    // MARK: Delivery

    @Test(arguments: [
        ("/devices/D1", "D1"), ("https://app.example/Devices/D%201", "D 1"), ("devices/D1/", "D1"), ("/D1", nil),
        ("/devices", nil), ("urn:example:devices:D1", nil),
    ])
    func `the source names the device if nothing else does`(_ source: String, _ device: String?) throws {
        let submission = try Self.read(Self.document(#","source":"\#(source)""#))
        #expect(submission.events.first?.text(.deviceID) == device)
        #expect(submission.ignored.map(\.reason) == (device == nil ? [.noDevice] : []))
    }

    @Test func `the app decides which part names the device`() throws {
        let document = Self.document(
            #","userid":"U2","data":{"device_id":"D2","user_id":"U1","anonymous_id":"A1","token":"T1"}"#)
        for (source, device) in [
            (DeviceSource.deviceID, "D2"), (.userID, "U1"), (.anonymousID, "A1"), (.token, "T1"),
        ] {
            let submission = try Self.read(document) { $0.deviceOrder = [source] }
            #expect(submission.events.first?.text(.deviceID) == device)
        }
    }

    @Test func `an address in the place of a device is hashed`() throws {
        let event = try Self.event(Self.read(Self.document(#","data":{"device_id":" Ada@Example.com"}"#)))
        #expect(event.text(.deviceID) == DeviceName.stored("ada@example.com"))
        #expect(!event.json(.cloudevents, EventIDKey([1])).contains("xample.com"))
    }

    @Test func `an event about the device names no notification`() throws {
        let event = try Self.event(Self.read(Self.document(type: "afterpush.app_opened")))
        #expect(!event.has(.notificationID))
    }

    @Test func `an event that names no notification is ignored unless it is about the device`() throws {
        let opened = try Self.read(Self.document(#","subject":null"#))
        #expect(opened.ignored.map(\.reason) == [.noNotification])
        let appOpened = try Self.read(Self.document(#","subject":null"#, type: "afterpush.app_opened"))
        #expect(appOpened.events.count == 1)
    }

    @Test(arguments: [
        #","afterpush":"RECEIPT""#, #","receipt":"RECEIPT""#, #","data":{"afterpush":"RECEIPT"}"#,
        #","data":{"receipt":"RECEIPT"}"#,
    ])
    func `a receipt names the delivery alone`(_ members: String) throws {
        // {"jti":"n-5","sub":"D5"}
        let receipt = "e30.eyJqdGkiOiJuLTUiLCJzdWIiOiJENSJ9.c2ln"
        let members = members.replacing("RECEIPT", with: receipt)
        let event = try Self.event(Self.read(Self.document(members)))
        #expect(event.text(.receipt) == receipt)
        #expect(!event.has(.notificationID) && !event.has(.deviceID))
    }

    // MARK: Identity

    @Test func `the source and the id are the identity`() throws {
        func id(_ members: String, type: String = "push.notification.opened") throws -> String {
            let json = try Self.event(Self.read(Self.document(members, type: type))).json(.cloudevents, EventIDKey([1]))
            return try #require(try JSONElement(Array(json.utf8)).object?["event_id"]?.text)
        }
        let base = try id("")
        #expect(try id(#","time":"2026-11-21T00:00:00Z""#) == base)
        #expect(try id(#","id":"e-2""#) != base)
        #expect(try id(#","source":"/phones/devices/D1""#) != base)
        #expect(
            try id(#","id":"6731D4AC-26E1-4992-8D38-2BE439FCFEAD""#)
                == id(#","id":"6731d4ac-26e1-4992-8d38-2be439fcfead""#))
        let stated = "6731d4ac-26e1-4992-8d38-2be439fcfead"
        #expect(try id(#","data":{"event_id":"\#(stated.uppercased())"}"#) == stated)
    }

    @Test func `an event of 64 KiB is taken`() throws {
        let data = #","data":{"campaign_id":"c-1","filler":"\#(String(repeating: "x", count: 65_536))"}"#
        let event = try Self.event(Self.read(Self.document(data)))
        #expect(event.text(.campaignID) == "c-1")
        #expect(event.json(.cloudevents, EventIDKey([1])).utf8.count < 1_024)
    }

    @Test func `a batch of more than five thousand events is refused`() {
        let body = "[" + Array(repeating: "0", count: 5_001).joined(separator: ",") + "]"
        #expect(throws: DialectError.tooManyEvents(limit: 5_000)) {
            try Self.read(body, "application/cloudevents-batch+json")
        }
    }
}
