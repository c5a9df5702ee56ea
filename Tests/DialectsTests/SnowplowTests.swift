import AfterpushWire
import Dialects
import Events
import Foundation
import JSON
import Testing

struct SnowplowTests {
    private static let receivedAt = Timestamp(microseconds: 1_795_592_267_000_000)
    private static let path = "/com.snowplowanalytics.snowplow/tp2"

    private static func read(
        _ request: DialectRequest, _ change: (inout DialectSettings) -> Void = { _ in }
    ) throws -> (submission: DialectSubmission, keys: [String]) {
        let (dialect, route) = try #require(DialectTable.find(request))
        #expect(dialect.family == .snowplow && route.purpose == .events)
        var settings = DialectSettings(receivedAt: receivedAt)
        change(&settings)
        let body = try dialect.parse(request)
        return (dialect.read(body, request, settings), body.keys)
    }

    private static func post(_ events: String...) -> DialectRequest {
        let schema = "iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4"
        return DialectRequest(
            "POST", path, headers: ["content-type": "application/json; charset=utf-8"],
            body: Array(#"{"schema": "\#(schema)", "data": [\#(events.joined(separator: ", "))]}"#.utf8))
    }

    /// An event of a device, with other parameters.
    private static func parameters(_ parameters: [String: String]) -> String {
        let base = ["p": "mob", "eid": "e-1", "dtm": "1795592266087", "stm": "1795592266000", "duid": "D1"]
        let members = base.merging(parameters) { $1 }.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        return JSONText.object(members.map { ($0.key, JSONText.string($0.value)) })
    }

    /// The JSON of an event with a schema, such as `com.acme/order`.
    private static func unstructured(_ schema: String, _ data: String) -> String {
        #"{"schema":"iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0","data":\#(described(schema, data))}"#
    }

    private static func described(_ schema: String, _ data: String) -> String {
        #"{"schema":"iglu:\#(schema)/jsonschema/1-0-0","data":\#(data)}"#
    }

    private static func contexts(_ entities: [(String, String)]) -> String {
        let list = entities.map { described($0.0, $0.1) }.joined(separator: ",")
        return #"{"schema":"iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-1","data":[\#(list)]}"#
    }

    private static func single(
        _ schema: String, _ data: String, entities: [(String, String)] = [], _ others: [String: String] = [:],
        _ change: (inout DialectSettings) -> Void = { _ in }
    ) throws -> DialectSubmission {
        var parts = ["e": "ue", "ue_pr": unstructured(schema, data)]
        if !entities.isEmpty { parts["co"] = contexts(entities) }
        return try read(post(parameters(parts.merging(others) { $1 })), change).submission
    }

    private static func event(_ submission: DialectSubmission) throws -> NativeEvent {
        #expect(submission.ignored.isEmpty)
        return try #require(submission.events.first)
    }

    private static func text(_ event: IgnoredEvent) -> String {
        "\(event.index) \(event.name) \(event.reason.rawValue)"
    }

    private static let tap = "com.snowplowanalytics.mobile/message_notification"
    private static let response = "com.afterpush/response"

    // MARK: What the tracker in Python posts

    private static let recordedEvent =
        #"{"schema": "iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0", "data": {"schema": "iglu:com.snowplowanalytics.mobile/message_notification/jsonschema/1-0-0", "data": {"title": "Ünser Titel", "body": "secret", "trigger": "push", "action": "book", "category": "offer"}}}"#
    private static let recordedContexts =
        #"{"schema": "iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-1", "data": [{"schema": "iglu:com.afterpush/response/jsonschema/1-0-0", "data": {"notification_id": "n-1", "campaign_id": "c-1"}}, {"schema": "iglu:com.snowplowanalytics.snowplow/mobile_context/jsonschema/1-0-2", "data": {"osType": "ios", "osVersion": "19.0", "deviceManufacturer": "Apple", "deviceModel": "x", "appleIdfv": "D1"}}]}"#
    private static let recordedRest = [
        ("p", "mob"), ("uid", "u1"), ("eid", "0E0C22CF-abdb-4a16-88e1-81cb7595401a"), ("dtm", "1795592266087"),
        ("tv", "py-1.1.0"), ("tna", "ns"), ("aid", "ap_ingest_x"), ("stm", "1795592266000"),
    ]

    private static func base64(_ text: String, url: Bool) -> String {
        let base64 = Data(text.utf8).base64EncodedString()
        return url
            ? base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") : base64
    }

    /// The recorded event with its parts as texts, as base64, or as base64 of the other alphabet without padding.
    private static func recorded(_ encoding: Int) -> [(String, String)] {
        let parts =
            encoding == 0
            ? [("ue_pr", recordedEvent), ("co", recordedContexts)]
            : [
                ("ue_px", base64(recordedEvent, url: encoding == 2)),
                ("cx", base64(recordedContexts, url: encoding == 2)),
            ]
        return [("e", "ue")] + parts + recordedRest
    }

    @Test(arguments: [0, 1, 2], ["POST", "GET"])
    func `the Python tracker's event becomes the action of its notification`(
        _ encoding: Int, _ method: String
    ) throws {
        let parameters = Self.recorded(encoding)
        let request =
            method == "GET"
            ? DialectRequest("GET", "/i", query: parameters.map { .init($0, $1) })
            : Self.post(JSONText.object(parameters.map { ($0, JSONText.string($1)) }))
        let (submission, keys) = try Self.read(request)
        let event = try Self.event(submission)
        let json = event.json(.snowplow, EventIDKey([1]))
        let written = try #require(try JSONElement(Array(json.utf8)).object)
        let expected = [
            "kind": "action", "action_identifier": "book", "notification_id": "n-1", "device_id": "D1",
            "campaign_id": "c-1", "category_id": "offer", "trigger": "push", "platform": "ios", "os_version": "19.0",
            "occurred_at": "2026-11-25T07:37:46.087Z",
        ]
        for (field, value) in expected { #expect(written.value(named: field)?.text == value, "\(field)") }
        #expect(written.all.count == expected.count + 1)
        #expect(event.sourceID == "0e0c22cf-abdb-4a16-88e1-81cb7595401a")
        #expect(submission.sentAt == "2026-11-25T07:37:46Z")
        #expect(keys == ["ap_ingest_x"])
        #expect(!json.contains("secret") && !json.contains("Titel"))
    }

    @Test func `an entity is found although the client escapes its slashes`() throws {
        let native = #"{"kind":"opened","notification_id":"n-1","device_id":"D2"}"#
        let escaped = Self.contexts([(Self.response, native)]).replacing("/", with: #"\/"#)
        let submission = try Self.read(Self.post(Self.parameters(["e": "ue", "co": escaped]))).submission
        #expect(try Self.event(submission).text(.deviceID) == "D2")
    }

    @Test func `structured events and page views of the Python tracker are ignored`() throws {
        let structured =
            #"{"e": "se", "se_ca": "shop", "se_ac": "click", "se_la": "l", "se_pr": "p", "se_va": "2.0", "eid": "f8b1e6c9-2df6-48b2-8e5f-45ce77b5ef33", "dtm": "1795592266091"}"#
        let view =
            #"{"e": "pv", "url": "https://shop.example/a", "page": "t", "eid": "b970a33d-3476-4615-b17e-7548305551e0"}"#
        let submission = try Self.read(Self.post(structured, view, #"{"e":"pp"}"#, #"{"e":"ti"}"#, "7", "{}"))
            .submission
        #expect(submission.events.isEmpty)
        #expect(
            submission.ignored.map(Self.text) == [
                "0 click unknown_name", "1 page_view other_type", "2 page_ping other_type",
                "3 transaction_item other_type", "4  malformed", "5  unknown_name",
            ])
    }

    // MARK: Requests

    @Test func `the path of pixels is shared by parameters`() throws {
        func family(_ names: String...) -> DialectFamily? {
            DialectTable.find(DialectRequest("GET", "/i", query: names.map { .init($0, "x") }))?.dialect.family
        }
        #expect(family("e", "p", "tv") == .snowplow)
        #expect(family("app_key", "device_id") != .snowplow)
        #expect(family("app_key", "e") != .snowplow)
        #expect(family() != .snowplow)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"data":{}}"#, #"{"data":7}"#])
    func `a body without a list of events is refused`(_ body: String) {
        #expect(throws: DialectError.self) {
            try Self.read(DialectRequest("POST", Self.path, body: Array(body.utf8)))
        }
    }

    @Test func `a batch of more than five thousand events is refused`() {
        let events = Array(repeating: "0", count: 5_001).joined(separator: ",")
        #expect(throws: DialectError.tooManyEvents(limit: 5_000)) { try Self.read(Self.post(events)) }
    }

    @Test func `the key is the name of the app, once`() throws {
        let request = Self.post(#"{"e":"pv","aid":"ap_ingest_a"}"#, #"{"e":"pv","aid":"ap_ingest_a"}"#, #"{"e":"pv"}"#)
        #expect(try Self.read(request).keys == ["ap_ingest_a"])
        let two = try SnowplowEvents.parse(Self.post(#"{"aid":"ap_ingest_a"}"#, #"{"aid":"ap_ingest_b"}"#))
        #expect(throws: DialectError.self) { try DialectKeys.inBody(two) }
        let get = DialectRequest("GET", "/i", query: [.init("e", "pv"), .init("aid", "ap_ingest_a")])
        #expect(DialectKeys.inQuery(get) == "ap_ingest_a")
    }

    @Test(arguments: [
        "cx": "%", "co": "{", "ue_px": "A", "ue_pr": "[]",
    ])
    func `parts that can't be read don't cost the other events`(_ name: String, _ value: String) throws {
        let submission = try Self.read(
            Self.post(
                Self.parameters(["e": "ue", name: value]),
                Self.parameters([
                    "e": "se", "se_ac": "x",
                    "co": Self.contexts([(Self.response, #"{"kind":"opened","notification_id":"n-1"}"#)]),
                ]))
        ).submission
        #expect(submission.events.map(\.index) == [1])
        #expect(submission.ignored.map(\.reason) == [.unknownName])
    }

    // MARK: Responses

    @Test func `a success is a short text, or an image for a pixel`() {
        let outcome = DialectOutcome(received: 1, accepted: 1, receivedAt: Self.receivedAt)
        let post = SnowplowEvents.answer(outcome, to: Self.post())
        #expect(post.status == 200 && post.body == Array("ok".utf8) && post.contentType.hasPrefix("text/plain"))
        let get = SnowplowEvents.answer(outcome, to: DialectRequest("GET", "/i"))
        #expect(get.status == 200 && get.contentType == "image/gif" && get.body.starts(with: Array("GIF89a".utf8)))
    }

    @Test(arguments: [
        (400, 400), (401, 401), (403, 403), (404, 400), (405, 400), (409, 400), (410, 410), (413, 400), (415, 400),
        (422, 422), (408, 408), (429, 429), (500, 500), (503, 503),
    ])
    func `a refusal that will stay has a status that ends the tracker's retries`(_ status: Int, _ answered: Int) throws
    {
        let refusal = DialectRefusal(status: status, title: "", code: "body_too_large", detail: "no")
        for request in [Self.post(), DialectRequest("GET", "/i")] {
            let answer = SnowplowEvents.answer(refusal, to: request)
            #expect(answer.status == answered)
            #expect(try JSONElement(answer.body).object?["status"]?.number == Double(answered))
        }
    }

    // MARK: Schemas

    private static let delivery = [(response, #"{"notification_id":"n-1"}"#)]

    @Test(
        arguments: [
            (nil, "push", "opened", nil, "push"), ("book", "timeInterval", "action", "book", "time_interval"),
            ("", "calendar", "opened", nil, "calendar"), ("open", "location", "opened", nil, "location"),
            (ActionIdentifier.appleDismiss, "other", "dismissed", nil, nil),
        ] as [(String?, String, String, String?, String?)])
    func `a notification of the mobile trackers is a tap with a trigger`(
        _ action: String?, _ trigger: String, _ kind: String, _ identifier: String?, _ written: String?
    ) throws {
        let member = action.map { #","action":"\#($0)""# } ?? ""
        let event = try Self.event(
            Self.single(
                Self.tap, #"{"title":"t","body":"b","trigger":"\#(trigger)"\#(member)}"#, entities: Self.delivery))
        #expect(event.text(.kind) == kind)
        #expect(event.text(.actionIdentifier) == identifier)
        #expect(event.text(.trigger) == written)
    }

    @Test func `a notification of the mobile trackers that nothing names is ignored`() throws {
        let submission = try Self.single(Self.tap, #"{"title":"t","body":"b","trigger":"push"}"#)
        #expect(submission.ignored.map(Self.text) == ["0 \(Self.tap) no_notification"])
    }

    @Test func `Apple's notification event carries the payload and its receipt`() throws {
        // {"jti":"n-5","sub":"D5"}
        let receipt = "e30.eyJqdGkiOiJuLTUiLCJzdWIiOiJENSJ9.c2ln"
        func data(_ userInfo: String, category: String = "offer") -> String {
            #"{"action":"book","categoryIdentifier":"\#(category)","threadIdentifier":"","trigger":"TIME_INTERVAL","deliveryDate":"","notification":{"title":"secret","body":"secret","userInfo":\#(userInfo)}}"#
        }
        let aps = #""aps":{"alert":{"title":"secret","body":"secret"},"category":"other"}"#
        let event = try Self.event(
            Self.single("com.apple/notification_event", data(#"{"afterpush":"\#(receipt)",\#(aps)}"#)))
        #expect(event.text(.kind) == "action")
        #expect(event.text(.actionIdentifier) == "book")
        #expect(event.text(.categoryID) == "offer")
        #expect(event.text(.trigger) == "time_interval")
        #expect(event.text(.receipt) == receipt)
        #expect(!event.has(.notificationID) && !event.has(.deviceID))
        #expect(!event.json(.snowplow, EventIDKey([1])).contains("secret"))
        let other = try Self.event(
            Self.single("com.apple/notification_event", data(#"{"gcm.message_id":"n-6",\#(aps)}"#, category: "")))
        #expect(other.text(.notificationID) == "n-6")
        #expect(other.text(.categoryID) == "other")
    }

    @Test(arguments: [
        ("", "opened"), (#","actionIdentifier":"book""#, "action"), (#","pushMessageType":"received""#, "delivered"),
        (#","pushMessageType":"Sent""#, "sent"), (#","pushMessageType":"action","actionIdentifier":"book""#, "action"),
    ])
    func `mParticle's push message is a tap unless it says otherwise`(_ members: String, _ kind: String) throws {
        let data =
            #"{"name":"x","token":"T1","message":"secret","contentId":17,"actionName":"secret","actionCategoryIdentifier":"offer","applicationStateType":"foreground","jsonPayload":"{\"notification_id\":\"n-1\"}"\#(members)}"#
        let event = try Self.event(Self.single("com.mparticle.snowplow/pushmessage_event", data, ["duid": ""]))
        #expect(event.text(.kind) == kind)
        #expect(event.text(.actionIdentifier) == (kind == "action" ? "book" : nil))
        #expect(event.text(.notificationID) == "n-1")
        #expect(event.text(.deviceID) == "T1")
        #expect(event.text(.campaignID) == "17")
        #expect(event.text(.categoryID) == "offer")
        #expect(event.text(.appState) == "active")
        #expect(!event.json(.snowplow, EventIDKey([1])).contains("secret"))
    }

    @Test(arguments: [
        ("com.snowplowanalytics.snowplow/application_foreground", #"{"foregroundIndex":1}"#),
        ("com.snowplowanalytics.mobile/application_lifecycle", #"{"isVisible":true}"#),
    ])
    func `an app that comes to the foreground is opened`(_ schema: String, _ data: String) throws {
        let event = try Self.event(Self.single(schema, data))
        #expect(event.text(.kind) == "app_opened")
        #expect(event.text(.deviceID) == "D1")
    }

    @Test func `the entity of the app's state makes no opening of other events`() throws {
        let state = [("com.snowplowanalytics.mobile/application_lifecycle", #"{"isVisible":true}"#)]
        let submission = try Self.single("com.acme/order", "{}", entities: state)
        #expect(submission.ignored.map(Self.text) == ["0 com.acme/order unknown_name"])
        let hidden = try Self.single("com.snowplowanalytics.mobile/application_lifecycle", #"{"isVisible":false}"#)
        #expect(hidden.events.isEmpty)
    }

    @Test func `a purchase is a conversion with its value`() throws {
        let purchase = (
            "com.snowplowanalytics.snowplow.ecommerce/transaction",
            #"{"transaction_id":"o-1","revenue":39.95,"currency":"eur"}"#
        )
        let action = "com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action"
        let submission = try Self.single(action, #"{"type":"transaction"}"#, entities: Self.delivery + [purchase])
        let ecommerce = try Self.event(submission).json(.snowplow, EventIDKey([1]))
        let transaction = try Self.event(
            Self.read(
                Self.post(
                    Self.parameters([
                        "e": "tr", "tr_id": "o-1", "tr_tt": "39.95", "tr_cu": "EUR", "co": Self.contexts(Self.delivery),
                    ]))
            ).submission
        ).json(.snowplow, EventIDKey([1]))
        #expect(ecommerce == transaction)
        #expect(
            ecommerce.hasSuffix(
                #""kind":"converted","notification_id":"n-1","device_id":"D1","occurred_at":"2026-11-25T07:37:46.087Z","name":"transaction","value":39.95,"currency":"EUR","properties":{"order_id":"o-1"}}"#
            ))
        let refund = try Self.single(action, #"{"type":"refund"}"#, entities: Self.delivery + [purchase])
        #expect(refund.events.isEmpty)
    }

    // MARK: The collector's own entity

    @Test(arguments: ["se", "pv", "pp", "ue"])
    func `the collector's entity makes any event exact`(_ type: String) throws {
        for name in ["co", "cx"] {
            let entity = Self.contexts([
                (
                    Self.response,
                    #"{"kind":"textInput","notification_id":"n-1","device_id":"D2","action_identifier":"reply","occurred_at":"2026-11-25T07:00:00Z","properties":{"seat":"4A"},"title":"secret"}"#
                )
            ])
            let parameters = Self.parameters([
                "e": type, name: name == "co" ? entity : Self.base64(entity, url: true), "uid": "u1",
            ])
            let event = try Self.event(Self.read(Self.post(parameters)).submission)
            #expect(event.text(.kind) == "text_input")
            #expect(event.text(.actionIdentifier) == "reply")
            #expect(event.text(.deviceID) == "D2")
            #expect(event.text(.occurredAt) == "2026-11-25T07:00:00Z")
            #expect(event.json(.snowplow, EventIDKey([1])).hasSuffix(#""properties":{"seat":"4A"}}"#))
        }
    }

    @Test func `the collector's schema may be the event itself, in any version`() throws {
        let event = try Self.event(Self.single(Self.response, #"{"action_identifier":"book","notification_id":"n-1"}"#))
        #expect(event.text(.kind) == "action")
        #expect(event.text(.deviceID) == "D1")
        let later = Self.unstructured(Self.response, #"{"kind":"displayed","notification_id":"n-1"}"#).replacing(
            "response/jsonschema/1-0-0", with: "response/jsonschema/3-1-4")
        let submission = try Self.read(Self.post(Self.parameters(["e": "ue", "ue_pr": later]))).submission
        #expect(try Self.event(submission).text(.kind) == "displayed")
    }

    @Test func `the collector's entity goes before the event`() throws {
        func kind(_ entity: String) throws -> [String?] {
            let event = try Self.event(
                Self.single(Self.tap, #"{"trigger":"push","action":"book"}"#, entities: [(Self.response, entity)]))
            return [event.text(.kind), event.text(.actionIdentifier)]
        }
        #expect(try kind(#"{"notification_id":"n-1","kind":"delivered"}"#) == ["delivered", nil])
        #expect(try kind(#"{"notification_id":"n-1","action_identifier":"later"}"#) == ["action", "later"])
        #expect(try kind(#"{"notification_id":"n-1"}"#) == ["action", "book"])
    }

    @Test func `an entity that only names a notification makes no event of a page view`() throws {
        let parameters = Self.parameters(["e": "pv", "co": Self.contexts(Self.delivery)])
        let submission = try Self.read(Self.post(parameters)).submission
        #expect(submission.ignored.map(Self.text) == ["0 page_view other_type"])
    }

    @Test func `a mapping of the app names events by their schema or action`() throws {
        let rules = EventMappings([
            .init(
                event: "com.acme/push_clicked", where: ["data.channel": "push", "contexts.campaign.kind": "spring"],
                kind: "tap",
                fields: [
                    "notification_id": "data.message", "action_identifier": "data.button",
                    "campaign_id": "contexts.campaign.id",
                ]),
            .init(
                dialect: "snowplow", event: "push opened", where: ["se_ca": "push"], kind: "opened",
                fields: ["notification_id": "se_la"]),
        ])
        let event = try Self.event(
            Self.single(
                "com.acme/push_clicked", #"{"channel":"push","message":"n-1","button":"book"}"#,
                entities: [("com.acme/campaign", #"{"kind":"spring","id":"c-1"}"#)]
            ) { $0.mappings = rules })
        #expect(event.text(.kind) == "action")
        #expect(event.text(.notificationID) == "n-1")
        #expect(event.text(.campaignID) == "c-1")
        let structured = Self.post(
            Self.parameters(["e": "se", "se_ca": "push", "se_ac": "Push_Opened", "se_la": "n-2"]),
            Self.parameters(["e": "se", "se_ca": "mail", "se_ac": "Push_Opened", "se_la": "n-2"]))
        let submission = try Self.read(structured) { $0.mappings = rules }.submission
        #expect(submission.events.map { $0.text(.notificationID) } == ["n-2"])
        #expect(submission.ignored.map(Self.text) == ["1 Push_Opened unknown_name"])
    }

    // MARK: Device and time

    @Test func `the device is found in the order of the tracker's ids`() throws {
        let entities = [
            (Self.response, #"{"kind":"opened","notification_id":"n-1"}"#),
            ("com.snowplowanalytics.snowplow/client_session", #"{"userId":"S1"}"#),
            (
                "com.snowplowanalytics.snowplow/mobile_context",
                #"{"osType":"Android","androidIdfa":"A1","appleIdfa":""}"#
            ),
        ]
        func device(_ entities: [(String, String)], _ parameters: [String: String], _ order: [DeviceSource]? = nil)
            throws -> String?
        {
            let base = ["e": "pv", "co": Self.contexts(entities), "nuid": "N1", "uid": "U1"]
            let request = Self.post(Self.parameters(base.merging(parameters) { $1 }))
            return try Self.read(request) { if let order { $0.deviceOrder = order } }.submission.events.first?.text(
                .deviceID)
        }
        #expect(try device(entities, [:]) == "D1")
        #expect(try device(entities, ["duid": ""]) == "A1")
        #expect(try device(Array(entities.prefix(2)), ["duid": ""]) == "S1")
        #expect(try device(Array(entities.prefix(1)), ["duid": ""]) == "N1")
        #expect(try device(Array(entities.prefix(1)), ["duid": "", "nuid": ""]) == "U1")
        #expect(try device(entities, [:], [.userID]) == "U1")
        #expect(try device(Array(entities.prefix(1)), ["duid": "", "nuid": "", "uid": ""]) == nil)
    }

    @Test func `an address in the place of a device is hashed`() throws {
        let hash = DeviceName.stored("ada@example.com")
        let person = try Self.single(Self.tap, "{}", entities: Self.delivery, ["duid": "", "uid": "ada@example.com"])
        #expect(try Self.event(person).text(.deviceID) == hash)
        let entity = [(Self.response, #"{"notification_id":"n-1","device_id":"ada@example.com"}"#)]
        #expect(try Self.event(Self.single(Self.tap, "{}", entities: entity)).text(.deviceID) == hash)
    }

    @Test func `the entities and parameters describe the app`() throws {
        let event = try Self.event(
            Self.single(
                Self.tap, #"{"trigger":"push"}"#,
                entities: Self.delivery + [
                    ("com.snowplowanalytics.mobile/application", #"{"version":"2.1","build":"7"}"#)
                ],
                ["p": "web", "lang": "de-DE"]))
        #expect(event.text(.platform) == "web")
        #expect(event.text(.appVersion) == "2.1")
        #expect(event.text(.locale) == "de-DE")
    }

    @Test func `a true time goes before the device's, and needs no correction`() throws {
        let submission = try Self.single(Self.tap, "{}", entities: Self.delivery, ["ttm": "1795592000000"])
        #expect(try Self.event(submission).text(.occurredAt) == "2026-11-25T07:33:20Z")
        #expect(submission.sentAt == nil)
        let without = try Self.single(Self.tap, "{}", entities: Self.delivery, ["dtm": "", "stm": ""])
        #expect(try Self.event(without).text(.occurredAt) == Self.receivedAt.description)
        #expect(without.sentAt == nil)
    }

    @Test func `a repeated event is the same, whenever it was sent`() throws {
        func id(_ parameters: [String: String]) throws -> String {
            let event = try Self.event(Self.single(Self.tap, "{}", entities: Self.delivery, parameters))
            return String(event.json(.snowplow, EventIDKey([1])).prefix(60))
        }
        #expect(try id([:]) == id(["stm": "1795592299000"]))
        #expect(try id([:]) != id(["eid": "e-2"]))
    }
}
