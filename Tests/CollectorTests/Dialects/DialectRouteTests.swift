import Crypto
import Events
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

/// Tests requests of other systems' clients over HTTP, from the key to the report.
@Suite struct DialectRouteTests {
    private static let shared = Task { try await HTTPTestCollector(environment: [:]) }
    private let collector: HTTPTestCollector
    private let app: TestApp

    init() async throws {
        collector = try await Self.shared.value
        app = collector.app
    }

    private func tap(_ name: String, _ fields: String = "") -> String {
        #"{"type":"track","event":"Push Notification Tapped","messageId":"m-\#(name)","anonymousId":"a","#
            + #""properties":{"notification_id":"\#(name)","device_id":"d"}\#(fields)}"#
    }

    private func post(
        _ path: String, _ body: String, key: String? = nil, headers: [String: String] = [:]
    ) async throws -> TestClient.Response {
        try await collector.client.post(path, Data(body.utf8), key: key, headers: headers)
    }

    private func count(_ notification: String) async throws -> String? {
        try await app.value("select count(*) from afterpush.events where notification_id = '\(notification)'")
    }

    @Test(arguments: ["/v1/batch", "/v1/batch/", "/v1/b", "/batch", "/beacon/v1/batch"])
    func `both forms of each path take a batch, without a redirect`(path: String) async throws {
        let name = "path" + path.replacing("/", with: "-")
        let response = try await post(path, #"{"batch":[\#(tap(name))],"writeKey":"\#(app.ingestKey)"}"#)
        #expect(response.status == 200, "\(response.text)")
        #expect(try response.json()["accepted"] as? Int == 1)
        #expect(try await count(name) == "1")
    }

    @Test func `a key is found in every place, and one in the headers goes before a masked one in the body`()
        async throws
    {
        let key = app.ingestKey
        func basic(_ text: String) -> [String: String] {
            ["Authorization": "Basic " + Data(text.utf8).base64EncodedString()]
        }
        let places: [(name: String, path: String, headers: [String: String], body: String)] = [
            ("bearer", "/v1/t", ["Authorization": "Bearer \(key)"], ""),
            ("basic", "/v1/t", basic("\(key):"), ""), ("basic-bare", "/v1/t", basic(key), ""),
            ("basic-password", "/v1/t", basic("site:\(key)"), ""),
            ("write-key", "/api/s/track", ["X-Write-Key": "\(key):secret"], #","writeKey":"\#(key.prefix(12)):***""#),
            ("oauth", "/v1/t", ["Authorization": "Bearer token.of.oauth"], #","writeKey":"\#(key)""#),
            ("body", "/v1/t", [:], #","writeKey":"\#(key)""#), ("query", "/v1/t?writeKey=\(key)", [:], ""),
        ]
        for place in places {
            let response = try await post(place.path, tap("key-\(place.name)", place.body), headers: place.headers)
            #expect(response.status == 200, "\(place.name): \(response.text)")
            #expect(try await count("key-\(place.name)") == "1", "\(place.name)")
        }
        #expect(!collector.process.errorOutput.contains(key))
    }

    @Test func `a request without a key, or with an unknown one, gets 401 with the members that end retries`()
        async throws
    {
        for body in [tap("none"), tap("none", #","writeKey":"ap_ingest_none""#)] {
            let response = try await post("/v1/t", body)
            #expect(response.status == 401)
            let problem = try response.json()
            for member in ["code", "message", "detail", "error"] { #expect(problem[member] is String, "\(member)") }
            #expect(problem["success"] as? Bool == false)
        }
        #expect(try await count("none") == "0")
    }

    @Test func `gzip is recognised without its header, and a body that is cut off gets 400`() async throws {
        let body = Data(#"{"batch":[\#(tap("gzip"))],"writeKey":"\#(app.ingestKey)"}"#.utf8)
        let zipped = try await ZipArchive.compress(body, windowBits: 31)
        let response = try await collector.client.post(
            "/v1/batch", zipped, key: nil, headers: ["Content-Type": "text/plain"])
        #expect(response.status == 200, "\(response.text)")
        #expect(try await count("gzip") == "1")
        for cut in [body.prefix(40), zipped.prefix(30)] as [Data] {
            #expect(try await collector.client.post("/v1/batch", cut, key: nil).status == 400)
        }
    }

    @Test func `an ingest key can't state sends, and its other events are stored`() async throws {
        let sent = tap("scope").replacing("Push Notification Tapped", with: "Push Notification Sent")
            .replacing("m-scope", with: "m-sent")
        let body = #"{"batch":[\#(tap("scope")),\#(sent)]}"#
        let response = try await post("/v1/batch", body, key: app.ingestKey)
        #expect(response.status == 200)
        #expect(try response.json()["ignored"] as? Int == 1)
        #expect(try await count("scope") == "1")
        #expect(try await post("/v1/batch", body, key: app.sendKey).json()["ignored"] as? Int == 0)
        // The tap, too: it is verified now, and a copy without a time that is not is another event.
        #expect(try await count("scope") == "3")
    }

    @Test func `what is ignored is counted by name and reason, and a mapping gives it a meaning`() async throws {
        let event = tap("mapped").replacing("Push Notification Tapped", with: "Reminder Followed")
        let body = event.replacing(#""device_id":"d""#, with: #""device_id":"d","program":"yoga","channel":"push""#)
        #expect(try await post("/v1/t", body, key: app.ingestKey).json()["ignored"] as? Int == 1)
        let mapping = """
            {"mappings": [{"dialect": "segment", "event": "reminder_followed", "where": {"properties.channel": "push"},
             "kind": "opened", "fields": {"campaign_id": "properties.program"}}]}
            """
        let manage = try await app.registry.createKey(app: app.app, scope: .manage)
        #expect(try await collector.client.put("/v1/mappings", Data(mapping.utf8), key: app.ingestKey).status == 403)
        let wrong = mapping.replacing("opened", with: "openned")
        let refused = try await collector.client.put("/v1/mappings", Data(wrong.utf8), key: manage)
        #expect(refused.status == 400)
        #expect(refused.text.contains("mappings[0].kind"), "\(refused.text)")
        #expect(try await collector.client.put("/v1/mappings", Data(mapping.utf8), key: manage).status == 200)
        // The settings are cached for a second.
        try await app.waitUntil("mapped") {
            try await post("/v1/t", body, key: app.ingestKey).json()["accepted"] as? Int == 1
        }
        #expect(
            try await app.value("select campaign_id from afterpush.events where notification_id = 'mapped'") == "yoga")
        try await app.waitUntil("counted") {
            let response = try await collector.client.get("/v1/reports/dialects?format=csv", key: app.readKey)
            let lines = response.text.split(whereSeparator: \.isNewline).filter { $0.contains("Reminder Followed") }
            return lines.count == 2 && lines.contains { $0.contains("unknown_name") }
                && response.text.contains("PUT /v1/mappings")
        }
        let metrics = try await collector.client.get("/metrics", key: app.readKey)
        #expect(metrics.text.contains(#"afterpush_dialect_events_total{family="segment",outcome="ignored"}"#))
    }

    @Test func `a body of 20 MiB is read, and with a public key one of at most the share of an address`()
        async throws
    {
        let collector = try await HTTPTestCollector(environment: ["AFTERPUSH_HTTP_PROXIES": "127.0.0.1"])
        func status(_ mebibytes: Int, from address: String? = nil) async throws -> Int {
            let filler = String(repeating: " ", count: mebibytes << 20)
            return try await collector.client.post(
                "/v1/batch", Data((#"{"batch":[]}"# + filler).utf8), key: collector.app.ingestKey,
                headers: address.map { ["X-Forwarded-For": $0] } ?? [:]
            ).status
        }
        #expect(try await status(19) == 200)
        #expect(try await status(20) == 413)
        #expect(try await status(7, from: "192.0.2.1") == 200)
        #expect(try await status(8, from: "192.0.2.1") == 413)
    }

    @Test func `an event without a time counts once when it is repeated, also at another collector`() async throws {
        let now = Date.now
        func times(_ offset: Double) -> String { now.addingTimeInterval(offset).formatted(.iso8601) }
        func segment(_ name: String, id: Bool, sentAt: String? = nil) -> String {
            var event = tap(name)
            if !id { event = event.replacing(#""messageId":"m-\#(name)","#, with: "") }
            let sent = sentAt.map { #","sentAt":"\#($0)""# } ?? ""
            return #"{"batch":[\#(event)]\#(sent)}"#
        }
        let ce =
            #"{"specversion":"1.0","type":"push.notification.action","source":"/devices/d","id":"t-4","#
            + #""data":{"notification_id":"t-4","action_identifier":"book"}}"#
        let hook = #"{"kind":"app_opened","device_id":"t-5"}"#
        let bodies: [(name: String, path: String, type: String, first: String, again: String)] = [
            ("t-1", "/v1/batch", "application/json", segment("t-1", id: true), segment("t-1", id: true)),
            ("t-2", "/v1/batch", "application/json", segment("t-2", id: false), segment("t-2", id: false)),
            (
                "t-3", "/v1/batch", "application/json", segment("t-3", id: true, sentAt: times(-5)),
                segment("t-3", id: true, sentAt: times(-1))
            ),
            ("t-4", "/v1/events", "application/cloudevents+json", ce, ce),
            ("t-5", "/v1/hooks/native", "application/json", hook, hook),
        ]
        let other = try await CollectorProcess(conninfo: app.conninfo)
        let clients = [collector.client, collector.client, TestClient(url: other.url)]
        for (index, client) in clients.enumerated() {
            for body in bodies {
                let response = try await client.post(
                    body.path, Data((index == 0 ? body.first : body.again).utf8), key: app.ingestKey,
                    headers: ["Content-Type": body.type])
                #expect(response.status == 200, "\(response.text)")
                let counted = try response.json()[index == 0 ? "accepted" : "duplicates"] as? Int
                #expect(counted == 1, "\(body.name) at \(index): \(response.text)")
            }
        }
        let changed = hook.replacing("app_opened", with: "permission_granted")
        let granted = try await TestClient(url: other.url).post(
            "/v1/hooks/native", Data(changed.utf8), key: app.ingestKey)
        #expect(try granted.json()["accepted"] as? Int == 1)
        // An opening of the app that happened more than ten minutes ago is another one.
        _ = try await app.value(
            "update afterpush.events set device_time = device_time - interval '11 minutes' where device_id = 't-5'")
        let restarted = try await CollectorProcess(conninfo: app.conninfo)
        let later = try await TestClient(url: restarted.url).post(
            "/v1/hooks/native", Data(hook.utf8), key: app.ingestKey)
        #expect(try later.json()["accepted"] as? Int == 1)
        await other.stop()
        await restarted.stop()
    }

    @Test func `an event without a time counts once if two collectors take it before either has stored it`()
        async throws
    {
        let app = try await TestApp()
        let collectors = [
            try await CollectorProcess(conninfo: app.conninfo), try await CollectorProcess(conninfo: app.conninfo),
        ]
        let clients = collectors.map { TestClient(url: $0.url) }
        let lock = try await Connection.open(PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        // Storing waits for the lock, so each request arrives while the other is under way.
        try await lock.script("begin; lock table afterpush.events in share mode")
        let bodies = (0..<10).map { index in
            #"{"batch":[\#(tap("race-\(index)")),\#(tap("race-\(index)-more"))]}"#
        }
        try await withThrowingTaskGroup(of: TestClient.Response.self) { group in
            for (index, item) in bodies.enumerated() {
                for client in clients {
                    let body = Data(item.utf8)
                    group.addTask { try await client.post("/v1/batch", body, key: app.ingestKey) }
                }
                if index == 0 { try await Task.sleep(for: .milliseconds(300)) }
            }
            try await Task.sleep(for: .seconds(1))
            try await lock.script("commit")
            for try await response in group { #expect(response.status == 200, "\(response.text)") }
        }
        #expect(try await app.value("select count(*) from afterpush.events") == "20")
        for collector in collectors { await collector.stop() }
    }

    @Test(arguments: ["/in/segment/v1/batch", "/in/segment/v1/batch/", "/in/segment/batch"])
    func `a prefix names whose client posts, with and without a slash at the end`(path: String) async throws {
        let name = "in" + path.replacing("/", with: "-")
        let response = try await post(
            path, #"{"batch":[\#(tap(name))],"api_key":"\#(app.ingestKey)"}"#, key: app.ingestKey)
        #expect(response.status == 200, "\(response.text)")
        #expect(try await count(name) == "1")
        let preflight = try await collector.client.options(
            path, headers: ["Origin": "https://shop.example", "Access-Control-Request-Method": "POST"])
        #expect(preflight.headers["access-control-allow-origin"] == "https://shop.example")
        for other in ["/in/unknown/v1/batch", "/in/amplitude/v1/batch", "/in/segment"] {
            #expect(try await post(other, "{}", key: app.ingestKey).status == 404, "\(other)")
        }
    }

    @Test func `a checksum is needed once the app has a salt, and requests without one are counted`() async throws {
        // Another app than that of the tests that set mappings.
        let collector = try await HTTPTestCollector(environment: [:])
        let app = collector.app
        let manage = try await app.registry.createKey(app: app.app, scope: .manage)
        let settings = #"{"signing_secrets": {"countly": "salt"}}"#
        #expect(try await collector.client.put("/v1/mappings", Data(settings.utf8), key: manage).status == 200)
        let text = "app_key=\(app.ingestKey)&device_id=signed&begin_session=1"
        try await app.waitUntil("needed") {
            try await collector.client.get("/i?" + text, key: nil).text.contains("signature_invalid")
        }
        let sum = SHA256.hash(data: Data((text + "salt").utf8)).map { String(format: "%02x", $0) }.joined()
        let signed = try await collector.client.get("/i?\(text)&checksum256=\(sum)", key: nil)
        #expect(signed.status == 200 && signed.text.contains(#""result":"Success""#), "\(signed.text)")
        try await app.waitUntil("counted") {
            let response = try await collector.client.get("/v1/reports/dialects?format=csv", key: app.readKey)
            return response.text.split(whereSeparator: \.isNewline).contains {
                $0.contains("countly") && $0.contains("(request)") && $0.contains("signature_invalid")
            }
        }
    }

    @Test func `while the app's settings were never read, nothing is accepted that may have to be signed`() async throws
    {
        let outage = try await OutageCluster()
        let collector = try await CollectorProcess(
            conninfo: outage.app.conninfo, spool: CollectorProcess.spoolDirectory())
        let client = TestClient(url: collector.url)
        // A native request makes the key known, but not the settings.
        let native = try await client.post("/v1/events", Data("[]".utf8), key: outage.app.sendKey)
        #expect(native.status < 500)
        try await outage.stop()
        let hook = #"{"metric":"sent","object_type":"push","data":{"delivery_id":"n"}}"#
        let refused = try await client.post("/v1/hooks/customerio", Data(hook.utf8), key: outage.app.sendKey)
        #expect(refused.status == 503 && refused.headers["retry-after"] != nil, "\(refused.text)")
        let other = try await client.post(
            "/v1/batch", Data(#"{"batch":[\#(tap("outage"))]}"#.utf8), key: outage.app.sendKey)
        #expect(other.status == 200, "\(other.text)")
        try await outage.start()
        try await outage.app.waitUntil("accepted") {
            try await client.post("/v1/hooks/customerio", Data(hook.utf8), key: outage.app.sendKey).status == 200
        }
        // Settings that were read once hold in the next outage.
        try await outage.stop()
        #expect(try await client.post("/v1/hooks/customerio", Data(hook.utf8), key: outage.app.sendKey).status == 200)
        await collector.stop()
        await outage.close()
    }

    @Test func `a preflight request of an SDK gets its own origin and headers`() async throws {
        let response = try await collector.client.options(
            "/v1/t",
            headers: [
                "Origin": "https://shop.example", "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization, x-rsa-header",
            ])
        #expect(response.status == 204)
        #expect(response.headers["access-control-allow-origin"] == "https://shop.example")
        #expect(response.headers["access-control-allow-credentials"] == "true")
        #expect(response.headers["access-control-allow-headers"] == "authorization, x-rsa-header")
    }

    @Test func `settings and the pixel are answered without a word about the key`() async throws {
        let settings = try await collector.client.get("/v1/projects/anything/settings", key: nil)
        #expect(settings.status == 200)
        #expect(settings.text.contains(#""Segment.io":{"apiKey":"anything""#))
        let pixel = try await collector.client.get(
            "/pixel/v1/track?writeKey=\(app.ingestKey)&event=Push%20Notification%20Tapped&anonymousId=%22a%22"
                + "&properties.notification_id=pixel&messageId=p1", key: nil)
        #expect(pixel.status == 200)
        #expect(pixel.headers["content-type"] == "image/gif")
        #expect(try await count("pixel") == "1")
        #expect(try await collector.client.get("/pixel/v1/track?event=x", key: nil).status == 200)
    }
}
