import Foundation
import Storage
import TestSupport
import Testing

/// Tests E44 to E48 (docs/fault-tests.md) over HTTP: the event is rejected by code, its neighbors are stored, and no
/// response is a 500.
@Suite(.serialized) struct BadInputTests {
    /// The collector of all tests in the suite, and an app for each test.
    private static let collector = Task {
        let conninfo = try await TestCluster.database()
        return (conninfo, try await CollectorProcess(conninfo: conninfo))
    }

    private let app: TestApp
    private let client: TestClient

    init() async throws {
        let (conninfo, process) = try await Self.collector.value
        app = try await TestApp(named: "bad-\(UUID().uuidString)", conninfo: conninfo)
        client = TestClient(url: process.url)
    }

    /// Posts a bad event between two good ones, and expects the good ones stored and the bad one kept with its code.
    private func expect(_ bad: String, is code: String, key: String? = nil) async throws {
        let response = try await client.post(
            "/v1/events", EventJSON.body(raw: [EventJSON.raw(), bad, EventJSON.raw()]), key: key ?? app.ingestKey)
        #expect(response.status == 200, "\(bad.prefix(200)): \(response.text.prefix(300))")
        #expect(try response.rejections() == [1: code], "\(bad.prefix(200)): \(response.text.prefix(300))")
        #expect(try response.json()["accepted"] as? Int == 2)
        let stored = try await app.value(
            "select code from afterpush.rejected_events where app_id = \(app.app.id) order by rejection_id desc limit 1"
        )
        #expect(stored == code)
    }

