import Foundation
import TestSupport
import Testing

extension Faults {
    /// Tests E30 to E32, E42 and E43: slow, large or many requests do not affect others.
    @Suite struct HTTPLimitTests {
        private let collector: HTTPTestCollector

        init() async throws {
            collector = try await HTTPTestCollector.shared.value
        }

        private static func status(_ response: String?) -> String {
            response.map { String($0.split(separator: " ").dropFirst().first ?? "closed") } ?? "open"
        }

        @Test func `E31: slow headers get 408, and a silent connection is closed`() async throws {
            let slow = try collector.connect()
            await slow.send("GET /livez HTTP/1.1\r\nHo")
            let silent = try collector.connect()
            let response = await slow.receive()
            #expect(Self.status(response) == "408", "\(response ?? "open")")
            #expect(response?.contains("headers_slow") == true)
            #expect(response?.lowercased().contains("retry-after: ") == true)
            #expect(await silent.receive() == "")
            // The next request of a connection has the same time limit.
            let second = try collector.connect()
            await second.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await second.receive { $0.contains("alive") } != nil)
            await second.send("GET")
            #expect(await second.receive()?.contains(" 408 ") == true)
        }

        @Test func `E31: a slow body gets 408`() async throws {
            let connection = try collector.connect()
            await connection.send(collector.head("Content-Length: 100000"))
            let drip = Task {
                while !Task.isCancelled, await connection.send([0x20], timeout: .zero) > 0 {
                    try? await Task.sleep(for: .milliseconds(100))
                }
            }
            let response = await connection.receive()
            drip.cancel()
            #expect(Self.status(response) == "408", "\(response ?? "open")")
            #expect(response?.contains("body_slow") == true)
            #expect(response?.lowercased().contains("retry-after: ") == true)
        }

        @Test func `a body after another request has its own time limit, not that of the headers`() async throws {
            let connection = try collector.connect()
            let pieces = 10
            await connection.send(
                "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n" + collector.head("Content-Length: \(pieces * 1_024 + 2)") + "["
            )
            for _ in 0..<pieces {
                try await Task.sleep(for: .milliseconds(250))
                await connection.send([UInt8](repeating: 0x20, count: 1_024))
            }
            await connection.send("]")
            let response = await connection.receive { $0.contains("accepted") || $0.contains("code") }
            #expect(response?.contains("\"accepted\":0") == true, "\(response ?? "open")")
        }

