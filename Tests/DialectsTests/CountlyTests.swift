import AfterpushWire
import Dialects
import Events
import JSON
import Testing

struct CountlyTests {
    /// The parameters of every request, as the client for iOS writes them.
    private static let essentials = [
        "app_key": "ap_ingest_x", "device_id": "D1", "t": "0", "timestamp": "1795415643969", "hour": "6", "dow": "1",
        "tz": "120", "sdk_name": "objc-native-ios", "sdk_version": "25.4.0", "rr": "0", "av": "2.1",
    ]

    private static let tap =
        #"[{"key":"[CLY]_push_action","segmentation":{"i":"n-1","b":0,"p":"i"},"count":1,"sum":0,"timestamp":1795415642908,"hour":6,"dow":1,"dur":0,"id":"ev-1"}]"#

    private func parameters(_ more: [String: String]) -> [String: String] { Self.essentials.merging(more) { $1 } }

    private func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            let hex = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count < 2 ? "0" : "") + hex
        }.joined()
    }

    private func form(_ more: [String: String]) -> String {
        parameters(more).sorted { $0.key < $1.key }.map { "\(escaped($0.key))=\(escaped($0.value))" }.joined(
            separator: "&")
    }

    private func get(_ more: [String: String], settings: DialectSettings? = nil) throws -> PlayedRequest {
        try PlayedRequest(
            "/i", method: "GET", query: parameters(more),
            settings: settings ?? DialectSettings(receivedAt: PlayedRequest.receivedAt))
    }

    private func tap(_ segmentation: String, _ members: String = "") -> [String: String] {
        ["events": #"[{"key":"[CLY]_push_action","segmentation":{\#(segmentation)}\#(members)}]"#]
    }

    @Test func `a tap in the query, in a form, in parts and in JSON is the same opening`() throws {
        let parts = parameters(["events": Self.tap]).map { name, value in
            "\r\n--0cae04\r\nContent-Disposition: form-data; name=\"\(name)\";\r\n\r\n\(value)"
        }
        let picture =
            "\r\n--0cae04\r\nContent-Disposition: form-data; name=\"pictureFile\"; filename=\"p\"\r\nContent-Type: image/png\r\n\r\n\u{1}\r\n\r\n--"
        let json = JSONText.object(parameters([:]).map { ($0, JSONText.string($1)) } + [("events", Self.tap)])
        let played = [
            try get(["events": Self.tap]), try PlayedRequest("/i", form(["events": Self.tap])),
            try PlayedRequest(
                "/i", picture + parts.joined() + "\r\n--0cae04--\r\n",
                headers: ["content-type": "multipart/form-data; boundary=0cae04"]),
            try PlayedRequest("/i", json),
            try PlayedRequest("/i", "events=\(escaped(Self.tap))", query: Self.essentials),
        ]
        for played in played {
            #expect(played.family == .countly)
            #expect(try played.key == "ap_ingest_x")
            #expect(
                try played.fields == [
                    "kind": "opened", "notification_id": "n-1", "device_id": "D1", "platform": "ios",
                    "app_version": "2.1", "utc_offset_minutes": "120",
                    "occurred_at": Timestamp(microseconds: 1_795_415_642_908_000).description,
                ])
            #expect(try played.event.sourceID == "ev-1")
            // The time of a request is that of its creation, perhaps days before it is sent.
            #expect(played.submission.sentAt == nil)
            #expect(try played.answer().object["result"]?.text == "Success")
            #expect(played.answer().status == 200)
        }
    }

    @Test(
        arguments: [
            (#""i":"n","b":0"#, "opened", nil), (#""i":"n","b":"0""#, "opened", nil), (#""i":"n""#, "opened", nil),
            (#""i":"n","b":1"#, "action", "1"), (#""i":"n","b":2,"p":"a""#, "action", "2"),
        ] as [(String, String, String?)]) func `the number of a button is its action, and 0 is the notification`(
            _ segmentation: String, _ kind: String, _ action: String?
        ) throws
    {
        let event = try get(tap(segmentation)).event
        #expect(event.kind == kind && event.text(.actionIdentifier) == action)
    }

    @Test func `older clients report an opening by its own name, and its time in seconds`() throws {
        let event = #"[{"key":"[CLY]_push_open","segmentation":{"i":"n-1"},"count":1,"timestamp":1795415642}]"#
        let played = try get(["events": event, "tz": "0"])
        #expect(try played.event.kind == "opened")
        #expect(try played.fields["occurred_at"] == Timestamp(microseconds: 1_795_415_642_000_000).description)
        #expect(try played.fields["utc_offset_minutes"] == nil)
    }

    @Test func `an event without an ID has one of its content, so that a repeated request counts once`() throws {
        let played = try get(tap(#""i":"n","b":1"#, #","timestamp":1795415642908"#))
        let again = try PlayedRequest("/i", form(tap(#""i":"n","b":1"#, #","timestamp":1795415642908"#)))
        let others = [
            try get(tap(#""i":"n","b":2"#, #","timestamp":1795415642908"#)),
            try get(tap(#""i":"m","b":1"#, #","timestamp":1795415642908"#)),
            try get(tap(#""i":"n","b":1"#, #","timestamp":1795415642909"#)),
            try get(tap(#""i":"n","b":1"#, #","timestamp":1795415642908"#).merging(["device_id": "D2"]) { $1 }),
        ]
        #expect(try played.event.sourceID == nil)
        #expect(try played.id(played.event) == again.id(again.event))
        for other in others { #expect(try played.id(played.event) != other.id(other.event)) }
    }

    @Test func `the beginning of a session is an opening of the app, with the device's metrics`() throws {
        let played = try get([
            "begin_session": "1", "location": "1.5,2.5", "ip_address": "192.0.2.1",
            "metrics": #"{"_os":"Android","_os_version":"16","_app_version":"3.0","_locale":"de_DE","_carrier":"x"}"#,
            "sdk_name": "java-native-android",
        ])
        #expect(
            try played.fields == [
                "kind": "app_opened", "device_id": "D1", "platform": "android", "os_version": "16",
                "app_version": "3.0", "locale": "de_DE", "utc_offset_minutes": "120",
                "occurred_at": Timestamp(microseconds: 1_795_415_643_969_000).description,
            ])
    }

    @Test(
        arguments: [
            (["ios_token": "secret"], "token_registered", "ios", nil),
            (["android_token": "secret", "sdk_name": ""], "token_registered", "android", nil),
            (["ios_token": ""], "token_failed", "ios", "no_token"), ([:], "token_failed", "ios", "no_token"),
        ] as [([String: String], String, String, String?)])
    func `a push token is registered, and an empty one is lost; neither is stored`(
        _ token: [String: String], _ kind: String, _ platform: String, _ reason: String?
    ) throws {
        let played = try get(token.merging(["token_session": "1", "test_mode": "0"]) { $1 })
        let fields = try played.fields
        #expect(fields["kind"] == kind && fields["platform"] == platform && fields["reason"] == reason)
        #expect(fields["device_id"] == "D1" && !fields.values.contains("secret"))
    }

    @Test(arguments: [
        ["session_duration": "30"], ["end_session": "1"], ["user_details": #"{"email":"a@example.com"}"#],
        ["crash": "{}"], ["consent": "{}"], ["begin_session": "0"], ["token_session": ""], [:],
    ]) func `requests without events are a success`(_ more: [String: String]) throws {
        let played = try get(more)
        #expect(played.events.isEmpty && played.ignored.isEmpty)
        #expect(try played.answer().object["result"]?.text == "Success")
    }

    @Test(arguments: [
        (#"[{"key":"[CLY]_view","segmentation":{"name":"Home"}}]"#, [IgnoredEvent.Reason.otherType]),
        (#"[{"key":"Bought"}, 7, {}]"#, [.unknownName, .malformed, .unknownName]),
        (#"[{"key":"[CLY]_push_action","segmentation":{"b":0}}]"#, [.noNotification]),
        ("[{", [.malformed]), ("x", [.malformed]), ("[]", []), ("", []),
    ]) func `what can't be read or means nothing is ignored, so that the client's queue goes on`(
        _ events: String, _ reasons: [IgnoredEvent.Reason]
    ) throws {
        let played = try get(["events": events])
        #expect(played.events.isEmpty && played.ignored == reasons)
        #expect(played.answer().status == 200)
    }

    @Test func `one event that is no list is read`() throws {
        let event = #"{"key":"[CLY]_push_action","segmentation":{"i":"n"}}"#
        #expect(try get(["events": event]).event.kind == "opened")
    }

    @Test func `a request without a device is ignored`() throws {
        #expect(try get(["begin_session": "1", "device_id": ""]).ignored == [.noDevice])
    }

    @Test func `native fields and mappings make an event of any name exact`() throws {
        let event = #"[{"key":"Tapped","segmentation":{"afterpush":{"kind":"dismissed","notification_id":"n"}}}]"#
        #expect(try get(["events": event]).event.kind == "dismissed")
        var settings = DialectSettings(receivedAt: PlayedRequest.receivedAt)
        settings.mappings = EventMappings([
            .init(event: "Swiped", kind: "dismissed", fields: ["notification_id": "segmentation.nid"])
        ])
        let swiped = try get(["events": #"[{"key":"swiped","segmentation":{"nid":"n-2"}}]"#], settings: settings)
        #expect(try swiped.event.text(.notificationID) == "n-2")
    }

    @Test func `an order's value is its revenue, else the sum of the event`() throws {
        let event = #"[{"key":"Order Completed","sum":12.50,"segmentation":{"currency":"eur","notification_id":"n"}}]"#
        let fields = try get(["events": event]).fields
        #expect(fields["kind"] == "converted" && fields["value"] == "12.50" && fields["currency"] == "EUR")
    }

    @Test(
        arguments: [
            (#""i":"n","p":"m""#, "objc-native-macos", "macos"), (#""i":"n","p":"w""#, "", "web"),
            (#""i":"n""#, "javascript_native_web", "web"), (#""i":"n""#, "java-native-android", "android"),
            (#""i":"n""#, "unknown", nil),
        ] as [(String, String, String?)]) func `the platform is the event's, else the client's`(
            _ segmentation: String, _ client: String, _ platform: String?
        ) throws
    {
        let event = try get(tap(segmentation).merging(["sdk_name": client]) { $1 }).event
        #expect(event.text(.platform) == platform)
    }

    @Test(arguments: ["900", "-900", "x", "1e300", ""]) func `an offset from UTC that is none costs nothing`(
        _ offset: String
    ) throws {
        #expect(try get(tap(#""i":"n""#).merging(["tz": offset]) { $1 }).fields["utc_offset_minutes"] == nil)
    }

    /// A request whose parameters are in the query or, of a POST, in the body.
    private func signed(_ method: String, _ text: String, query: String = "", type: String = "") throws -> DialectError?
    {
        let isGet = method == "GET"
        let rawQuery = isGet ? text : query
        let parameters = rawQuery.split(separator: "&").map { parameter in
            let pair = parameter.split(separator: "=", omittingEmptySubsequences: false)
            return DialectRequest.Parameter(String(pair[0]), String(pair[1]))
        }
        let request = DialectRequest(
            method, "/i", query: parameters, rawQuery: rawQuery, headers: ["content-type": type],
            body: isGet ? [] : Array(text.utf8))
        var settings = DialectSettings(receivedAt: PlayedRequest.receivedAt)
        settings.signingSecrets = ["countly": "salt"]
        do throws(DialectError) {
            try CountlyEvents.verify(request, settings)
            return nil
        } catch {
            return error
        }
    }

    /// Each made with sha256sum or sha1sum from the text without the checksum, and `salt`.
    private static let sha256 = "a0cc9b48b79dd72d612173b9aa4de231e2ab176a9b867aed091585d545b4d502"
    private static let sha1 = "cf47cd353d30b0a3f4d4d45a4b3532dc39453640"
    private static let text = "app_key=k&device_id=D%201&begin_session=1"

    @Test(arguments: ["GET", "POST"]) func `a checksum covers the parameters as they were sent, and the app's salt`(
        method: String
    ) throws {
        let (text, sha256, sha1) = (Self.text, Self.sha256, Self.sha1)
        for good in [
            "\(text)&checksum256=\(sha256)", "\(text)&checksum256=\(sha256.uppercased())", "\(text)&checksum=\(sha1)",
        ] { #expect(try signed(method, good) == nil, "\(good)") }
        for bad in [
            text, "\(text)&checksum256=", "\(text)&checksum256=\(sha1)", "\(text)&checksum=\(sha256)",
            "\(text)&end_session=1&checksum256=\(sha256)", "\(text)&checksum256=x\(sha256.dropFirst())",
        ] {
            guard case .signature? = try signed(method, bad) else {
                Issue.record("accepted \(bad)")
                continue
            }
        }
    }

    @Test func `the parts of a body are covered as parameters, and nothing may be added in the query`() throws {
        let form = "\(Self.text)&checksum256=\(Self.sha256)"
        #expect(try signed("POST", form, query: "events=%5B%5D") != nil)
        let parts = ("\(Self.text)&checksum256=\(Self.sha256)").split(separator: "&").map { parameter in
            let pair = parameter.split(separator: "=")
            return "--b\r\nContent-Disposition: form-data; name=\"\(pair[0])\"\r\n\r\n\(pair[1])\r\n"
        }
        #expect(try signed("POST", parts.joined() + "--b--\r\n", type: "multipart/form-data; boundary=b") == nil)
        #expect(try signed("POST", #"{"app_key":"k","checksum256":"\#(Self.sha256)"}"#) != nil)
    }

    @Test func `without a salt no checksum is needed, and a wrong one is taken off the client's queue`() throws {
        let request = DialectRequest("GET", "/i", query: [.init("app_key", "k")], rawQuery: "app_key=k&checksum256=00")
        try CountlyEvents.verify(request, DialectSettings(receivedAt: PlayedRequest.receivedAt))
        let answer = try PlayedRequest.refusal(401, DialectError.signatureCode, "checksum256 is missing", to: request)
        #expect(answer.status == 200)
        #expect(try answer.object["result"]?.text == "Ignored")
    }

    @Test func `a request at the path that other clients use is of Countly only with an app key`() {
        let queries = [[DialectRequest.Parameter("e", "pv"), .init("aid", "k")], [.init("app_key", "")], []]
        for query in queries {
            #expect(DialectTable.find(DialectRequest("GET", "/i", query: query))?.dialect.family != .countly)
        }
        let other = DialectRequest("POST", "/i", body: Array("e=pv&aid=k".utf8))
        #expect(DialectTable.find(other)?.dialect.family != .countly)
        #expect(DialectTable.find(DialectRequest("POST", "/i"))?.dialect.family == .countly)
    }

    @Test(arguments: [(400, 200), (413, 200), (415, 200), (422, 200), (401, 401), (403, 403), (429, 429), (503, 503)])
    func `what a retry won't mend is taken off the client's queue, and an unknown key keeps it waiting`(
        _ status: Int, _ expected: Int
    ) throws {
        let request = DialectRequest("GET", "/i", query: [.init("app_key", "k")])
        let answer = try PlayedRequest.refusal(status, to: request)
        #expect(answer.status == expected)
        #expect(try (answer.object["result"] != nil) == (expected == 200))
        #expect(try answer.object["error"]?.text == "no such key")
    }

    @Test(arguments: ["GET", "POST"]) func `remote configuration is empty`(_ method: String) throws {
        let request = DialectRequest(method, "/o/sdk", query: [.init("method", "rc")])
        let found = try #require(DialectTable.find(request))
        #expect(found.route.purpose == .sideCall)
        let outcome = DialectOutcome(received: 0, receivedAt: PlayedRequest.receivedAt)
        #expect(found.dialect.answer(outcome, to: request).text == "{}")
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            String(repeating: "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n", count: 5_000),
            String(repeating: "--b\r\n", count: 1_000_000), String(repeating: "--b", count: 2_000_000),
            String(repeating: "-", count: 8_000_000), "--b" + String(repeating: "\r\n\r", count: 2_000_000),
        ]) func `parts without end are read in the time of the body's length`(body: String) throws
    {
        let played = try PlayedRequest(
            "/i", body, query: Self.essentials, headers: ["content-type": "multipart/form-data; boundary=\"b\""])
        #expect(played.events.isEmpty && played.ignored.isEmpty)
    }

    @Test(arguments: [(70, 1), (71, 0)]) func `a separator is at most as long as one can be`(
        length: Int, events: Int
    ) throws {
        let boundary = String(repeating: "b", count: length)
        let head = "Content-Disposition: form-data; name=\"events\""
        let body = "--\(boundary)\r\n\(head)\r\n\r\n\(Self.tap)\r\n--\(boundary)--"
        let played = try PlayedRequest(
            "/i", body, query: Self.essentials, headers: ["content-type": "multipart/form-data; boundary=\(boundary)"])
        #expect(played.events.count == events)
    }
}
