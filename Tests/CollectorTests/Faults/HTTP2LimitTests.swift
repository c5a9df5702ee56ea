import Foundation
import HTTPTransport
import RawHTTP2
import TestSupport
import Testing

extension Faults {
    /// Tests E31 over HTTP/2, with a client that writes its frames itself.
    @Suite(.serialized) struct HTTP2LimitTests {
        /// Runs a collector with TLS and, unless others are given, the default limits.
        private static func withCollector(
            environment: [String: String] = [:], events: Int = 0,
            _ body: (TestApp, CollectorProcess) async throws -> Void
        ) async throws {
            let certificate = TestCertificate()
            defer { certificate.remove() }
            try await certificate.make()
            let app = try await TestApp()
            if events > 0 { try await app.insertEvents(events) }
            let collector = try await CollectorProcess(
                conninfo: app.conninfo, environment: environment.merging(certificate.environment) { $1 })
            try await body(app, collector)
            await collector.stop()
        }

        private static func connect(
            _ collector: CollectorProcess, initialWindow: Int = 65_535
        ) async throws -> RawHTTP2Connection {
            try await RawHTTP2Connection(port: collector.port, isSecure: true, initialWindow: initialWindow)
        }

        /// The status of a new request over another connection.
        private static func status(_ collector: CollectorProcess, _ path: String, key: String) async throws -> Int {
            try await Curl("https://127.0.0.1:\(collector.port)", ["-k"])(
                path, headers: ["Authorization: Bearer \(key)"]
            )
            .status
        }

        /// Requests the description of the API in 100 streams.
        private static func requestAll(_ client: RawHTTP2Connection) async throws {
            try await client.send((0..<100).flatMap { HTTP2Bytes.headers(stream: 2 * $0 + 1, "/openapi.json") })
        }

        @Test func `E31: clients without a window are disconnected, and cost 3 MiB at most until then`() async throws {
            try await Self.withCollector { app, collector in
                // Let the program load what it needs for its first connection.
                #expect(try await Self.status(collector, "/livez", key: app.readKey) == 200)
                let idle = collector.size("VmRSS") ?? 0
                var clients: [RawHTTP2Connection] = []
                for _ in 0..<40 {
                    let client = try await Self.connect(collector, initialWindow: 0)
                    try await Self.requestAll(client)
                    clients.append(client)
                }
                let size = try Data(contentsOf: Program.root.appending(path: "Sources/Server/OpenAPI/openapi.json"))
                    .count
                // Those that 8 MiB of unread responses allow, and the one that exceeds them.
                let served = min(100, HTTPLimits().writeMemory / size + 1)
                for client in clients {
                    #expect(try await client.closes(within: .seconds(30)))
                    #expect(client.received.successes.count == served)
                }
                let peak = collector.size("VmHWM") ?? .max
                #expect(peak - idle < 40 * 3 * 1024, "\(idle) KiB idle, \(peak) KiB at most")
            }
        }

        @Test func `E31: streams without a window give their export slots back`() async throws {
            let environment = ["AFTERPUSH_HTTP_WRITE_TIMEOUT": "5"]
            try await Self.withCollector(environment: environment, events: 2_000) { app, collector in
                let client = try await Self.connect(collector, initialWindow: 0)
                // As many exports as one key can run at once.
                let exports = 4
                for index in 0..<exports {
                    try await client.send(
                        HTTP2Bytes.headers(stream: 2 * index + 1, "/v1/export/events", key: app.readKey))
                }
                #expect(try await client.receives(within: .seconds(10)) { $0.successes.count == exports })
                #expect(try await Self.status(collector, "/v1/export/replies", key: app.readKey) == 503)
                // Another stream, whose client reads slowly but reads, holds the connection open.
                try await client.send(HTTP2Bytes.headers(stream: 101, "/openapi.json"))
                var turns = 0
                while client.received.resets.count < exports, turns < 40 {
                    try await client.send(HTTP2Bytes.windowUpdate(stream: 101, by: 1_000))
                    turns += 1
                    try await Task.sleep(for: .milliseconds(500))
                }
                #expect(client.received.resets.count == exports)
                #expect(client.received.resets[101] == nil)
                #expect(try await client.receives(within: .seconds(5)) { $0.bytes[101] == 1_000 * turns })
                #expect(!client.received.isClosed)
                #expect(try await Self.status(collector, "/v1/export/replies", key: app.readKey) == 200)
            }
        }

        @Test func `E31: an export with a slow reader over HTTP/2 is not cut`() async throws {
            let environment = ["AFTERPUSH_HTTP_WRITE_TIMEOUT": "3"]
            try await Self.withCollector(environment: environment, events: 2_000) { app, collector in
                let client = try await Self.connect(collector, initialWindow: 0)
                try await client.send(HTTP2Bytes.headers(stream: 1, "/v1/export/events", key: app.readKey))
                for _ in 0..<16 {
                    try await client.send(HTTP2Bytes.windowUpdate(stream: 1, by: 1_000))
                    try await Task.sleep(for: .milliseconds(500))
                }
                try await client.send(
                    HTTP2Bytes.windowUpdate(stream: 1, by: 1 << 30), HTTP2Bytes.windowUpdate(stream: 0, by: 1 << 30))
                #expect(try await client.receives(within: .seconds(30)) { $0.ended == [1] })
                #expect(client.received.resets.isEmpty)
            }
        }

        @Test func `E31: headers without an end, or half a preface, are given 5 seconds`() async throws {
            try await Self.withCollector { _, collector in
                let headers = try await Self.connect(collector)
                try await headers.send(HTTP2Bytes.headers(stream: 1, "/livez", flags: HTTP2Bytes.endStream))
                let preface = try await RawHTTP2Connection(port: collector.port, isSecure: true, initialWindow: nil)
                try await preface.send(Array(HTTP2Bytes.preface.prefix(12)))
                #expect(try await headers.closes(within: .seconds(15)))
                #expect(try await preface.closes(within: .seconds(5)))
                #expect(headers.received.successes.isEmpty)
            }
        }

        @Test func `E31: a slow body over HTTP/2 gets 408, and its connection stays open`() async throws {
            try await Self.withCollector(environment: HTTPTestCollector.short) { app, collector in
                let client = try await Self.connect(collector)
                try await client.send(
                    HTTP2Bytes.headers(
                        stream: 1, "/v1/events", method: "POST", key: app.ingestKey, flags: HTTP2Bytes.endHeaders),
                    HTTP2Bytes.data(stream: 1, [0x5B], flags: 0))
                #expect(try await client.receives(within: .seconds(20)) { $0.ended == [1] || $0.resets[1] != nil })
                #expect(client.received.successes.isEmpty)
                try await client.send(HTTP2Bytes.headers(stream: 3, "/livez"))
                #expect(try await client.receives(within: .seconds(10)) { $0.successes == [3] })
            }
        }
    }
}