    @Test(arguments: [
        "notification_id", "device_id", "campaign_id", "category_id", "variant", "action_identifier", "user_text",
        "surface", "app_state", "app_version", "os_version", "locale", "dismiss_cause", "reason", "name",
    ])
    func `E44: invalid text rejects only its event`(field: String) async throws {
        let texts: [[UInt8]] = [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], Array(#"\u0000"#.utf8),
            Array(#"\ud800"#.utf8), Array(#"\udc00\ud800"#.utf8), [0x00],
        ]
        for text in texts {
            var body = Data("{\"events\":[\(EventJSON.raw()),{".utf8)
            body += Data(#""\#(field)":""#.utf8) + Data(text) + Data("\",".utf8)
            body += Data(
                #""event_id":"\#(UUID().uuidString)","occurred_at":"2026-11-20T10:00:00Z","kind":"read""#.utf8)
            if field != "notification_id" { body += Data(#","notification_id":"n""#.utf8) }
            if field != "device_id" { body += Data(#","device_id":"d""#.utf8) }
            body += Data("},\(EventJSON.raw())]}".utf8)
            let response = try await client.post("/v1/events", body, key: app.ingestKey)
            #expect(response.status == 200, "\(field) \(text): \(response.text)")
            #expect(try response.rejections() == [1: "text_invalid"], "\(field) \(text): \(response.text)")
        }
    }

    @Test func `E44: a body with a byte order mark is refused`() async throws {
        let body = Data([0xEF, 0xBB, 0xBF]) + EventJSON.body(raw: [EventJSON.raw()])
        #expect(try await client.post("/v1/events", body, key: app.ingestKey).status == 200)
    }

    @Test func `E45: a number out of range rejects only its event`() async throws {
        for number in ["9223372036854775808", "-9223372036854775809", "1e400", "1e131071", "-1e999999", "0.5"] {
            try await expect(EventJSON.raw(#""category_version":\#(number)"#), is: "field_invalid")
        }
        for number in ["1e400", "1e131071", "1e16", String(repeating: "9", count: 20_000)] {
            try await expect(EventJSON.raw(#""value":\#(number)"#, kind: "converted"), is: "field_invalid")
        }
        try await expect(EventJSON.raw(#""properties":{"n":1e131071}"#), is: "field_invalid")
        try await expect(EventJSON.raw(#""value":"NaN""#, kind: "converted"), is: "invalid_json_type")
        let zero = try await client.post(
            "/v1/events", EventJSON.body(raw: [EventJSON.raw(#""value":-0"#, kind: "converted")]), key: app.ingestKey)
        #expect(try zero.json()["accepted"] as? Int == 1)
    }

    @Test func `E46: nesting, members, duplicate keys, arrays and texts have limits`() async throws {
        func nested(_ depth: Int) -> String {
            #""properties":{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        }
        try await expect(EventJSON.raw(nested(64)), is: "limit_exceeded")
        try await expect(EventJSON.raw(nested(512)), is: "limit_exceeded")
        try await expect(EventJSON.raw(nested(20_000)), is: "limit_exceeded")
        try await expect(
            String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000), is: "invalid_json_type")
        try await expect(EventJSON.raw(#""campaign_id":"a","campaign_id":"b""#), is: "field_invalid")
        let members = (0..<20_000).map { #""k\#($0)":1"# }.joined(separator: ",")
        try await expect(EventJSON.raw(members), is: "limit_exceeded")
        try await expect(EventJSON.raw(#""x":"\#(String(repeating: "y", count: 1_000_000))""#), is: "limit_exceeded")
        let empty = String(repeating: "1,", count: 999_999) + "1"
        let array = try await client.post("/v1/events", Data("[\(empty)]".utf8), key: app.ingestKey)
        #expect(array.status == 413)
    }

    @Test func `E47: times are accepted, rejected or reported as invalid, and create no partition`() async throws {
        let before = try await app.value("select count(*) from pg_class where relname like 'events%'")
        func at(_ time: String) -> String {
            EventJSON.raw().replacing(#""occurred_at":"\#(EventJSON.occurredAt)""#, with: #""occurred_at":"\#(time)""#)
        }
        for time in [
            "", "soon", "2026-02-30T00:00:00Z", "294277-01-01T00:00:00Z", "2026-11-20", "0000-01-01T00:00:00Z",
        ] {
            try await expect(at(time), is: time.isEmpty ? "field_missing" : "occurred_at_invalid")
        }
        for time in ["9999-12-31T23:59:59Z", "2999-01-01T00:00:00Z"] {
            try await expect(at(time), is: "occurred_at_out_of_range")
        }
        let soon = ISO8601DateFormatter().string(from: Date() + 600)
        let past = ISO8601DateFormatter().string(from: Date() - 90 * 86_400)
        let accepted = [soon, past, "1970-01-01T00:00:00Z", "1900-01-01T00:00:00Z", "2026-03-29T02:30:00+01:00"].map(at)
        let response = try await client.post("/v1/events", EventJSON.body(raw: accepted), key: app.ingestKey)
        #expect(try response.json()["accepted"] as? Int == accepted.count, "\(response.text)")
        #expect(try await app.value("select count(*) from pg_class where relname like 'events%'") == before)
    }

    @Test func `E48: undeclared names are stored as undeclared and can be declared later`() async throws {
        let event = EventJSON.event([
            "kind": "action", "action_identifier": "unheard-of", "category_id": "later", "campaign_id": "nobody",
            "schema": 99,
        ])
        let response = try await client.post("/v1/events", EventJSON.body([event]), key: app.ingestKey)
        #expect(response.status == 200)
        try await app.waitForRollups()
        let query =
            "select count(*) from afterpush.events where app_id = \(app.app.id) and properties ->> 'schema' = '99'"
        #expect(try await app.value(query) == "1")
        try await expect(EventJSON.raw(kind: "telepathy"), is: "kind_unknown")
    }

    @Test func `typed text is stored neither in events nor in rejected events`() async throws {
        let secret = "secret-\(UUID().uuidString)"
        let bad = #"{"event_id":"no","user_text":"\#(secret)","action_identifier":"answer"}"#
        try await expect(bad, is: "event_id_invalid")
        let stored = try await app.value(
            "select event from afterpush.rejected_events where app_id = \(app.app.id) order by rejection_id desc limit 1"
        )
        #expect(stored?.contains(secret) == false)
        #expect(stored?.contains(#""user_text":\#(secret.utf8.count)"#) == true, "\(stored ?? "")")
    }

    @Test func `unreadable bodies get 400, too large ones 413, and other content types 415`() async throws {
        for body in [
            "", "{", "[1", "nonsense", #"{"events":{}}"#, #"{"events":[]} x"#, #"{"sent_at":"x","events":[]}"#,
        ] {
            let response = try await client.post("/v1/events", Data(body.utf8), key: app.ingestKey)
            #expect(response.status == 400, "\(body): \(response.text)")
            #expect(try response.json()["code"] as? String == "body_malformed")
        }
        let event = EventJSON.raw()
        let many = EventJSON.body(raw: Array(repeating: event, count: 5_001))
        #expect(try await client.post("/v1/events", many, key: app.ingestKey).status == 413)
        let limit = Data(String(repeating: " ", count: 5 * 1024 * 1024 - 2).utf8) + Data("[]".utf8)
        #expect(try await client.post("/v1/events", limit, key: app.ingestKey).status == 200)
        let type = try await client.post(
            "/v1/events", Data("<x/>".utf8), key: app.ingestKey, headers: ["Content-Type": "text/xml"])
        #expect(type.status == 415)
    }

    @Test func `unknown keys, keys without the scope and keys of another kind are refused`() async throws {
        let body = EventJSON.body(raw: [EventJSON.raw()])
        #expect(try await client.post("/v1/events", body, key: nil).status == 401)
        #expect(try await client.post("/v1/events", body, key: "ap_ingest_nothing").status == 401)
        #expect(try await client.post("/v1/events", body, key: app.readKey).status == 403)
        #expect(try await client.get("/v1/reports/conversion", key: app.ingestKey).status == 403)
        try await expect(EventJSON.raw(kind: "sent"), is: "scope_insufficient")
        let basic = "Basic " + Data("\(app.ingestKey):".utf8).base64EncodedString()
        #expect(try await client.post("/v1/events", body, key: nil, headers: ["Authorization": basic]).status == 200)
    }

    @Test func `every response has a request id, and errors are problem documents`() async throws {
        let response = try await client.get("/v1/nowhere", key: nil)
        #expect(response.status == 404)
        #expect(response.headers["content-type"] == "application/problem+json")
        #expect(response.headers["x-request-id"]?.isEmpty == false)
        #expect(try response.json()["code"] as? String == "not_found")
    }

    @Test(arguments: [
        ("GET", "/v1/events", "POST"), ("DELETE", "/v1/reports/conversion", "GET, HEAD"),
        ("POST", "/v1/campaigns/autumn", "GET, HEAD, PUT"), ("PATCH", "/v1/batch", "POST"),
    ])
    func `another method of a path gets 405, with the methods that it has`(
        method: String, path: String, allowed: String
    ) async throws {
        let collector = try await HTTPTestCollector.usual.value
        let response = try await Curl(collector.process.url)(path, "-X", method)
        #expect(response.status == 405 && response.body.contains("method_not_allowed"), "\(response)")
        let methods = Set((response.headers["allow"] ?? "").split(separator: ", ").map(String.init))
        #expect(methods.isSuperset(of: allowed.split(separator: ", ").map(String.init)), "\(response.headers)")
        #expect(!methods.contains(method))
        let unknown = try await Curl(collector.process.url)("/v1/nothing", "-X", method)
        #expect(unknown.status == 404 && unknown.headers["allow"] == nil)
    }

    @Test func `no cache keeps an error, or an answer to a request that stores events`() async throws {
        let event = Data(#"{"event":"x","properties":{"token":"\#(app.ingestKey)"}}"#.utf8).base64EncodedString()
        for (path, key, status) in [
            ("/v1/reports/conversion", nil, 401), ("/v1/reports/none", app.readKey, 404), ("/none", nil, 404),
            ("/track?data=\(event)", nil, 200),
        ] {
            let response = try await client.get(path, key: key)
            #expect(response.status == status, "\(path): \(response.text)")
            #expect(response.headers["cache-control"] == "no-store", "\(path)")
        }
    }
}
