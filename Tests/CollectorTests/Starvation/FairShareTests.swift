import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests that no app, key or address can use up what others need, with the test as the proxy in front of the collector.
@Suite struct FairShareTests {
    private func post(
        _ count: Int, _ collector: HTTPTestCollector, key: String, from address: String
    ) async throws -> TestClient.Response {
        try await collector.client.post(
            "/v1/events", EventJSON.body(raw: (0..<count).map { _ in EventJSON.raw() }), key: key,
            headers: ["X-Forwarded-For": address])
    }

    /// The beginning of a request with a chunk of its body, and no end.
    private func unfinished(_ chunk: Data, _ collector: HTTPTestCollector, _ fields: String) -> [UInt8] {
        let head = collector.head("Transfer-Encoding: chunked\r\n\(fields)")
        return Array((head + String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + Array("\r\n".utf8)
    }

    @Test func `unfinished bodies of one address don't use up the memory of other senders`() async throws {
        let collector = try await HTTPTestCollector(environment: ["AFTERPUSH_HTTP_PROXIES": "127.0.0.1"])
        let other = try await TestApp(named: "other", conninfo: collector.app.conninfo)
        var bodies: [[UInt8]] = []
        for (size, count) in [
            (5_200_000, 12), (1_000_000, 4), (200_000, 3), (30_000, 3), (4_000, 4), (700, 2),
        ] {
            let chunk = try await ZipArchive.unfinished(size: size)
            let body = unfinished(chunk, collector, "Content-Encoding: gzip\r\nX-Forwarded-For: 1.1.1.1")
            bodies += Array(repeating: body, count: count)
        }
        var statuses: [String: Int] = [:]
        try await withThrowingTaskGroup { group in
            for body in bodies {
                group.addTask {
                    while !Task.isCancelled {
                        let connection = try collector.connect()
                        await connection.send(body)
                        while !Task.isCancelled, await connection.receive(timeout: .milliseconds(500)) == nil {}
                        try? await Task.sleep(for: .milliseconds(20))
                    }
                }
            }
            try await Task.sleep(for: .seconds(1))
            for _ in 0..<8 {
                for (who, key, address) in [
                    ("the send key", collector.app.sendKey, "2.2.2.2"), ("the other app", other.ingestKey, "3.3.3.3"),
                    ("another device of the app", collector.app.ingestKey, "4.4.4.4"),
                ] {
                    for count in [1, 20, 100] {
                        let status = try await post(count, collector, key: key, from: address).status
                        statuses["\(who): \(status)", default: 0] += 1
                    }
                }
            }
            group.cancelAll()
        }
        #expect(Set(statuses.keys.map { $0.suffix(3) }) == ["200"], "\(statuses)")
        let metrics = try MetricsText(try await collector.client.get("/metrics", key: collector.app.readKey).text)
        #expect(metrics[#"afterpush_unacknowledged_requests_total{cause="overloaded"}"#] ?? 0 > 0)
        #expect(metrics[#"afterpush_events_total{outcome="unacknowledged"}"#] == 0)
        #expect(try await collector.client.get("/readyz", key: nil).status == 200, "one sender is not everybody")
        let log = collector.process.errorOutput
        let line = log.split(separator: "\n").first { $0.contains("refused events for lack of memory") } ?? ""
        #expect(line.contains("the address uses its share") && line.contains("1.1.1.1"), "\(log)")
        await collector.process.stop()
    }

    @Test func `eight addresses with the key of an app leave memory to its other devices`() async throws {
        let collector = try await HTTPTestCollector(environment: ["AFTERPUSH_HTTP_PROXIES": "127.0.0.1"])
        let body = Data(repeating: 0x20, count: 4_190_000)
        var greedy: [RawConnection] = []
        for address in 1...8 {
            let connection = try collector.connect()
            await connection.send(unfinished(body, collector, "X-Forwarded-For: 1.1.1.\(address)"))
            greedy.append(connection)
        }
        for address in 1...10 {
            for count in [1, 20, 100] {
                let response = try await post(
                    count, collector, key: collector.app.ingestKey, from: "2.2.2.\(address)")
                #expect(response.status == 200, "\(count) events: \(response.text)")
            }
        }
        #expect(try await collector.client.get("/readyz", key: nil).status == 200)
        greedy = []
        await collector.process.stop()
    }

    @Test func `a compressed body that becomes large and stops gets 408 earlier than others`() async throws {
        let collector = try await HTTPTestCollector.usual.value
        let chunk = try await ZipArchive.unfinished(size: 5_200_000)
        let compressed = try collector.connect()
        let plain = try collector.connect()
        await compressed.send(unfinished(chunk, collector, "Content-Encoding: gzip"))
        await plain.send(unfinished(Data(repeating: 0x20, count: chunk.count), collector, "X-None: 1"))
        let response = await compressed.receive(timeout: .seconds(7))
        #expect(response?.contains(" 408 ") == true, "\(response ?? "open")")
        #expect(await plain.receive(timeout: .milliseconds(100)) == nil)
    }

    @Test func `the collector is not ready while no device could send, and secret keys can still send`() async throws {
        let collector = try await HTTPTestCollector(environment: [
            "AFTERPUSH_HTTP_BODY_MEMORY": "8388608", "AFTERPUSH_HTTP_BODY_BYTES": "1048576",
            "AFTERPUSH_HTTP_BODY_RATE": "0", "AFTERPUSH_HTTP_BODY_TIMEOUT": "60",
        ])
        let app = collector.app
        var heads: [String] = []
        // An app alone can't do it, with any number of keys.
        for number in 0..<12 {
            let other = try await app.registry.createApp("other \(number)")
            let key = try await app.registry.createKey(app: other, scope: .ingest)
            heads.append(
                "POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\nContent-Length: 900000\r\n\r\n")
        }
        func ready() async throws -> Int { try await collector.client.get("/readyz", key: nil).status }
        #expect(try await ready() == 200)
        // The small ones fill what the large ones leave.
        var crowd: [RawConnection] = []
        for size in Array(repeating: 30 * 1_024, count: 270) + Array(repeating: 1_024, count: 150) {
            let connection = try collector.connect()
            await connection.send(heads[crowd.count % heads.count] + String(repeating: " ", count: size))
            crowd.append(connection)
        }
        try await app.waitUntil("it is not ready") { try await ready() == 503 }
        let metrics = try MetricsText(try await collector.client.get("/metrics", key: nil).text)
        #expect(metrics["afterpush_ready"] == 0 && metrics[#"afterpush_not_ready{cause="overloaded"}"#] == 1)
        #expect(metrics[#"afterpush_unacknowledged_requests_total{cause="overloaded"}"#] ?? 0 > 0)
        #expect(try await post(100, collector, key: app.ingestKey, from: "1.1.1.1").status == 503)
        #expect(try await post(100, collector, key: app.sendKey, from: "1.1.1.1").status == 200)
        #expect(collector.process.errorOutput.contains("not ready: events can't be acknowledged"))
        crowd = []
        try await app.waitUntil("it is ready again") { try await ready() == 200 }
        #expect(try await post(100, collector, key: app.ingestKey, from: "1.1.1.1").status == 200)
        await collector.process.stop()
    }

    @Test func `exports of one app leave slots to others`() async throws {
        let app = try await TestApp()
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        try await app.insertEvents(60_000)
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_HTTP_WRITE_TIMEOUT": "300"])
        func export(_ key: String) async throws -> (connection: RawConnection, status: Substring) {
            let connection = try RawConnection(port: collector.port, receiveBuffer: 16 * 1024)
            await connection.send("GET /v1/export/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\n\r\n")
            let text = await connection.receive { $0.contains("\r\n\r\n") } ?? ""
            return (connection, text.split(separator: " ").dropFirst().first ?? "")
        }
        // Their clients read nothing after the headers.
        var open: [RawConnection] = []
        var statuses: [Substring] = []
        let second = try await app.registry.createKey(app: app.app, scope: .read)
        for key in Array(repeating: app.readKey, count: 6) + Array(repeating: second, count: 4) {
            let export = try await export(key)
            statuses.append(export.status)
            open.append(export.connection)
        }
        #expect(statuses == ["200", "200", "200", "200", "503", "503", "200", "200", "503", "503"])
        let refused = try await Curl(collector.url)("/v1/export/events", headers: ["Authorization: Bearer \(second)"])
        #expect(refused.status == 503 && refused.headers["retry-after"] == "10", "\(refused)")
        #expect(refused.body.contains("too many concurrent exports for this app"), "\(refused)")
        let others = try await export(other.readKey)
        #expect(others.status == "200")
        open = []
        try await app.waitUntil("the app has slots again") { try await export(app.readKey).status == "200" }
        await collector.stop()
    }

    @Test func `a flood of events with one app's public key fills the queue for that key alone`() async throws {
        let collector = try await HTTPTestCollector(environment: ["AFTERPUSH_HTTP_PROXIES": "127.0.0.1"])
        let other = try await TestApp(named: "other", conninfo: collector.app.conninfo)
        let flood = TestClient(url: collector.process.url, timeout: 30, connections: 16)
        let body = EventJSON.body(raw: (0..<5_000).map { _ in EventJSON.raw() })
        // A key that was not seen before would need PostgreSQL, too.
        for key in [collector.app.sendKey, other.ingestKey] {
            #expect(try await post(1, collector, key: key, from: "1.1.1.1").status == 200)
        }
        var statuses: [String: Int] = [:]
        try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    // Duplicates take as many places as new events.
                    for _ in 0..<10 where !Task.isCancelled {
                        _ = try? await flood.post(
                            "/v1/events", body, key: collector.app.ingestKey,
                            headers: ["X-Forwarded-For": "9.9.9.\(number)"])
                    }
                }
            }
            try await Task.sleep(for: .seconds(1))
            for number in 0..<30 {
                for (who, key, address) in [
                    ("the send key", collector.app.sendKey, "2.2.2.2"), ("the other app", other.ingestKey, "3.3.3.3"),
                    ("another device of the app", collector.app.ingestKey, "4.4.4.\(number)"),
                ] {
                    let response = try await post(1, collector, key: key, from: address)
                    let text = response.status == 200 ? "" : response.text
                    statuses["\(who): \(response.status)\(text)", default: 0] += 1
                }
            }
            group.cancelAll()
        }
        #expect(statuses.keys.allSatisfy { $0.hasSuffix(": 200") }, "\(statuses)")
        let metrics = try MetricsText(try await collector.client.get("/metrics", key: collector.app.readKey).text)
        #expect(metrics[#"afterpush_unacknowledged_requests_total{cause="overloaded"}"#] ?? 0 > 0)
        #expect(collector.process.errorOutput.contains("refused events because too many wait to be stored"))
        await collector.process.stop()
    }

    @Test func `slow reports of one app leave slots and connections to others`() async throws {
        let app = try await TestApp()
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let report = """
            -- title: T
            -- column: x text  x
            \\if :{?app} \\else \\set app '' \\endif
            select pg_sleep(7)::text as x

            """
        try Data(report.utf8).write(to: URL(filePath: "\(directory)/nap.sql"))
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_REPORTS_DIR": directory])
        let client = TestClient(url: collector.url, timeout: 90, connections: 64)
        try await withThrowingTaskGroup(of: TestClient.Response.self) { group in
            for _ in 0..<24 { group.addTask { try await client.get("/v1/reports/nap", key: app.readKey) } }
            var refused: [TestClient.Response] = []
            // All but the key's share are refused immediately.
            while refused.count < 16, let response = try await group.next() { refused.append(response) }
            #expect(refused.allSatisfy { $0.status == 503 && $0.headers["retry-after"] == "1" })
            #expect(refused.allSatisfy { $0.text.contains("too many concurrent reports for this key") })
            // The other app would wait in vain for one of four connections.
            let answer = try await TestClient(url: collector.url).get("/v1/reports/conversion", key: other.readKey)
            #expect(answer.status == 200, "\(answer.text)")
            group.cancelAll()
        }
        await collector.stop()
    }
}
