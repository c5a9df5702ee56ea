import Events
import Foundation
import Ingest
import Postgres
import SQLFiles
import Storage
import TestSupport
import Testing

/// Tests `/v1/devices`.
@Suite struct DeviceTests {
    private let app: TestApp
    private let key: String

    init() async throws {
        app = try await TestApp()
        key = try await app.registry.createKey(app: app.app, scope: .manage)
    }

    /// Ids with characters that are special in paths, SQL, JSON or logs.
    static let hostile = [
        "d1", "a/b", "../..", "%2F", "a%00b".replacing("%00", with: "0"), "\u{1F469}\u{200D}\u{1F52C}", "e\u{301}",
        "\u{E9}",
        "'; drop table afterpush.events; --", "\"\\\u{8}", "a b+c?d#e&f=g;h", String(repeating: "\u{1F4A3}", count: 64),
        "erasure", "\u{202E}evil", "<script>",
    ]

    private func erased(_ device: String, _ client: TestClient) async throws -> [String: Any] {
        let path = "/v1/devices/\(TestClient.part(device))"
        let response = try await client.delete(path, key: key)
        #expect(response.status == 202, "\(response.text)")
        #expect(response.headers["location"]?.hasSuffix("/erasure") == true)
        let answer = try response.json()
        #expect(answer["device_id"] as? String == device)
        let notReached = answer["not_reached"] as? [[String: String]] ?? []
        #expect(
            notReached.compactMap { $0["where"] } == [
                "backups", "replicas", "spools_of_stopped_collectors", "damaged_spool_entries",
                "events_of_other_devices", "files_of_exports_and_imports",
            ])
        #expect(notReached.allSatisfy { $0["until"]?.isEmpty == false })
        try await app.waitUntil("it is erased") {
            try await client.get(path + "/erasure", key: key).json()["done"] as? Bool == true
        }
        return try await client.get(path + "/erasure", key: key).json()
    }

    private func export(_ device: String, _ client: TestClient) async throws -> [String: Any] {
        let response = try await client.get("/v1/devices/\(TestClient.part(device))", key: key)
        #expect(response.status == 200, "\(response.text)")
        return try response.json()
    }

    private static func count(_ export: [String: Any], _ part: String) -> Int? {
        (export[part] as? [[String: Any]])?.count
    }

    @Test func `a device with a hostile id is exported and erased completely, and other devices are unaffected`()
        async throws
    {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        var events: [[String: any Sendable]] = []
        for device in Self.hostile {
            events += [
                EventJSON.event(["device_id": device, "kind": "sent"]),
                EventJSON.event([
                    "device_id": device, "kind": "text_input", "action_identifier": "answer",
                    "user_text": "ja \(device)",
                ]),
                EventJSON.event(["device_id": device, "kind": "token_registered", "properties": ["token": "t"]]),
                EventJSON.event(["device_id": device, "event_id": "no"]),
            ]
        }
        let response = try await client.post("/v1/events", EventJSON.body(events), key: app.sendKey)
        #expect(try response.rejections().count == Self.hostile.count, "\(response.text)")
        try await app.waitForRollups()
        let conversion = try await client.get("/v1/reports/conversion", key: app.readKey).text
        for (number, device) in Self.hostile.enumerated() {
            let all = try await export(device, client)
            #expect(all["device_id"] as? String == device)
            for (part, count) in [("events", 3), ("deliveries", 1), ("replies", 1), ("rejected_events", 1)] {
                #expect(Self.count(all, part) == count, "\(device): \(part)")
            }
            guard number % 2 == 0 else { continue }
            let job = try await erased(device, client)
            #expect(job["erased"] as? [String: Int] == ["events": 3, "replies": 1, "rejected_events": 1], "\(device)")
            #expect(job["deliveries_made_anonymous"] as? Int == 1)
            let rest = try await export(device, client)
            for part in ["events", "deliveries", "replies", "rejected_events"] {
                #expect(Self.count(rest, part) == 0, "\(device): \(part)")
            }
            #expect(rest["suppressed"] as? Bool == true)
        }
        for (number, device) in Self.hostile.enumerated() where number % 2 == 1 {
            #expect(Self.count(try await export(device, client), "events") == 3, "\(device)")
        }
        #expect(try await app.maintenance.verify().isEmpty)
        func rows(_ text: String) -> Substring { text[(text.range(of: "\"rows\"")?.lowerBound ?? text.startIndex)...] }
        #expect(rows(try await client.get("/v1/reports/conversion", key: app.readKey).text) == rows(conversion))
        await collector.stop()
    }

    @Test func `a rejected event that was not searched for every erased device is stored without its content`()
        async throws
    {
        let eraser = Eraser(worker: app.database.worker, owner: app.database.owner)
        _ = try await eraser.request("d1", app: app.app.id)
        _ = try await eraser.request("d2", app: app.app.id)
        let id = "7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0a01"
        // The last one was searched for both devices.
        for (event, position) in [("d1", "1"), ("id", "1"), ("d3", "2")] {
            try await TestCluster.script(
                """
                insert into afterpush.rejected_events
                    (app_id, received_at, code, detail, event_id, event, checked_until)
                select \(app.app.id), now(), 'kind_unknown', '\(event)', \(event == "id" ? "'\(id)'" : "'d1'"),
                    '{"device_id":"\(event)"}', min(suppression_id) + \(position) - 1
                from afterpush.suppressed_devices
                """, on: app.conninfo)
        }
        #expect(
            try await app.value(
                """
                select string_agg(concat_ws(' ', code, detail, event_id, event), ', ' order by rejection_id)
                from afterpush.rejected_events
                """)
                == "kind_unknown d1 {}, "
                + #"kind_unknown id \#(id) {"event_id":"\#(id)"}, kind_unknown d3 d1 {"device_id":"d3"}"#)
    }

    @Test func `a rejected event that mentions an erased device is not left to the database`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        _ = try await erased("d1", client)
        let claims = Data(#"{"sub":"d1"}"#.utf8).base64EncodedString()
        let events = [#"{"device_id":"d2","a":"\#(claims)"}"#, #"{"device_id":"d3","a":"d1"}"#, #"{"device_id":"d4"}"#]
        let response = try await client.post("/v1/events", EventJSON.body(raw: events), key: app.ingestKey)
        #expect(response.status == 422, "\(response.text)")
        #expect(
            try await app.value(
                "select string_agg(event, ' ' order by event) from afterpush.rejected_events")
                == #"{"device_id":"d4"} {}"#)
        #expect(try await app.value("select min(checked_until) > 0 from afterpush.rejected_events") == "t")
        await collector.stop()
    }

    @Test func `an erased device's id is stored neither in white space nor as the id of an event`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        _ = try await erased("decade-1", client)
        let ids = ["decade-1", " decade-1", "decade-1\t\n", "\u{A0}decade-1"]
        let events = ids.map { EventJSON.event(["device_id": $0, "event_id": "decade-1"]) }
        let response = try await client.post("/v1/events", EventJSON.body(events), key: app.ingestKey)
        #expect(Array(try response.rejections().values) == ids.map { _ in "device_suppressed" }, "\(response.text)")
        #expect(response.text.contains(#""event_id":"decade-1""#), "\(response.text)")
        // As a collector that doesn't know of the erasure stores it.
        try await TestCluster.script(
            """
            insert into afterpush.rejected_events (app_id, received_at, code, detail, event_id, event)
            values (\(app.app.id), now(), 'kind_unknown', 'x', 'decade-1', '{"device_id":"decade-1"}')
            on conflict do nothing
            """, on: app.conninfo)
        #expect(
            try await app.value(
                "select string_agg(distinct coalesce(event_id, '-') || event, ' ') from afterpush.rejected_events")
                == "-{}")
        await collector.stop()
    }

    /// Shapes of refused events that name the device `d1`.
    private static let namingShapes = [
        #"{"device_id":["d1"],"a":1}"#, #"{"device_id":{"id":"d1"},"a":2}"#,
        #"{"device_id":"d1","device_id":"d2","a":3}"#,
        #"{"device_id":"d2","device_id":"d1","a":4}"#, #"{"device":"d1","a":5}"#, #"{"deviceId":"d\u0031","a":6}"#,
        #"{"properties":{"ids":[["d1"]]},"a":7}"#, #"["d1",8]"#, #"{"device_id":"d1","a":9"#,
        #"{'device':"d1",'a':10}"#, #"{"token":"x.\#(Data(#"{"sub":"d1"}"#.utf8).base64EncodedString()).y","a":11}"#,
        // Texts with two dots before the receipt are no receipts.
        "{" + (0..<20).map { #""k\#($0)":"1.2.\#($0)","# }.joined()
            + #""token":"x.\#(Data(#"{"sub":"d1"}"#.utf8).base64EncodedString()).y","a":12}"#,
        #"{"token":"x.\#(Data(#"{"a":{"sub":"d1"}}"#.utf8).base64EncodedString()).y","device_id":"d2","a":15}"#,
        #"{"device_id":" d1","a":13}"#, #"{"device_id":"\u0064\u0031\n","a":14}"#,
    ]

    @Test(arguments: [
        ("d1", #"{"device_id":"ok","properties":{"u":"https://x/?d=d1"}}"#), ("d1", #"{"a":"to d1, later"}"#),
        ("d1", #"{"a":"x\nd1\ty"}"#), ("d1", #"{"a":"x/\u00641"}"#), ("d1", #"{"a":"x/\u0064\u0031"#),
        ("d1", #"{"a":"{\"device\":\"d1\"}"}"#), ("d1", "_d1_"), ("d1", "d11 ad1 d1"), ("d1", "https://x/%641"),
        ("d1", #"{"token":"x.\#(Data(#"{"sub":"ios/d1"}"#.utf8).base64EncodedString()).y"}"#), ("1", #"{"a":1}"#),
        ("d1", #"{"token":"x.\#(Data(#"{"x":{"id":["d1"]}}"#.utf8).base64EncodedString()).y"}"#),
        ("d1", #"{"token":"x.\#(Data(#"{"x":{"id":"\u00641"}}"#.utf8).base64EncodedString()).y"}"#),
        ("a/b", #"{"u":"https://x/?d=a%2Fb"}"#), ("a/b", #"{"u":"https:\/\/x\/a\/b"}"#), ("a.a", "xa.a.a"),
        ("\u{E9}", "https://x/%c3%a9"), ("\u{1F4A3}", #""x \ud83d\udca3""#), ("a\"\\\u{8}", #""x a\"\\\b""#),
        ("[d1]*", "a [d1]*"), ("100%", "100%"), ("50%de", "a%2F50%de"),
    ])
    func `an id inside a longer text of a refused event is found`(device: String, event: String) async throws {
        let content = "afterpush.rejected_event_content(\(SQLText.literal(event)))"
        #expect(try await app.value("select afterpush.contains_id(\(content), \(SQLText.literal(device)))") == "t")
    }

    @Test(arguments: [
        ("d1", "d11"), ("d1", "ad1 2d1 d1a"), ("1", #"{"occurred_at":"2026-11-21T10:01:41Z","a":"x1"}"#),
        ("[d1]*", "d1"), ("d1", #"{"a":"\\u00641"}"#), ("a.b", "acb"), ("D1", "d1"),
    ])
    func `an id is not found inside other ids of a refused event`(device: String, event: String) async throws {
        let content = "afterpush.rejected_event_content(\(SQLText.literal(event)))"
        #expect(try await app.value("select afterpush.contains_id(\(content), \(SQLText.literal(device)))") == "f")
    }

    @Test(arguments: [
        #"{"device_id":"{d1}","device_id":"b"}"#, #"{"deviceId":"{d1}","x":"\u0000"}"#, #"{"a":"\"","id":"{d1}",}"#,
        #"["{d1}""#,
    ])
    func `an id in braces is found in a refused event, even if its JSON is invalid`(event: String) {
        #expect(Self.list(["{d1}"]).devices(namedIn: event, app: 1) == ["{d1}"])
    }

    private func reject(_ event: String) async throws {
        try await TestCluster.script(
            """
            insert into afterpush.rejected_events (app_id, received_at, code, detail, event_id, event)
            values (\(app.app.id), now(), 'kind_unknown', 'detail', 'a0', \(SQLText.literal(event)))
            on conflict do nothing
            """, on: app.conninfo)
    }

    @Test func `an export looks at the app's rejected events only, and ends when its client leaves`() async throws {
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        try await TestCluster.script(
            """
            insert into afterpush.rejected_events (app_id, received_at, code, detail, event)
            select \(other.app.id), now(), 'kind_unknown', 'detail', repeat(md5(i::text), 30)
            from generate_series(1, 40000) as i
            """, on: app.conninfo)
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let running = """
            select count(*) from pg_stat_activity
            where query ~ '^-- (device_rejected_events|rejected_page)'
              and (state = 'active' or state_change > clock_timestamp() - interval '1 s')
            """
        let read = try await app.database.owner.withConnection { [app = app.app.id] connection in
            try await connection.query(SQLFiles.rejectedPage.text, [.int4(app), .int8(0), .int8(10)]).count
        }
        #expect(read == 0)
        let otherKey = try await app.registry.createKey(app: other.app, scope: .manage)
        var connection: RawConnection? = try RawConnection(port: collector.port)
        await connection?.send(
            "GET /v1/devices/d%201 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(otherKey)\r\n\r\n")
        // With unread bytes, the connection would be reset, which is noticed in any case.
        let head = await connection?.receive { $0.contains("rejected_events") }
        #expect(head?.hasPrefix("HTTP/1.1 200") == true)
        try await app.waitUntil("the search runs") { try await app.superuserValue(running) != "0" }
        let left = ContinuousClock.now
        connection = nil
        try await app.waitUntil("the search ends") { try await app.superuserValue(running) == "0" }
        let rest = left.duration(to: .now)
        let second = ContinuousClock.now
        _ = try await TestClient(url: collector.url).get("/v1/devices/d%201", key: otherKey)
        let full = second.duration(to: .now)
        print("an export takes \(full), and goes on for \(rest) after its client left")
        #expect(rest < full * 3 / 4)
        await collector.stop()
    }

    @Test func `two exports of a key take turns, and a further one is refused`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        #expect(try await client.get("/v1/devices/d-1", key: key).status == 200)
        let lock = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await lock.script("begin; lock table afterpush.deliveries in access exclusive mode")
        let running = try (0..<2).map { _ in try RawConnection(port: collector.port) }
        for connection in running {
            await connection.send(
                "GET /v1/devices/d-1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\n\r\n")
        }
        // An app has one of the two connections.
        try await app.waitUntil("one reads, and the other waits for its turn") {
            let metrics = try MetricsText(try await client.get("/metrics", key: app.readKey).text)
            return metrics[#"afterpush_pool_in_use{role="owner"}"#] == 1
                && metrics[#"afterpush_pool_waiting{role="owner"}"#] == 1
        }
        let refused = try await client.get("/v1/devices/d-1", key: key)
        #expect(refused.status == 503 && refused.text.contains("exports for this key"), "\(refused)")
        try await lock.script("rollback")
        for connection in running {
            #expect(await connection.receive { $0.hasSuffix("0\r\n\r\n") }?.hasPrefix("HTTP/1.1 200") == true)
        }
        #expect(try await client.get("/v1/devices/d-1", key: key).status == 200)
        await lock.close()
        await collector.stop()
    }

    @Test func `a client that has closed its side gets the whole export`() async throws {
        try await TestCluster.script(
            """
            insert into afterpush.rejected_events (app_id, received_at, code, detail, event)
            select \(app.app.id), now(), 'kind_unknown', 'detail', case when i > 9000 then 'd-1 ' else 'x' end || i
            from generate_series(1, 9001) as i
            """, on: app.conninfo)
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let connection = try RawConnection(port: collector.port)
        await connection.send(
            "GET /v1/devices/d-1 HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nAuthorization: Bearer \(key)\r\n\r\n")
        connection.finishSending()
        let response = try #require(await connection.receive())
        #expect(response.hasPrefix("HTTP/1.1 200") && response.hasSuffix("0\r\n\r\n"), "\(response)")
        #expect(response.contains("d-1 9001") && response.contains("]}\n"), "\(response)")
        await collector.stop()
    }

    @Test func `a refused event of any shape that names the device is erased`() async throws {
        let longer = [#"{"device_id":"ok","properties":{"u":"https://x/?d=d1"}}"#, #"["x \u0064\u0031 y"#]
        for shape in Self.namingShapes + longer + [#"{"device_id":"d2","a":"d11"}"#] { try await reject(shape) }
        let eraser = Eraser(worker: app.database.worker, owner: app.database.owner)
        _ = try await eraser.request("d1", app: app.app.id)
        try await app.waitUntil("the erasure is done") {
            _ = try await eraser.step()
            return try await eraser.job("d1", app: app.app.id)?.isDone == true
        }
        #expect(
            try await app.value("select string_agg(event, ' ') from afterpush.rejected_events")
                == #"{"device_id":"d2","a":"d11"}"#)
    }

    /// Ways in which clients garble a receipt that names a device: the text in a rejected event, and the device.
    private static let garbledReceipts: [(event: String, device: String)] = {
        func encoded(_ text: String) -> String {
            Data(text.utf8).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        func shapes(_ device: String, _ id: String) -> [(String, String)] {
            let head = encoded(#"{"alg":"HS256","typ":"JWT"}"#)
            let claims = #"{"iss":"shop","jti":"n-1","sub":"\#(id)","iat":1790000000,"exp":1790086400}"#
            let (payload, signature) = (encoded(claims), encoded("0123456789abcdefghijklmnopqrstuv"))
            let receipt = "\(head).\(payload).\(signature)"
            let middle = receipt.index(receipt.startIndex, offsetBy: 60)
            let standard = "\(head).\(Data(claims.utf8).base64EncodedString()).\(signature)"
            let texts: Set = [
                receipt, receipt + #"\n"#, " " + receipt, #"\ufeff"# + receipt, "Bearer " + receipt, "Bearer" + receipt,
                "https://x.com/?r=" + receipt, "https://x.com/r/" + receipt, "x" + receipt, receipt + "," + receipt,
                receipt + receipt, "\(head).\(payload.dropLast(8))", "\(head).\(payload)", payload, "\(payload).x",
                String(payload.dropFirst(3)), String(payload.dropFirst(7)), receipt + ".x", receipt + " ok",
                receipt.replacing(".", with: ":"), receipt[..<middle] + #"\r\n"# + receipt[middle...],
                receipt[..<middle] + #"\u200b"# + receipt[middle...], standard, standard.replacing("/", with: #"\/"#),
                receipt.replacing(".", with: "%2E") + "%0A", #"{\"afterpush\":\"\#(receipt)\"}"#, "'\(receipt)'",
            ]
            return texts.map { (#"{"device_id":"other","receipt":"\#($0)"}"#, device) }
                + [(#"{"receipt":{"token":["\#(receipt)\n"]}}"#, device), ("\(receipt) is not JSON", device)]
        }
        return shapes("d-1", "d-1") + shapes("gerät/1", "gerät/1") + shapes("gerät/1", #"ger\u00e4t\/1"#)
    }()

    @Test func `a device is found in a receipt within any text, by its export and its erasure`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        for (event, _) in Self.garbledReceipts { try await reject(event) }
        try await reject(#"{"device_id":"other","receipt":"eyJzdWIiOiJkLTExIn0"}"#)
        for device in ["d-1", "gerät/1"] {
            let count = Self.garbledReceipts.count { $0.device == device }
            #expect(Self.count(try await export(device, client), "rejected_events") == count)
            let job = try await erased(device, client)
            #expect((job["erased"] as? [String: Int])?["rejected_events"] == count)
        }
        let rest = "select string_agg(event, ' ') from afterpush.rejected_events"
        #expect(try await app.value(rest) == #"{"device_id":"other","receipt":"eyJzdWIiOiJkLTExIn0"}"#)
        // Afterwards only hashes of the ids are known.
        let list = Self.list(["d-1", "gerät/1"])
        for (event, device) in Self.garbledReceipts {
            #expect(list.devices(namedIn: event, app: 1) == [device], "\(event)")
        }
        #expect(list.devices(namedIn: #"{"device_id":"other","receipt":"eyJzdWIiOiJkLTExIn0"}"#, app: 1).isEmpty)
        await collector.stop()
    }

    @Test(arguments: [#"{"a":"ZC0xIGFuZCBzb21lIG1vcmU"}"#, #"{"a":"eyJzdWIiOiJkLTExIn0","b":"eyJzdWIiOiJhZC0xIn0"}"#])
    func `base64 that says another id, or no JSON, does not say the device's`(event: String) async throws {
        let content = "afterpush.rejected_event_content(\(SQLText.literal(event)))"
        #expect(try await app.value("select afterpush.says_id(\(content), 'd-1')") == "f")
    }

    /// A list of erased devices of app 1.
    private static func list(_ devices: [String]) -> SuppressionList {
        var list = SuppressionList()
        let key = DeviceKey(Array("key".utf8))
        for device in devices { list.add(key.hash(of: device), by: key, app: 1) }
        return list
    }

    @Test func `an erased device is found by its hash in a refused event of any shape`() {
        let many = "[" + (0..<3_000).map { "\"x\($0)\"" }.joined(separator: ",") + ",\"d1\"]"
        for shape in Self.namingShapes + [many] {
            #expect(Self.list(["d1"]).devices(namedIn: shape, app: 1) == ["d1"], "\(shape)")
            #expect(Self.list(["d3"]).devices(namedIn: shape, app: 1).isEmpty, "\(shape)")
        }
        #expect(Self.list(["d1"]).devices(namedIn: #"{"device":"d2","a":12}"#, app: 1).isEmpty)
    }

    @Test func `after a restore, a device that only rejected events name is found and erased`() async throws {
        try await reject(#"{"device_id":"d3","a":"d1"}"#)
        for shape in Self.namingShapes + [#"{"device_id":"d2","a":"d11"}"#] { try await reject(shape) }
        let key = DeviceKey(Array(repeating: 1, count: 32))
        for device in ["d1", "unknown"] {
            try await app.superuserValue(
                """
                select afterpush.restore_suppression(
                    '\(app.app.name)', '\(Self.hex(key.hash(of: device)))', '\(Self.hex(key.bytes))')
                """)
        }
        let eraser = Eraser(worker: app.database.worker, owner: app.database.owner)
        try await app.waitUntil("the erasures are done") {
            if try await eraser.step() == .search { try await eraser.search() }
            return try await app.value("select bool_and(phase = 'done') from afterpush.erasures") == "t"
        }
        #expect(
            try await app.value("select string_agg(event, ' ') from afterpush.rejected_events")
                == #"{"device_id":"d2","a":"d11"}"#)
        #expect(try await app.value("select sum(rejected) from afterpush.erasures") == "\(Self.namingShapes.count + 1)")
    }

    @Test func `after a restore, an erasure says that it can't find an id inside a longer text, until it is repeated`()
        async throws
    {
        for event in [#"{"u":"https://e.com/?device=h7"}"#, #"{"u":"https://e.com/?device=h8"}"#] {
            try await reject(event)
        }
        let key = DeviceKey(Array(repeating: 1, count: 32))
        try await app.superuserValue(
            """
            select afterpush.restore_suppression(
                '\(app.app.name)', '\(Self.hex(key.hash(of: "h7")))', '\(Self.hex(key.bytes))')
            """)
        let eraser = Eraser(worker: app.database.worker, owner: app.database.owner)
        let place = "rejected_events_of_a_restored_backup"
        /// Returns what the erasure does not reach, once it is done.
        func notReached() async throws -> [String] {
            try await app.waitUntil("the erasure is done") {
                if try await eraser.step() == .search { try await eraser.search() }
                return try await app.value("select bool_and(phase = 'done') from afterpush.erasures") == "t"
            }
            return try await eraser.job("h7", app: app.app.id)?.notReached.map { $0.place } ?? []
        }
        let events = "select string_agg(event, ' ' order by event) from afterpush.rejected_events"
        #expect(try await notReached().contains(place))
        #expect(try await app.value(events)?.contains("h7") == true)
        // Now the id is known.
        _ = try await eraser.request("h7", app: app.app.id)
        #expect(try await !notReached().contains(place))
        #expect(try await app.value(events) == #"{"u":"https://e.com/?device=h8"}"#)
    }

    @Test func `a job that comes while devices are searched is not taken for searched`() async throws {
        try await TestCluster.script(
            """
            select afterpush.restore_suppression('\(app.app.name)', sha256(hash), sha256('key'))
            from (values ('one'::bytea), ('two')) as t (hash);
            update afterpush.erasures set phase = 'searching';
            select afterpush.find_erased_devices(array[\(app.app.id)], array[sha256('one')], '{}', '{}');
            """, on: app.conninfo)
        #expect(
            try await app.value("select string_agg(phase, ' ' order by phase) from afterpush.erasures")
                == "done searching")
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        "\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `an erasure reaches names of other systems' events, and alerts about rows that name the device`()
        async throws
    {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let id = "d\"1"
        // Of each kind, the first names the device and the second another one.
        try await app.superuserValue(
            """
            insert into afterpush.dialect_events
            select \(app.app.id), 'segment', 'Hello ' || id, 'unknown_name', n, 0, n, 0, now(), now()
            from (values ('d"1', 2), ('d"1 again', 3), ('d"12', 4)) as t (id, n)
            """)
        try await app.superuserValue(
            """
            insert into afterpush.alert_rules (app_id, alert_name, enabled, definition)
            values (\(app.app.id), 'r', false, '{}')
            """)
        let series = [#"{"reason":"bad token d\"1"}"#, #"{"reason":"bad token d\"12"}"#]
        for series in series {
            try await app.superuserValue(
                """
                with state as (
                    insert into afterpush.alert_states (app_id, alert_name, series, state, since, seen_at, description)
                    values (\(app.app.id), 'r', \(SQLText.literal(series)), 'firing', now(), now(), '')
                ),
                change as (
                    insert into afterpush.alert_history
                        (app_id, alert_name, series, from_state, to_state, changed_at, description)
                    values (\(app.app.id), 'r', \(SQLText.literal(series)), 'ok', 'firing', now(), '')
                    returning transition_id
                )
                insert into afterpush.alert_messages (app_id, message_id, kind, target, subject, body, next_attempt_at)
                select \(app.app.id), id, 'webhook', 'https://example.com', '', body, now() + interval '1 day'
                from (
                    select transition_id, '{}' from change
                    union all
                    select gen_random_uuid(), '{"firing":[' || \(SQLText.literal(series)) || ']}'
                ) as m (id, body)
                """)
        }
        _ = try await erased(id, client)
        let names = "select string_agg(name || ':' || received, ', ' order by name) from afterpush.dialect_events"
        #expect(try await app.superuserValue(names) == "(erased):5, Hello d\"12:4")
        for (table, left) in [("states", "1"), ("history", "1"), ("messages", "2")] {
            #expect(try await app.superuserValue("select count(*) from afterpush.alert_\(table)") == left, "\(table)")
        }
        let texts = "select string_agg(series, '') from afterpush.alert_states"
        #expect(try await app.superuserValue(texts) == series[1])
        await collector.stop()
    }

    @Test func `an erasure names what it leaves in names`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let names = ["campaign_id": "for d1", "variant": "d1", "app_version": "1-d1", "category_id": "d11"]
        let event = EventJSON.event(names)
        #expect(try await client.post("/v1/events", EventJSON.body([event]), key: app.sendKey).status == 200)
        try await app.superuserValue(
            """
            insert into afterpush.alert_rules (app_id, alert_name, definition) values (\(app.app.id), 'a', '{"d": "of d1"}');
            """)
        #expect(try await client.delete("/v1/devices/d1", key: key).status == 202)
        let job = try await client.get("/v1/devices/d1/erasure", key: key).json()
        let last = (job["not_reached"] as? [[String: String]])?.last
        #expect(last?["where"] == "names")
        #expect(last?["until"]?.hasSuffix(": 4") == true, "\(last ?? [:])")
        await collector.stop()
    }

    @Test func `an invalid device id, a wrong key and an unknown erasure are refused`()
        async throws
    {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        for part in ["%00", "%FF", "%C3%28", String(repeating: "x", count: 257)] {
            #expect(try await client.delete("/v1/devices/\(part)", key: key).status == 400, "\(part)")
            #expect(try await client.get("/v1/devices/\(part)", key: key).status == 400, "\(part)")
        }
        for other in [app.readKey, app.sendKey, app.ingestKey] {
            #expect(try await client.delete("/v1/devices/d1", key: other).status == 403)
            #expect(try await client.get("/v1/devices/d1", key: other).status == 403)
            #expect(try await client.get("/v1/devices/d1/erasure", key: other).status == 403)
        }
        #expect(try await client.delete("/v1/devices/d1", key: nil).status == 401)
        #expect(try await client.get("/v1/devices/d1/erasure", key: key).status == 404)
        #expect(try await app.value("select count(*) from afterpush.suppressed_devices") == "0")
        await collector.stop()
    }

    @Test func `an erasure does not look at the rejected events of other apps`() async throws {
        let other = try await TestApp(named: "flooded", conninfo: app.conninfo)
        try await app.superuserValue(
            """
            insert into afterpush.rejected_events (app_id, received_at, code, detail, event)
            select \(other.app.id), now(), 'kind_unknown', '', '{"device_id":"d' || n || '"}'
            from generate_series(1, 1000) as n
            """)
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        _ = try await erased("quiet", TestClient(url: collector.url))
        #expect(try await app.value("select max(rejected_checked) from afterpush.erasures") == "0")
        await collector.stop()
    }

    @Test func `of several collectors, one at a time looks at the rejected events of an app`() async throws {
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        for device in ["d1", "d2"] { try await reject(#"{"a":"\#(device)"}"#) }
        try await TestCluster.script(
            """
            insert into afterpush.rejected_events (app_id, received_at, code, detail, event)
            values (\(other.app.id), now(), 'kind_unknown', '', '{"a":"d3"}');
            insert into afterpush.suppressed_devices (app_id, device_hash, key_id)
            select a.app_id, d.hash::bytea, (select min(key_id) from afterpush.suppression_keys)
            from (values (\(app.app.id), 'd1'), (\(app.app.id), 'd2'), (\(other.app.id), 'd3')) as a (app_id, device)
            cross join lateral (values (a.device)) as d (hash);
            insert into afterpush.erasures (app_id, device_hash, device_id, phase)
            select app_id, device_hash, convert_from(device_hash, 'UTF8'), 'checking_rejected'
            from afterpush.suppressed_devices
            """, on: app.conninfo)
        let eraser = Eraser(worker: app.database.worker, owner: app.database.owner)
        func claim() async throws -> [String] {
            try await app.database.owner.withConnection { connection in
                try await connection.query(SQLFiles.nextRejectedPage.text, [.int8(10)]).map {
                    try $0.decode(String.self, column: 5)
                }
            }
        }
        let claims = [try await claim(), try await claim()].sorted { $0.count > $1.count }
        #expect(claims == [[#"{"a":"d1"}"#, #"{"a":"d2"}"#], [#"{"a":"d3"}"#]])
        #expect(try await claim().isEmpty)
        #expect(try await eraser.step() == .waiting)
        // A killed collector's claim ends by itself.
        try await app.superuserValue(
            "update afterpush.erasures set claimed_until = now() where app_id = \(other.app.id)")
        #expect(try await eraser.step() == .working)
        #expect(
            try await app.value("select string_agg(event, ' ' order by event) from afterpush.rejected_events")
                == #"{"a":"d1"} {"a":"d2"}"#)
        #expect(try await app.value("select count(*) from afterpush.erasures where claimed_until > now()") == "2")
        try await app.superuserValue("update afterpush.erasures set claimed_until = now()")
        try await app.waitUntil("all are erased") {
            _ = try await eraser.step()
            return try await app.value("select count(*) from afterpush.rejected_events") == "0"
        }
        #expect(try await app.value("select count(*) from afterpush.erasures where claimed_until > now()") == "0")
    }

    @Test func `a large erasure of one app doesn't delay one of another app`() async throws {
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        // A step erases 200 of them.
        try await app.superuserValue(
            """
            insert into afterpush.deliveries (
                delivery_id, app_id, kinds, verified_kinds, platform_source_rank, app_version_source_rank,
                campaign_source_rank, category_source_rank, first_event_at, notification_id, device_id, device_number,
                last_stored_hour
            )
            select gen_random_uuid(), app_id, 1, 0, 7, 7, 7, 7, now(), 'n', device_id,
                afterpush.device_number(device_id), '2026-11-21 00:00Z'
            from (values (\(app.app.id), 'large', 6000), (\(other.app.id), 'small', 1)) as d (app_id, device_id, n)
            cross join lateral generate_series(1, d.n)
            """)
        let eraser = Eraser(worker: app.database.worker, owner: app.database.owner)
        _ = try await eraser.request("large", app: app.app.id)
        _ = try await eraser.request("small", app: other.app.id)
        func left(_ device: String) async throws -> String? {
            try await app.superuserValue(
                "select count(*) from afterpush.deliveries where device_id = \(SQLText.literal(device))")
        }
        try await app.waitUntil("the small one is erased") {
            _ = try await eraser.step()
            return try await left("small") == "0"
        }
        #expect(try await left("large") != "0")
    }

    @Test func `an unknown device is suppressed, too, and erasing it twice changes nothing`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        for _ in 0..<2 {
            let job = try await erased("ghost", client)
            #expect(job["erased"] as? [String: Int] == ["events": 0, "replies": 0, "rejected_events": 0])
        }
        let events = [
            EventJSON.event(["device_id": "ghost"]), EventJSON.event(["device_id": "ghost", "event_id": "no"]),
            EventJSON.event(["device_id": "ghost2"]),
        ]
        let response = try await client.post("/v1/events", EventJSON.body(events), key: app.ingestKey)
        #expect(try response.rejections() == [0: "device_suppressed", 1: "device_suppressed"], "\(response.text)")
        // A device of another app with the same id is not erased.
        let elsewhere = try await client.post("/v1/events", EventJSON.body(events), key: other.ingestKey)
        #expect(try elsewhere.rejections() == [1: "event_id_invalid"], "\(elsewhere.text)")
        #expect(
            try await app.value(
                "select string_agg(event, ' ') from afterpush.rejected_events where app_id = \(app.app.id)"
            )?.contains("ghost") == false)
        await collector.stop()
    }

    @Test func `events that arrive during an erasure at collectors that don't know of it are erased, too`() async throws
    {
        try await SupervisedCollector.with(app.conninfo) { one in
            try await SupervisedCollector.with(app.conninfo) { another in
                let clients = [one, another].map { TestClient(url: "http://127.0.0.1:\($0.port)") }
                let isOver = DoneFlag()
                try await withThrowingTaskGroup { group in
                    for client in clients {
                        group.addTask {
                            var codes: Set<String> = []
                            while !isOver.isSet {
                                let events = ["gone", "stays"].map {
                                    EventJSON.event(["device_id": $0, "notification_id": UUID().uuidString])
                                }
                                let response = try await client.post(
                                    "/v1/events", EventJSON.body(events), key: app.ingestKey)
                                for (position, code) in try response.rejections() {
                                    #expect(position == 0)
                                    codes.insert(code)
                                }
                            }
                            #expect(codes == ["device_suppressed"])
                        }
                    }
                    try await Task.sleep(for: .milliseconds(600))
                    let job = try await erased("gone", clients[0])
                    #expect(((job["erased"] as? [String: Int])?["events"] ?? 0) > 0)
                    try await Task.sleep(for: .milliseconds(300))
                    isOver.set()
                    try await group.waitForAll()
                }
                try await app.waitForRollups()
                #expect(try await app.value("select count(*) from afterpush.events where device_id = 'gone'") == "0")
                #expect(
                    try await app.value("select count(*) from afterpush.deliveries where device_id = 'gone'") == "0")
                #expect(
                    try await app.value("select count(*) from afterpush.rejected_events where event like '%gone%'")
                        == "0")
                #expect(try await app.maintenance.verify().isEmpty)
            }
        }
    }

    @Test func `the command requests an erasure and waits for it with --wait`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        _ = try await client.post("/v1/events", EventJSON.body([EventJSON.event()]), key: app.ingestKey)
        await collector.stop()
        let request = ["erase", "d1", "--app", "shop", "--database-url", app.conninfo]
        let requested = try await Program.run(request, environment: ["AFTERPUSH_SPOOL_BYTES": "0"])
        #expect(requested.output.hasPrefix("running\t"), "\(requested.output)")
        #expect(requested.error.contains("a running collector carries this out"), "\(requested.error)")
        let arguments = request + ["--wait"]
        let output = try await Program.run(arguments, environment: ["AFTERPUSH_SPOOL_BYTES": "0"])
        #expect(output.status == 0, "\(output.error)")
        #expect(output.output == "done\tevents 1\treplies 0\tdeliveries made anonymous 1\trejected events 0\n")
        #expect(output.error.contains("not reached: backups, until you delete them"), "\(output.error)")
        #expect(try await app.value("select count(*) from afterpush.events") == "0")
    }

    @Test func `the planner's samples of tables keep nothing of an erased device`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let events = (0..<20).map { EventJSON.event(["device_id": "subject-\($0 / 4)"]) }
        _ = try await client.post("/v1/events", EventJSON.body(events), key: app.ingestKey)
        try await app.waitForRollups()
        try await app.superuserValue("analyze")
        func samples(_ device: String) async throws -> String? {
            try await app.superuserValue(
                """
                select count(*)
                from pg_stats
                where schemaname = 'afterpush' and concat(most_common_vals::text, histogram_bounds::text) ~ '\(device)'
                """)
        }
        #expect(try await samples("subject-3") != "0")
        _ = try await erased("subject-3", client)
        #expect(try await samples("subject-3") == "0")
        #expect(try await samples("subject-2") != "0")
        await collector.stop()
    }

    @Test func `an erased device that was the only one of a table is in no sample of it`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        // A partition of a month, and the default partition.
        let events = [70, 300].flatMap { daysAgo in
            let time = Date(timeIntervalSinceNow: -Double(daysAgo) * 86_400).formatted(.iso8601)
            return (0..<4).map { _ in EventJSON.event(["device_id": "alone", "occurred_at": time]) }
        }
        #expect(try await client.post("/v1/events", EventJSON.body(events), key: app.ingestKey).status == 200)
        try await app.waitForRollups()
        try await app.superuserValue("analyze")
        let tables = """
            select string_agg(tablename, ' ' order by tablename)
            from pg_stats
            where schemaname = 'afterpush' and concat(most_common_vals::text, histogram_bounds::text) ~ 'alone'
            """
        let sampled = try await app.superuserValue(tables) ?? ""
        #expect(sampled.contains(#/^events events_\d{4}_\d\d events_default$/#), "\(sampled)")
        _ = try await erased("alone", client)
        #expect(try await app.superuserValue(tables) == nil)
        #expect(try await app.superuserValue("select count(*) from afterpush.events") == "0")
        await collector.stop()
    }

    @Test func `an erasure ends although samples still have a device of the same id in another app`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let other = try await app.registry.createApp("other")
        let otherKey = try await app.registry.createKey(app: other, scope: .ingest)
        for key in [app.ingestKey, otherKey] {
            let events = (0..<8).map { _ in EventJSON.event(["device_id": "shared"]) }
            #expect(try await client.post("/v1/events", EventJSON.body(events), key: key).status == 200)
        }
        try await app.waitForRollups()
        try await app.superuserValue("analyze")
        let analyzed = "select analyze_count from pg_stat_user_tables where relid = 'afterpush.deliveries'::regclass"
        let before = try #require(Int(try await app.superuserValue(analyzed) ?? ""))
        let job = try await erased("shared", client)
        #expect((job["erased"] as? [String: Any])?["events"] as? Int == 8)
        #expect(try await app.superuserValue("select count(*) from afterpush.events") == "8")
        #expect(try await app.superuserValue(analyzed) == String(before + 1))
        await collector.stop()
    }

    @Test func `a vacuum holds up only the end of erasures whose device is in the planner's samples`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        func store(_ device: String) async throws {
            let events = (0..<4).map { _ in EventJSON.event(["device_id": device]) }
            let stored = try await client.post("/v1/events", EventJSON.body(events), key: app.ingestKey)
            #expect(stored.status == 200)
        }
        for device in ["sampled-1", "sampled-2"] { try await store(device) }
        try await app.waitForRollups()
        try await app.superuserValue("analyze")
        try await store("other")
        try await app.waitForRollups()
        let vacuum = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await vacuum.script(
            """
            set idle_in_transaction_session_timeout = 0;
            begin;
            lock table afterpush.deliveries in share update exclusive mode
            """)
        #expect(try await client.delete("/v1/devices/sampled-1", key: key).status == 202)
        let path = "/v1/devices/sampled-1/erasure"
        try await app.waitUntil("nothing but the sample is left") {
            try await app.value("select phase || ' ' || alerts_checked from afterpush.erasures where phase <> 'done'")
                == "erasing_texts infinity"
        }
        // Those that come later are done before, and merges go on.
        _ = try await erased("other", client)
        try await store("late")
        try await app.waitForRollups()
        #expect(try await client.get(path, key: key).json()["done"] as? Bool == false)
        try await vacuum.script("rollback")
        try await app.waitUntil("it is erased") { try await client.get(path, key: key).json()["done"] as? Bool == true }
        #expect(
            try await app.superuserValue(
                """
                select string_agg(distinct tablename, ',')
                from pg_stats
                where schemaname = 'afterpush' and concat(most_common_vals::text, histogram_bounds::text) ~ 'sampled-1'
                """) == nil)
        await vacuum.close()
        await collector.stop()
    }
}
