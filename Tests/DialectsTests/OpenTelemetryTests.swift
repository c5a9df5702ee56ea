import AfterpushWire
import Dialects
import Events
import Foundation
import JSON
import SeededRandom
import Testing

struct OpenTelemetryTests {
    private static let receivedAt = Timestamp(microseconds: 1_795_415_642_000_000)
    private static let protobuf = "application/x-protobuf"
    private static let json = "application/json"

    private static func request(_ body: [UInt8], _ type: String?, path: String = "/v1/logs") -> DialectRequest {
        DialectRequest("POST", path, headers: type.map { ["content-type": $0] } ?? [:], body: body)
    }

    private static func read(
        _ body: [UInt8], _ type: String?, _ change: (inout DialectSettings) -> Void = { _ in }
    ) throws -> DialectSubmission {
        let request = request(body, type)
        let (dialect, route) = try #require(DialectTable.find(request))
        #expect(dialect.family == .otlp && route.purpose == .events)
        var settings = DialectSettings(receivedAt: receivedAt)
        change(&settings)
        let parsed = try dialect.parse(request)
        let submission = dialect.read(parsed, request, settings)
        let indices = Set(submission.events.map(\.index) + submission.ignored.map(\.index))
        #expect(indices == Set(0..<parsed.events.count))
        return submission
    }

