import Foundation
import RawHTTP2
import TestSupport
import Testing

extension Faults {
    /// Tests E6 and E30: many connections, and more than the limit.
    @Suite struct ConnectionCapTests {
        @Test func `E6: without free descriptors open connections are served, and waiting ones are accepted later`()
            async throws
        {
            let collector = try await HTTPTestCollector(
                environment: ["AFTERPUSH_HTTP_HEADER_TIMEOUT": "60"], wrapper: ["/usr/bin/prlimit", "--nofile=256"])
            let served = try collector.connect()
            await served.send(collector.request())
            #expect(await served.receive { $0.contains("durability") } != nil)
            var crowd = try (0..<1_000).map { _ in try collector.connect() }
            for _ in 0..<3 {
                await served.send(collector.request())
                #expect(await served.receive { $0.contains("\"accepted\":1") } != nil)
            }
            let late = try collector.connect()
            await late.send(collector.request())
            #expect(await late.receive(timeout: .seconds(1)) == nil)
            crowd.removeAll()
            #expect(await late.receive(timeout: .seconds(30)) { $0.contains("\"accepted\":1") } != nil)
            #expect(try await collector.post() < .seconds(10))
            #expect(!collector.process.errorOutput.contains("Too many open files"))
        }

        @Test func `E30: idle connections cost little and do not affect active ones`() async throws {
            let collector = try await HTTPTestCollector(environment: ["AFTERPUSH_HTTP_IDLE_TIMEOUT": "4"])
            for _ in 0..<20 { _ = try await collector.post() }
            let before = try #require(collector.process.size("VmRSS"))
            let idle = try (0..<500).map { _ in try collector.connect() }
            for connection in idle { await connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n") }
            for connection in idle { #expect(await connection.receive { $0.contains("alive") } != nil) }
            for _ in 0..<20 { #expect(try await collector.post() < .seconds(5)) }
            let after = try #require(collector.process.size("VmRSS"))
            #expect(after - before < 500 * 40, "\((after - before) / 500) KiB each")
            for connection in idle { #expect(await connection.receive(timeout: .seconds(20)) == "") }
        }

        @Test func `idle connections of few addresses do not keep others out`() async throws {
            let collector = try await HTTPTestCollector(environment: [
                "AFTERPUSH_HTTP_CONNECTIONS_TOTAL": "64", "AFTERPUSH_LIMITS_EXEMPT": "none",
            ])
            func get(_ path: String, from source: String) async throws -> (RawTLSConnection, String) {
                let connection = try await RawTLSConnection(
                    port: collector.process.port, isSecure: false, source: source)
                try await connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return (connection, await connection.receive(timeout: .seconds(10)) { $0.contains("\r\n\r\n") } ?? "")
            }
            // Their connections stay open: some after a response, some that have sent nothing.
            var crowd: [RawTLSConnection] = []
            for index in 0..<80 {
                let source = "127.0.0.\(2 + index % 4)"
                if index % 3 == 0 {
                    crowd.append(
                        try await RawTLSConnection(port: collector.process.port, isSecure: false, source: source))
                } else {
                    let (connection, response) = try await get("/livez", from: source)
                    #expect(response.hasPrefix("HTTP/1.1 200 "), "connection \(index)")
                    crowd.append(connection)
                }
            }
            let (first, ready) = try await get("/readyz", from: "127.0.0.9")
            #expect(ready.hasPrefix("HTTP/1.1 200 "))
            let (_, metrics) = try await get("/metrics", from: "127.0.0.9")
            #expect(metrics.hasPrefix("HTTP/1.1 200 "))
            #expect(!first.isClosed, "its address has few connections")
            #expect(crowd.contains { $0.isClosed } && crowd.contains { !$0.isClosed })
            try await first.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let text = await first.receive { $0.contains("process_open_fds") } ?? ""
            #expect(text.contains(/http_connections_cut_total\{reason="total_limit"\} [1-9]/))
            let log = collector.process.errorOutput
            #expect(log.components(separatedBy: "nearly all connections are in use").count == 2, "once: \(log)")
            #expect(log.contains("127.0.0."), "\(log)")
            await collector.process.stop()
        }

        @Test func `the number of connections per address is limited`() async throws {
            let collector = try await HTTPTestCollector(environment: [
                "AFTERPUSH_HTTP_CONNECTIONS_ADDRESS": "10", "AFTERPUSH_LIMITS_EXEMPT": "none",
            ])
            var open: [RawConnection] = []
            for _ in 0..<10 {
                let connection = try collector.connect()
                await connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await connection.receive { $0.contains("alive") } != nil)
                open.append(connection)
            }
            let refused = try collector.connect()
            await refused.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await refused.receive(timeout: .seconds(10)) == "")
            await open[0].send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let metrics = await open[0].receive { $0.contains("process_open_fds") } ?? ""
            #expect(metrics.contains("\nafterpush_http_connections 10\n"))
            #expect(metrics.contains("\nafterpush_http_connections_cut_total{reason=\"address_limit\"} 1\n"))
            open.removeFirst()
            let deadline = ContinuousClock.now + .seconds(10)
            while ContinuousClock.now < deadline {
                let connection = try collector.connect()
                await connection.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
                if await connection.receive(timeout: .seconds(5), until: { $0.contains("alive") })?.contains("alive")
                    == true
                {
                    return
                }
            }
            Issue.record("a freed connection slot was not reused")
        }
    }
}