        @Test func `E31: hundreds of slow senders do not delay others`() async throws {
            var slow: [RawConnection] = []
            for index in 0..<200 {
                let connection = try collector.connect()
                await connection.send(index.isMultiple(of: 2) ? "POST /v1" : collector.head("Content-Length: 9999"))
                slow.append(connection)
            }
            for _ in 0..<20 { #expect(try await collector.post() < .seconds(5)) }
            for connection in slow { #expect(await connection.closes()) }
        }

        @Test func `E31: a client that does not read its responses is disconnected`() async throws {
            let connection = try collector.connect(receiveBuffer: 4_096)
            // Thousands of unread responses fill every buffer.
            let requests = Array(String(repeating: "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", count: 20_000).utf8)
            await connection.send(requests, timeout: .seconds(5))
            let deadline = ContinuousClock.now + .seconds(30)
            while await connection.send([0x20], timeout: .zero) > 0 {
                try #require(ContinuousClock.now < deadline, "it stays open")
                try await Task.sleep(for: .milliseconds(50))
            }
            _ = try await collector.post()
        }

        @Test func `E32: little more is read after a refusal, and the client receives the response`() async throws {
            let refusals = [
                ("413", collector.head("Content-Length: 10737418240")),
                ("401", "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 10737418240\r\n\r\n"),
                ("415", collector.head("Content-Length: 1000000", "Content-Type: text/xml")),
                ("415", collector.head("Content-Length: 1000000", "Content-Encoding: br")),
                ("404", "POST /v1/nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 10737418240\r\n\r\n"),
            ]
            for (status, head) in refusals {
                let connection = try collector.connect()
                await connection.send(head)
                let megabytes = Task {
                    var sent = 0
                    while sent < 256 << 20 {
                        let count = await connection.send(
                            [UInt8](repeating: 0x20, count: 1 << 20), timeout: .seconds(5))
                        sent += count
                        if count < 1 << 20 { break }
                    }
                    return sent
                }
                let response = await connection.receive { $0.contains("request_id") }
                #expect(Self.status(response) == status, "\(response ?? "open")")
                #expect(response?.lowercased().contains("connection: close") == true)
                // The system buffers of both sides add to the collector's one.
                #expect(await megabytes.value < 32 << 20)
            }
        }

        @Test func `E32: a client that is refused, goes on sending and reads late receives the response`() async throws
        {
            let collector = try await HTTPTestCollector(environment: ["AFTERPUSH_HTTP_LINGER_TIMEOUT": "10"])
            func talkative() async throws -> Double? {
                let metrics = try MetricsText(try await collector.client.get("/metrics", key: nil).text)
                return metrics[#"afterpush_http_connections_cut_total{reason="talkative"}"#]
            }
            let connection = try collector.connect()
            await connection.send(collector.head("Content-Length: 10737418240"))
            // It ends when all buffers are full, since the collector neither reads on nor closes the connection yet.
            let sent = await connection.send([UInt8](repeating: 0x20, count: 64 << 20), timeout: .seconds(1))
            #expect(sent > 1 << 20 && sent < 32 << 20)
            #expect(try await talkative() == 0)
            let response = await connection.receive()
            #expect(Self.status(response) == "413", "\(response ?? "open")")
            try await collector.app.waitUntil("the connection is closed") { try await talkative() == 1 }
        }

        @Test func `E32: a body without a length is refused when it exceeds the limit`() async throws {
            let connection = try collector.connect()
            await connection.send(collector.head("Transfer-Encoding: chunked"))
            let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 20) + Array("\r\n".utf8)
            var sent = 0
            while sent < 64, await connection.send(chunk, timeout: .seconds(5)) == chunk.count { sent += 1 }
            #expect(sent < 32)
            #expect(try await collector.post() < .seconds(5))
        }

        @Test func `E43: 5 MiB and 5,000 events are accepted, and one more of either is refused`() async throws {
            let collector = try await HTTPTestCollector.usual.value
            let limit = 5 << 20
            func body(_ size: Int) -> Data { Data("[]".utf8) + Data(repeating: 0x20, count: size - 2) }
            let client = collector.client
            let key = collector.app.ingestKey
            #expect(try await client.post("/v1/events", body(limit), key: key).status == 200)
            #expect(try await client.post("/v1/events", body(limit + 1), key: key).status == 413)
            let events = (0..<5_001).map { _ in EventJSON.raw() }
            let full = try await client.post("/v1/events", EventJSON.body(raw: Array(events.dropLast())), key: key)
            #expect(full.status == 200)
            #expect(try full.json()["accepted"] as? Int == 5_000)
            let over = try await client.post("/v1/events", EventJSON.body(raw: events), key: key)
            #expect(over.status == 413)
            #expect(try over.json()["code"] as? String == "too_many_events")
        }

        @Test func `E42: compressed bodies are accepted, and damaged ones are refused`() async throws {
            let collector = try await HTTPTestCollector.usual.value
            let client = collector.client
            let plain = EventJSON.body(raw: (0..<100).map { _ in EventJSON.raw() })
            func post(_ body: Data, _ coding: String) async throws -> TestClient.Response {
                try await client.post(
                    "/v1/events", body, key: collector.app.ingestKey, headers: ["Content-Encoding": coding])
            }
            for (coding, windowBits) in [("gzip", 31), ("deflate", 15), ("deflate", -15), ("identity, gzip", 31)] {
                let response = try await post(ZipArchive.compress(plain, windowBits: windowBits), coding)
                #expect(response.status == 200, "\(coding): \(response.text)")
            }
            let zipped = try await ZipArchive.compress(plain, windowBits: 31)
            let nested = try await ZipArchive.compress(zipped, windowBits: 31)
            for (body, coding, status) in [
                (zipped.dropLast(1), "gzip", 400), (zipped + Data([0, 0]), "gzip", 400), (plain, "gzip", 400),
                (zipped, "deflate", 400), (zipped, "gzip, gzip", 400), (zipped, "br", 415), (Data(), "gzip", 400),
                (nested, "gzip", 400),
            ] {
                let response = try await post(Data(body), coding)
                #expect(response.status == status, "\(coding): \(response.text)")
                if status == 415 { #expect(response.headers["accept-encoding"] == "gzip, deflate") }
            }
        }

        @Test func `E42: decompression bombs are refused without using memory`() async throws {
            let collector = try await HTTPTestCollector.usual.value
            let bomb = try await ZipArchive.bomb()
            #expect(bomb.count < 2 << 20)
            _ = try await collector.post()
            let before = try #require(collector.process.size("VmRSS"))
            let key = collector.app.ingestKey
            await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await collector.client.post(
                            "/v1/events", bomb, key: key, headers: ["Content-Encoding": "gzip"]
                        ).status
                    }
                }
                // The refusal may arrive before the client has sent everything, which some clients treat as a broken
                // connection.
                while let result = await group.nextResult() {
                    if case .success(let status) = result { #expect(status == 413) }
                }
            }
            let peak = try #require(collector.process.size("VmHWM"))
            #expect(peak - before < 120 * 1024, "\(before) KiB before, \(peak) KiB at the peak")
            #expect(try await collector.post() < .seconds(5))
        }

        @Test func `a client that sends Expect: 100-continue is told to continue or gets the refusal`() async throws {
            let connection = try collector.connect()
            await connection.send(collector.head("Content-Length: 2", "Expect: 100-continue"))
            #expect(await connection.receive { $0.contains("100 Continue\r\n\r\n") } != nil)
            await connection.send("[]")
            #expect(await connection.receive { $0.contains("HTTP/1.1 200") } != nil)
            let refused = try await collector.exchange(
                "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(Self.status(refused) == "401")
        }
    }
}