    private static func bytes(_ base64: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: base64))) }

    /// A request in JSON with records of one resource.
    private static func document(_ records: String..., resource: String = "{}") -> [UInt8] {
        let records = records.joined(separator: ",")
        return Array(#"{"resourceLogs":[{"resource":\#(resource),"scopeLogs":[{"logRecords":[\#(records)]}]}]}"#.utf8)
    }

    /// A record in JSON whose attributes are texts.
    private static func record(
        _ name: String? = "push.notification.opened", _ attributes: [String: String] = [:], _ members: String = ""
    ) -> String {
        let delivery = ["afterpush.notification_id": "n-1", "device.id": "D1"]
        let list = delivery.merging(attributes) { $1 }.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map {
            #"{"key":"\#($0.key)","value":{"stringValue":"\#($0.value)"}}"#
        }
        return
            #"{\#(name.map { #""eventName":"\#($0)","# } ?? "")"attributes":[\#(list.joined(separator: ","))]\#(members)}"#
    }

    private static func single(
        _ record: String, resource: String = "{}", _ change: (inout DialectSettings) -> Void = { _ in }
    ) throws -> NativeEvent {
        let submission = try read(document(record, resource: resource), json, change)
        #expect(submission.ignored.isEmpty)
        return try #require(submission.events.first)
    }

    private static func written(_ event: NativeEvent) throws -> JSONObject {
        try #require(try JSONElement(Array(event.json(.otlp, EventIDKey([1])).utf8)).object)
    }

    private static func id(_ event: NativeEvent) throws -> String { try #require(written(event)["event_id"]?.text) }

    private static func text(_ event: IgnoredEvent) -> String {
        "\(event.index) \(event.name) \(event.reason.rawValue)"
    }

    // MARK: What the exporter in Python posts

    /// Three records of one exporter: an action, an opening with its name as an attribute, and an ordinary line.
    private static let exported =
        "CvUCCm0KFgoMc2VydmljZS5uYW1lEgYKBHNob3AKGAoPc2VydmljZS52ZXJzaW9uEgUKAzIuMQoQCgdvcy5uYW1lEgUKA2lPUwoUCgpvcy52ZXJz"
        + "aW9uEgYKBDE5LjAKEQoJZGV2aWNlLmlkEgQKAkQxEoMCCgsKBHB1c2gSAzEuMBLzAQkVB1hZA5nqGBAJKlkyVwoUCgtjYW1wYWlnbl9pZBIFCgNj"
        + "LTEKEgoFdmFsdWUSCSEAAAAAAAAEQAorCgpwcm9wZXJ0aWVzEh0yGwoZCgVzZWF0cxIQKg4KBAoCNEEKAhgFCgIQATIdChRwdXNoLm5vdGlmaWNh"
        + "dGlvbi5pZBIFCgNuLTEyJQobYWZ0ZXJwdXNoLmFjdGlvbl9pZGVudGlmaWVyEgYKBGJvb2syIgocYWZ0ZXJwdXNoLnV0Y19vZmZzZXRfbWludXRl"
        + "cxICGDxZGgdYWQOZ6hhiGHB1c2gubm90aWZpY2F0aW9uLmFjdGlvbgqOAgptChYKDHNlcnZpY2UubmFtZRIGCgRzaG9wChgKD3NlcnZpY2UudmVy"
        + "c2lvbhIFCgMyLjEKEAoHb3MubmFtZRIFCgNpT1MKFAoKb3MudmVyc2lvbhIGCgQxOS4wChEKCWRldmljZS5pZBIECgJEMRKcAQoLCgRwdXNoEgMx"
        + "LjASjAEJFQdYWQOZ6hgQCRoESU5GTyoJCgdzdGFydGVkMiAKCmV2ZW50Lm5hbWUSEgoQYWZ0ZXJwdXNoLm9wZW5lZDIiChlhZnRlcnB1c2gubm90"
        + "aWZpY2F0aW9uX2lkEgUKA24tMjIRCglkZXZpY2UuaWQSBAoCRDIyDAoEYmxvYhIEOgIA/1kaB1hZA5nqGAq1AQptChYKDHNlcnZpY2UubmFtZRIG"
        + "CgRzaG9wChgKD3NlcnZpY2UudmVyc2lvbhIFCgMyLjEKEAoHb3MubmFtZRIFCgNpT1MKFAoKb3MudmVyc2lvbhIGCgQxOS4wChEKCWRldmljZS5p"
        + "ZBIECgJEMRJECgsKBHB1c2gSAzEuMBI1CRUHWFkDmeoYGgRJTkZPKhIKEGFuIG9yZGluYXJ5IGxpbmUyBwoBbhICGAFZGgdYWQOZ6hg="

    /// The same records in JSON, as an exporter in JavaScript writes them, with numbers as texts or as numbers.
    private static let exportedAsJSON: String = {
        let resource = #"""
            {"attributes":[{"key":"service.name","value":{"stringValue":"shop"}},{"key":"service.version","value":{"stringValue":"2.1"}},
            {"key":"os.name","value":{"stringValue":"iOS"}},{"key":"os.version","value":{"stringValue":"19.0"}},
            {"key":"device.id","value":{"stringValue":"D1"}}],"droppedAttributesCount":0}
            """#
        let scope = #"{"name":"push","version":"1.0"}"#
        return #"""
            {"resourceLogs":[{"resource":\#(resource),"scopeLogs":[{"scope":\#(scope),"logRecords":[
            {"timeUnixNano":"1795415641123456789","severityNumber":9,"body":{"kvlistValue":{"values":[
            {"key":"campaign_id","value":{"stringValue":"c-1"}},{"key":"value","value":{"doubleValue":2.5}},
            {"key":"properties","value":{"kvlistValue":{"values":[{"key":"seats","value":{"arrayValue":{"values":[
            {"stringValue":"4A"},{"intValue":"5"},{"boolValue":true}]}}}]}}}]}},"attributes":[
            {"key":"push.notification.id","value":{"stringValue":"n-1"}},
            {"key":"afterpush.action_identifier","value":{"stringValue":"book"}},
            {"key":"afterpush.utc_offset_minutes","value":{"intValue":60}}],
            "observedTimeUnixNano":"1795415641123456794","eventName":"push.notification.action","unknownField":{"a":[1]}}]}]},
            {"resource":\#(resource),"scopeLogs":[{"scope":\#(scope),"logRecords":[
            {"timeUnixNano":1795415641123456789,"severityNumber":9,"severityText":"INFO","body":{"stringValue":"started"},
            "attributes":[{"key":"event.name","value":{"stringValue":"afterpush.opened"}},
            {"key":"afterpush.notification_id","value":{"stringValue":"n-2"}},{"key":"device.id","value":{"stringValue":"D2"}},
            {"key":"blob","value":{"bytesValue":"AP8="}}],"observedTimeUnixNano":1795415641123456794}]}]},
            {"resource":\#(resource),"scopeLogs":[{"scope":\#(scope),"logRecords":[
            {"timeUnixNano":"1795415641123456789","severityText":"INFO","body":{"stringValue":"an ordinary line"},
            "attributes":[{"key":"n","value":{"intValue":"1"}}]}]}]}]}
            """#
    }()

    @Test func `the Python exporter's records become events by their names`() throws {
        let submission = try Self.read(Self.bytes(Self.exported), Self.protobuf)
        #expect(submission.ignored.map(Self.text) == ["2  other_type"])
        try #require(submission.events.count == 2)
        let action = try Self.written(submission.events[0])
        let expected = [
            "kind": "action", "action_identifier": "book", "notification_id": "n-1", "device_id": "D1",
            "campaign_id": "c-1", "platform": "ios", "os_version": "19.0", "app_version": "2.1", "value": "2.5",
            "utc_offset_minutes": "60", "occurred_at": "2026-11-23T06:34:01.123456Z",
        ]
        for (field, value) in expected { #expect(action.value(named: field)?.text == value, "\(field)") }
        #expect(action["properties"]?.json == #"{"seats":["4A",5,true]}"#)
        #expect(action.all.count == expected.count + 2)
        let opened = try Self.written(submission.events[1])
        #expect(opened["kind"]?.text == "opened")
        #expect(opened["notification_id"]?.text == "n-2")
        #expect(opened["device_id"]?.text == "D2")
    }

    @Test func `the same records in JSON are the same events`() throws {
        let protobuf = try Self.read(Self.bytes(Self.exported), Self.protobuf)
        let json = try Self.read(Array(Self.exportedAsJSON.utf8), Self.json)
        #expect(json.events == protobuf.events)
        #expect(json.ignored == protobuf.ignored)
        let key = EventIDKey([1])
        #expect(json.events.map { $0.json(.otlp, key) } == protobuf.events.map { $0.json(.otlp, key) })
    }

    @Test func `every type of value is read`() throws {
        let submission = try Self.read(
            Self.bytes(
                "CqoCEqcCEqQCMiIKGWFmdGVycHVzaC5ub3RpZmljYXRpb25faWQSBQoDbi0zMhEKCWRldmljZS5pZBIECgJEMzKkAQoUYWZ0ZXJwdXNoLnBy"
                    + "b3BlcnRpZXMSiwEyiAEKCQoBcxIECgLDvAoHCgF0EgIQAQoHCgFmEgIQAAoQCgFpEgsY+f//////////AQoOCgFkEgkhAAAAAAAABEAK"
                    + "EAoDaW5mEgkhAAAAAAAA8H8KCQoBYhIEOgIA/woGCgRub25lCgcKAWUSAgoAChkKAWESFCoSCgIYAQoMMgoKCAoBeBIDCgF5OANFAQAA"
                    + "AEoQAAECAwQFBgcICQoLDA0OD1IIAAECAwQFBgdZADr8UQOZ6hhiGHB1c2gubm90aWZpY2F0aW9uLm9wZW5lZA=="),
            Self.protobuf)
        let event = try Self.written(#require(submission.events.first))
        #expect(
            event["properties"]?.json
                == #"{"a":[1,{"x":"y"}],"b":"AP8=","d":2.5,"e":"","f":false,"i":-7,"s":"ü","t":true}"#)
        // Without a time of the event, that of its observation counts.
        #expect(event["occurred_at"]?.text == "2026-11-23T06:34:01Z")
    }

    @Test func `a value that is nested too deeply costs nothing but itself`() throws {
        let submission = try Self.read(
            Self.bytes(
                "CoMDEoADEv0CKrECKq4CCqsCKqgCCqUCKqICCp8CKpwCCpkCKpYCCpMCKpACCo0CKooCCocCKoQCCoECKv4BCvsBKvgBCvUBKvIBCu8BKuwB"
                    + "CukBKuYBCuMBKuABCt0BKtoBCtcBKtQBCtEBKs4BCssBKsgBCsUBKsIBCr8BKrwBCrkBKrYBCrMBKrABCq0BKqoBCqcBKqQBCqEBKp4B"
                    + "CpsBKpgBCpUBKpIBCo8BKowBCokBKoYBCoMBKoABCn4qfAp6KngKdip0CnIqcApuKmwKaipoCmYqZApiKmAKXipcCloqWApWKlQKUipQ"
                    + "Ck4qTApKKkgKRipECkIqQAo+KjwKOio4CjYqNAoyKjAKLiosCioqKAomKiQKIiogCh4qHAoaKhgKFioUChIqEAoOKgwKCioICgYKBGRl"
                    + "ZXAyIgoZYWZ0ZXJwdXNoLm5vdGlmaWNhdGlvbl9pZBIFCgNuLTQyEQoJZGV2aWNlLmlkEgQKAkQ0YhBhZnRlcnB1c2gub3BlbmVk"
            ),
            Self.protobuf)
        #expect(submission.events.first?.text(.notificationID) == "n-4")
    }

    // MARK: Requests

    @Test(arguments: [
        ("", protobuf), ("{}", json), (#"{"resourceLogs":[]}"#, json),
        (#"{"resourceLogs":[{"scopeLogs":[{}]}]}"#, json),
        ("", nil),
    ])
    func `a request without records is a success`(_ body: String, _ type: String?) throws {
        let submission = try Self.read(Array(body.utf8), type)
        #expect(submission.events.isEmpty && submission.ignored.isEmpty)
    }

    @Test(arguments: [
        "application/x-protobuf", "Application/X-Protobuf; charset=binary", "application/protobuf",
        "application/octet-stream", nil,
    ])
    func `a message is read under any name of its encoding`(_ type: String?) throws {
        #expect(try Self.read(Self.bytes(Self.exported), type).events.count == 2)
    }

    @Test(arguments: ["application/json", "application/json; charset=utf-8", "text/plain", nil])
    func `a JSON document is read under any name of its encoding`(_ type: String?) throws {
        #expect(try Self.read(Self.document(Self.record()), type).events.count == 1)
    }

    @Test(arguments: ["application/grpc", "application/xml", "application/x-www-form-urlencoded"])
    func `other types are refused in JSON`(_ type: String) throws {
        #expect(
            throws: DialectError.unsupportedMediaType("the type must be application/x-protobuf or application/json")
        ) {
            try Self.read(Self.document(Self.record()), type)
        }
        let refusal = DialectRefusal(status: 415, title: "", code: "media_type_unsupported", detail: "no")
        #expect(OpenTelemetryLogs.answer(refusal, to: Self.request([], type)).contentType == "application/json")
    }

    @Test(arguments: [
        "", "{", "[]", "7", #"{"resourceLogs":{}}"#, #"{"resourceLogs":[7]}"#, #"{"resourceLogs":[{"scopeLogs":7}]}"#,
    ])
    func `a document that is none of OpenTelemetry is refused`(_ body: String) {
        #expect(throws: DialectError.self) { try Self.read(Array(body.utf8), Self.json) }
    }

    @Test func `a message that is cut off anywhere within a record is refused`() throws {
        let body = try Self.bytes(Self.exported)
        // The first resource and its record are a message of their own.
        let whole = [0, 376, 376 + 273, body.count]
        for length in 0..<body.count where !whole.contains(length) {
            #expect(throws: DialectError.malformed("the body is no message of OpenTelemetry, or is cut off")) {
                try Self.read(Array(body[..<length]), Self.protobuf)
            }
        }
    }

    @Test(arguments: [
        "00", "0b", "0a8080808080808080808001", "ffffffffffffffffffff01", "0affffffffffffffffff01", "0d00",
        "0a03120c0a0a09088000080008000800",
    ])
    func `bytes that are no message are refused`(_ hex: String) throws {
        let digits = Array(hex.utf8).compactMap(\.hexValue)
        let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        #expect(throws: DialectError.self) { try Self.read(bytes, Self.protobuf) }
    }

    @Test func `damaged bodies never crash`() throws {
        var random = SeededGenerator(seed: 9)
        for (body, type) in [
            (try Self.bytes(Self.exported), Self.protobuf), (Array(Self.exportedAsJSON.utf8), Self.json),
        ] {
            for _ in 0..<2_000 {
                var damaged = body
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                _ = try? Self.read(damaged, type)
            }
        }
    }

    @Test func `only records that may be events count against the limit of events`() throws {
        let ordinary = Array(repeating: #"{"body":{"stringValue":"x"}}"#, count: 6_000).joined(separator: ",")
        let submission = try Self.read(Self.document(ordinary, Self.record()), Self.json)
        #expect(submission.events.map(\.index) == [6_000])
        #expect(submission.ignored.count == 6_000)
        let named = Array(repeating: #"{"eventName":"x"}"#, count: 5_001).joined(separator: ",")
        #expect(throws: DialectError.tooManyEvents(limit: 5_000)) { try Self.read(Self.document(named), Self.json) }
        let many = Array(repeating: "{}", count: 100_001).joined(separator: ",")
        #expect(throws: DialectError.tooManyEvents(limit: 100_000)) { try Self.read(Self.document(many), Self.json) }
        let scope = Array(repeating: [UInt8]([0x12, 0x00]), count: 100_001).flatMap { $0 }
        #expect(throws: DialectError.tooManyEvents(limit: 100_000)) { try Self.read(Self.nested(scope), Self.protobuf) }
    }

    /// A message with the records of one scope.
    private static func nested(_ scope: [UInt8]) -> [UInt8] {
        func field(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            var length = content.count
            var bytes = [tag]
            while length >= 0x80 {
                bytes.append(UInt8(length & 0x7F) | 0x80)
                length >>= 7
            }
            return bytes + [UInt8(length)] + content
        }
        return field(0x0A, field(0x12, scope))
    }

    @Test func `a base address with a path is served, too`() throws {
        for path in ["/v1/logs", "/otlp/v1/logs"] {
            let found = try #require(DialectTable.find(Self.request([], Self.protobuf, path: path)))
            #expect(found.dialect.family == .otlp)
        }
    }

    @Test func `the logs of PostHog's clients are read, with the key in their query`() throws {
        let record =
            #"{"eventName":"push.notification.opened","timeUnixNano":"1795415642908000000","attributes":["#
            + #"{"key":"push.notification.id","value":{"stringValue":"n"}},{"key":"device.id","value":{"stringValue":"d"}}]}"#
        let played = try PlayedRequest(
            "/i/v1/logs", #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#(record)]}]}]}"#,
            query: ["token": "ap_ingest_x"], headers: ["content-type": "application/json"])
        #expect(played.family == .otlp)
        #expect(try played.key == "ap_ingest_x")
        #expect(try played.event.text(.notificationID) == "n")
        #expect(played.answer().text == "{}")
    }

    // MARK: Responses

    private static func outcome(rejected: Int = 0) -> DialectOutcome {
        DialectOutcome(
            received: 3, accepted: 1, ignored: 2,
            rejected: (0..<rejected).map { .init(index: $0, code: "field_invalid", detail: "no") },
            receivedAt: receivedAt)
    }

    @Test func `a success is empty in the encoding of the request`() {
        #expect(
            OpenTelemetryLogs.answer(Self.outcome(), to: Self.request([], Self.protobuf))
                == DialectAnswer(status: 200, contentType: "application/x-protobuf", body: []))
        #expect(
            OpenTelemetryLogs.answer(Self.outcome(), to: Self.request([], Self.json))
                == DialectAnswer(status: 200, contentType: "application/json", body: Array("{}".utf8)))
    }

    @Test func `rejected records are a partial success`() {
        let protobuf = OpenTelemetryLogs.answer(Self.outcome(rejected: 1), to: Self.request([], Self.protobuf))
        #expect(protobuf.status == 200 && protobuf.body == [0x0A, 0x06, 0x08, 0x01, 0x12, 0x02, 0x6E, 0x6F])
        let json = OpenTelemetryLogs.answer(Self.outcome(rejected: 2), to: Self.request([], Self.json))
        #expect(json.status == 200)
        #expect(
            String(decoding: json.body, as: UTF8.self)
                == #"{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"no, and others"}}"#)
    }

    @Test(arguments: [(400, 3), (401, 16), (403, 7), (404, 5), (413, 8), (415, 3), (429, 8), (500, 13), (503, 14)])
    func `a refusal is a status of gRPC in the encoding of the request`(_ status: Int, _ code: Int) {
        let refusal = DialectRefusal(status: status, title: "", code: "key_unknown", detail: "no")
        for dialect in [OpenTelemetryLogs.self, OpenTelemetryOtherSignals.self] as [any Dialect.Type] {
            let protobuf = dialect.answer(refusal, to: Self.request([], Self.protobuf))
            #expect(protobuf.status == status && protobuf.contentType == "application/x-protobuf")
            #expect(protobuf.body == [0x08, UInt8(code), 0x12, 0x02, 0x6E, 0x6F])
            let json = dialect.answer(refusal, to: Self.request([], Self.json))
            #expect(json.status == status && json.contentType == "application/json")
            #expect(String(decoding: json.body, as: UTF8.self) == #"{"code":\#(code),"message":"no"}"#)
        }
    }

    @Test(arguments: ["/v1/traces", "/v1/metrics", "/otlp/v1/traces", "/otlp/v1/metrics"])
    func `other signals are answered with an empty success`(_ path: String) throws {
        for (type, body) in [(Self.protobuf, ""), (Self.json, "{}")] {
            let request = Self.request([], type, path: path)
            let (dialect, route) = try #require(DialectTable.find(request))
            #expect(route.purpose == .sideCall)
            #expect(
                dialect.answer(DialectOutcome(received: 0, receivedAt: Self.receivedAt), to: request)
                    == DialectAnswer(status: 200, contentType: type, body: Array(body.utf8)))
        }
    }

    // MARK: Mapping

    @Test(arguments: [
        ("push.notification.delivered", "delivered"), ("afterpush.dismissed", "dismissed"),
        ("com.example.push.notification.displayed", "displayed"), ("Afterpush.Token_Failed", "token_failed"),
    ])
    func `the name's last word after a known prefix is the kind`(_ name: String, _ kind: String) throws {
        #expect(try Self.single(Self.record(name)).text(.kind) == kind)
        #expect(try Self.single(Self.record(nil, ["event.name": name])).text(.kind) == kind)
    }

    @Test func `other names are ignored by name, and records without one as of another type`() throws {
        let unknown = #"{"eventName":"session.start","attributes":[{"key":"device.id","value":{"stringValue":"D1"}}]}"#
        let submission = try Self.read(
            Self.document(
                #"{"body":{"stringValue":"push.notification.opened"}}"#, unknown, Self.record(),
                Self.record("afterpush.banana"), "7"),
            Self.json)
        #expect(submission.events.map(\.index) == [2])
        #expect(
            submission.ignored.map(Self.text) == [
                "0  other_type", "1 session.start unknown_name", "3 afterpush.banana unknown_name", "4  other_type",
            ])
    }

    @Test func `native attributes make a record of any name or none exact`() throws {
        for name in [nil, "checkout"] {
            let event = try Self.single(
                Self.record(name, ["afterpush.kind": "action", "afterpush.action_identifier": "book"]))
            #expect(event.text(.kind) == "action")
            #expect(event.text(.actionIdentifier) == "book")
        }
        let object =
            #","attributes":[{"key":"afterpush","value":{"kvlistValue":{"values":[{"key":"kind","value":{"stringValue":"opened"}},{"key":"notification_id","value":{"stringValue":"n-7"}}]}}},{"key":"device.id","value":{"stringValue":"D7"}}]"#
        let event = try Self.single(Self.record("checkout", [:], object))
        #expect(event.text(.notificationID) == "n-7")
        #expect(event.text(.deviceID) == "D7")
        // What they state must be an event.
        let submission = try Self.read(Self.document(Self.record("checkout", ["afterpush.kind": "banana"])), Self.json)
        #expect(submission.ignored.map(Self.text) == ["0 checkout unknown_name"])
    }

    @Test func `a mapping of the app names records that no prefix does`() throws {
        let record = Self.record(
            "shop.push_clicked", ["button": "book", "channel": "push", "afterpush.notification_id": "", "msg": "n-8"])
        let rule = EventMappings.Rule(
            dialect: "otlp", event: "shop.push_clicked", where: ["attributes.channel": "push"], kind: "tap",
            fields: ["action_identifier": "attributes.button", "notification_id": "attributes.msg"])
        let event = try Self.single(record) { $0.mappings = EventMappings([rule]) }
        #expect(event.text(.kind) == "action")
        #expect(event.text(.notificationID) == "n-8")
        let other = try Self.read(Self.document(record), Self.json) {
            var rule = rule
            rule.dialect = "segment"
            $0.mappings = EventMappings([rule])
        }
        #expect(other.ignored.map(\.reason) == [.unknownName])
    }

    @Test func `a body of pairs states native fields, and nothing else of it is kept`() throws {
        let body =
            #","body":{"kvlistValue":{"values":[{"key":"category_id","value":{"stringValue":"k"}},{"key":"variant","value":{"stringValue":"b"}},{"key":"title","value":{"stringValue":"secret"}}]}}"#
        let event = try Self.single(
            Self.record("afterpush.opened", ["afterpush.variant": "c", "email": "secret"], body))
        #expect(event.text(.categoryID) == "k")
        #expect(event.text(.variant) == "c")
        #expect(!event.json(.otlp, EventIDKey([1])).contains("secret"))
    }

    @Test(arguments: ["ios.app.state", "android.app.state", "ios.state", "android.state"])
    func `an app that comes to the foreground is opened`(_ attribute: String) throws {
        let record = Self.record("device.app.lifecycle", [attribute: "foreground", "afterpush.notification_id": ""])
        #expect(try Self.single(record).text(.kind) == "app_opened")
        for state in ["background", "active", "created", ""] {
            let submission = try Self.read(
                Self.document(Self.record("device.app.lifecycle", [attribute: state])), Self.json)
            #expect(submission.ignored.map(Self.text) == ["0 device.app.lifecycle other_type"])
        }
    }

    @Test func `the resource describes the device, and the record goes before it`() throws {
        let resource =
            #"{"attributes":[{"key":"device.id","value":{"stringValue":"D9"}},{"key":"os.name","value":{"stringValue":"Android"}},{"key":"os.version","value":{"stringValue":"16"}},{"key":"service.version","value":{"stringValue":"3.0"}}]}"#
        let event = try Self.single(Self.record("afterpush.opened", ["device.id": ""]), resource: resource)
        #expect(event.text(.deviceID) == "D9")
        #expect(event.text(.platform) == "android")
        #expect(event.text(.osVersion) == "16")
        #expect(event.text(.appVersion) == "3.0")
        let other = try Self.single(
            Self.record("afterpush.opened", ["os.version": "17", "afterpush.platform": "iOS"]), resource: resource)
        #expect(other.text(.deviceID) == "D1")
        #expect(other.text(.osVersion) == "17")
        #expect(other.text(.platform) == "ios")
        let web =
            #"{"attributes":[{"key":"telemetry.sdk.language","value":{"stringValue":"webjs"}},{"key":"os.name","value":{"stringValue":"Linux"}}]}"#
        #expect(try Self.single(Self.record(), resource: web).text(.platform) == "web")
    }

    @Test func `a resource that is too long to be read for each record counts as absent`() throws {
        func resource(_ padding: Int) -> String {
            let text = String(repeating: "x", count: padding)
            return
                #"{"attributes":[{"key":"padding","value":{"stringValue":"\#(text)"}},{"key":"os.version","value":{"stringValue":"16"}}]}"#
        }
        let record = Self.record("afterpush.opened", ["device.id": "D1"])
        #expect(try Self.single(record, resource: resource(16_000)).text(.osVersion) == "16")
        #expect(try Self.single(record, resource: resource(17_000)).text(.osVersion) == nil)
    }

    @Test func `each record belongs to its own resource`() throws {
        func logs(_ device: String?, _ records: Int) -> String {
            let resource = device.map {
                #""resource":{"attributes":[{"key":"device.id","value":{"stringValue":"\#($0)"}}]},"#
            }
            let list = Array(repeating: Self.record("afterpush.opened", ["device.id": ""]), count: records)
            return #"{\#(resource ?? "")"scopeLogs":[{"logRecords":[{},\#(list.joined(separator: ","))]}]}"#
        }
        let body = #"{"resourceLogs":[\#(logs("D1", 2)),\#(logs("D2", 1)),\#(logs(nil, 1)),\#(logs("D3", 1))]}"#
        let submission = try Self.read(Array(body.utf8), Self.json)
        #expect(submission.events.map { $0.text(.deviceID) } == ["D1", "D1", "D2", "D3"])
        #expect(submission.ignored.map(\.reason).filter { $0 == .noDevice }.count == 1)
    }

    @Test func `a resource may follow its records`() throws {
        let record = Self.record("afterpush.opened", ["device.id": ""])
        let json =
            #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#(record)]}],"resource":{"attributes":[{"key":"device.id","value":{"stringValue":"D9"}}]}}]}"#
        #expect(try Self.read(Array(json.utf8), Self.json).events.first?.text(.deviceID) == "D9")
        // The fields of the first message of the exporter in the other order.
        let exported = try Self.bytes(Self.exported)
        let resource = exported[3..<114]
        let scope = exported[114..<376]
        let (dialect, body) = (OpenTelemetryLogs.self, exported[..<3] + scope + resource)
        let request = Self.request(Array(body), Self.protobuf)
        let events = dialect.read(try dialect.parse(request), request, DialectSettings(receivedAt: Self.receivedAt))
            .events
        #expect(events.first?.text(.deviceID) == "D1")
    }

    @Test func `lists that are null and keys with escapes are read`() throws {
        let null = #"{"resourceLogs":[{"resource":null,"scopeLogs":null},{"scopeLogs":[{"logRecords":null},7]}]}"#
        #expect(try Self.read(Array(null.utf8), Self.json).ignored.isEmpty)
        let record = #"{"body":null,"attributes":null,"eventName":"afterpush.\u006fpened"}"#
        #expect(try Self.read(Self.document(record), Self.json).ignored.map(\.reason) == [.noNotification])
        let spaced = String(decoding: Self.document(Self.record()), as: UTF8.self).replacing(",", with: " ,\n\t")
            .replacing(":", with: " : ")
        #expect(try Self.read(Array(("\u{FEFF} " + spaced + " \n").utf8), Self.json).events.count == 1)
    }

    @Test func `the app decides which part names the device`() throws {
        let record = Self.record("afterpush.opened", ["user.id": "U1", "enduser.pseudo.id": "A1", "push.token": "T1"])
        for (source, device) in [
            (DeviceSource.deviceID, "D1"), (.userID, "U1"), (.anonymousID, "A1"), (.token, "T1"),
        ] {
            #expect(try Self.single(record) { $0.deviceOrder = [source] }.text(.deviceID) == device)
        }
        let exact = Self.record("afterpush.opened", ["user.id": "U1", "afterpush.device_id": "D5"])
        #expect(try Self.single(exact) { $0.deviceOrder = [.userID] }.text(.deviceID) == "D5")
    }

    @Test(arguments: ["afterpush.device_id", "device.id"])
    func `an address in the place of a device is hashed`(_ attribute: String) throws {
        let event = try Self.single(Self.record("afterpush.opened", [attribute: "ada@example.com"]))
        #expect(event.text(.deviceID) == DeviceName.stored("ada@example.com"))
    }

    @Test(arguments: ["afterpush", "afterpush.receipt"])
    func `a receipt names the delivery alone`(_ attribute: String) throws {
        // {"jti":"n-5","sub":"D5"}
        let receipt = "e30.eyJqdGkiOiJuLTUiLCJzdWIiOiJENSJ9.c2ln"
        let event = try Self.single(
            Self.record("afterpush.opened", [attribute: receipt, "afterpush.notification_id": ""]))
        #expect(event.text(.receipt) == receipt)
        #expect(!event.has(.notificationID) && !event.has(.deviceID))
    }

    @Test func `an event without a notification or a device is ignored`() throws {
        let submission = try Self.read(
            Self.document(
                Self.record("afterpush.opened", ["afterpush.notification_id": ""]),
                Self.record("afterpush.opened", ["device.id": ""])), Self.json)
        #expect(submission.ignored.map(\.reason) == [.noNotification, .noDevice])
    }

    // MARK: Time and identity

    @Test(arguments: [
        (#","timeUnixNano":"1795415641123456789","observedTimeUnixNano":"1""#, "2026-11-23T06:34:01.123456Z"),
        (#","timeUnixNano":"0","observedTimeUnixNano":"1795415641000000000""#, "2026-11-23T06:34:01Z"),
        (#","timeUnixNano":1795415641500000000"#, "2026-11-23T06:34:01.500Z"), ("", "2026-11-23T06:34:02Z"),
        (#","timeUnixNano":"soon""#, "2026-11-23T06:34:02Z"),
        (#","timeUnixNano":"18446744073709551615""#, "2554-07-21T23:34:33.709551Z"),
    ])
    func `the time is that of the record, else of its observation, else of arrival`(
        _ members: String, _ time: String
    ) throws {
        #expect(try Self.single(Self.record("afterpush.opened", [:], members)).text(.occurredAt) == time)
    }

    @Test func `a record that is sent again is the same event, whenever it was observed`() throws {
        func id(_ members: String, _ attributes: [String: String] = [:], resource: String = "{}") throws -> String {
            try Self.id(Self.single(Self.record("afterpush.opened", attributes, members), resource: resource))
        }
        let time = #","timeUnixNano":"1795415641000000000""#
        let base = try id(time)
        #expect(try id(time + #","observedTimeUnixNano":"1795415642000000000","severityNumber":9"#) == base)
        #expect(try id(#","timeUnixNano":"1795415641000000001""#) != base)
        #expect(try id(time + #","spanId":"0001020304050607""#) != base)
        #expect(try id(time + #","body":{"stringValue":"x"}"#) != base)
        #expect(try id(time, ["x": "y"]) != base)
        #expect(
            try id(time, resource: #"{"attributes":[{"key":"a","value":{"stringValue":"b"}}]}"#) != base)
        // Without a time, only the observation tells two equal records apart.
        #expect(try id(#","observedTimeUnixNano":"1""#) != id(#","observedTimeUnixNano":"2""#))
    }

    @Test(arguments: ["afterpush.event_id", "event.id", "log.record.uid"])
    func `an id that the record states is its identity`(_ attribute: String) throws {
        func id(_ value: String, _ time: Int) throws -> String {
            try Self.id(Self.single(Self.record("afterpush.opened", [attribute: value], #","timeUnixNano":\#(time)"#)))
        }
        #expect(try id("01JD", 1_795_415_641_000_000_000) == id("01JD", 1_795_415_642_000_000_000))
        #expect(try id("01JD", 1_795_415_641_000_000_000) != id("01JE", 1_795_415_641_000_000_000))
    }

    @Test func `a native event id is kept`() throws {
        let id = "6731d4ac-26e1-4992-8d38-2be439fcfead"
        #expect(
            try Self.id(Self.single(Self.record("afterpush.opened", ["afterpush.event_id": id.uppercased()]))) == id)
    }
}
