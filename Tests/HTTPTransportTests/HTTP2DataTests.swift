import Instruments
import RawHTTP2
import Testing

@testable import HTTPTransport

/// Tests that what a client sends in DATA frames is bounded, whether their stream is open, answered or reset.
struct HTTP2DataTests {
    /// Longer than anything here takes, even on a busy machine.
    private static let slack = Duration.seconds(30)
    /// The window of a stream, and of the connection.
    private static let window = 65_535

    private func connect(_ server: HTTP2TestServer, initialWindow: Int = window) async throws -> RawHTTP2Connection {
        try await RawHTTP2Connection(port: server.port, isSecure: false, initialWindow: initialWindow)
    }

    private func post(_ path: String, stream: Int) -> [UInt8] {
        HTTP2Bytes.headers(stream: stream, path, method: "POST", flags: HTTP2Bytes.endHeaders)
    }

    private func frames(_ count: Int, of size: Int, stream: Int) -> [UInt8] {
        let frame = HTTP2Bytes.data(stream: stream, [UInt8](repeating: 0x20, count: size), flags: 0)
        return Array(repeatElement(frame, count: count).joined())
    }

    /// Whether a further request of the connection is answered.
    private func serves(_ client: RawHTTP2Connection, stream: Int) async throws -> Bool {
        try await client.send(HTTP2Bytes.headers(stream: stream, "/"))
        return try await client.receives(within: Self.slack) { $0.ended.contains(stream) }
    }

    @Test(arguments: [1, 128, 16 * 1024])
    func `what comes for a reset stream is dropped, and closes the connection if it is more than can be under way`(
        size: Int
    ) async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.lingerTimeout = .milliseconds(200) })
        let client = try await connect(server, initialWindow: 1 << 20)
        // The response comes before the body.
        try await client.send(HTTP2Bytes.windowUpdate(stream: 0, by: 1 << 20), post("/whole", stream: 1))
        #expect(try await client.receives(within: Self.slack) { $0.resets[1] != nil })
        #expect(client.received.ended == [1])
        try await client.send(frames(8, of: 8_000, stream: 1))
        #expect(try await serves(client, stream: 3))
        #expect(!client.received.isClosed && client.received.goAway == nil)
        var sent = 8 * 8_000
        while !client.received.isClosed, sent < 4 << 20 {
            // It may be closed already.
            try? await client.send(frames(16 * 1024 / size, of: size, stream: 1))
            sent += 16 * 1024
        }
        #expect(try await client.closes(within: Self.slack))
        #expect(server.metrics.resets[.flood] == 1)
        #expect(sent > HTTPLimits().lingerBytes || size == 1)
    }

    @Test func `what is under way for streams that are refused, however many, does no harm`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.connectionsPerAddress = 10 })
        let client = try await connect(server, initialWindow: 0)
        try await client.send((0..<10).flatMap { HTTP2Bytes.headers(stream: 2 * $0 + 1, "/whole") })
        #expect(try await client.receives(within: Self.slack) { $0.successes.count == 10 })
        let refused = (10..<70).map { 2 * $0 + 1 }
        try await client.send(refused.flatMap { post("/", stream: $0) })
        #expect(try await client.receives(within: Self.slack) { $0.resets.count == refused.count })
        #expect(Set(client.received.resets.values) == [HTTP2Bytes.refusedStream])
        // Together less than a window. Each takes 1,024 bytes, so that the server reads no head in two pieces.
        try await client.send(refused.flatMap { frames(1, of: 1_015, stream: $0) })
        try await client.send(
            HTTP2Bytes.windowUpdate(stream: 0, by: 1 << 21), HTTP2Bytes.settings(initialWindow: 1 << 20))
        #expect(try await client.receives(within: Self.slack) { $0.ended.count == 10 })
        #expect(!client.received.isClosed && client.received.goAway == nil)
        #expect(server.metrics.resets[.flood] == 0 && server.metrics.resets[.protocolError] == 0)
    }

    @Test func `the body of a request that can't be read is dropped up to a limit`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.lingerTimeout = .seconds(60) })
        let client = try await connect(server)
        // No host.
        let fields = [(":method", "POST"), (":scheme", "https"), (":path", "/")]
        try await client.send(HTTP2Bytes.headers(stream: 1, fields: fields, flags: HTTP2Bytes.endHeaders))
        #expect(try await client.receives(within: Self.slack) { $0.ended == [1] })
        #expect(client.received.statuses == [1: 400])
        let size = 8_192
        var sent = 0
        while client.received.resets[1] == nil, sent < 2 << 20 {
            let next = sent + size
            let isOpen = try await client.receives(within: Self.slack) {
                $0.resets[1] != nil || $0.windows[1, default: 0] + Self.window >= next
            }
            try #require(isOpen)
            try await client.send(frames(1, of: size, stream: 1))
            sent = next
        }
        #expect(client.received.resets[1] == HTTP2Bytes.cancel)
        #expect(sent >= HTTPLimits().lingerBytes)
        // What was under way then did no harm.
        #expect(try await serves(client, stream: 3))
        #expect(server.metrics.resets[.flood] == 0)
    }

    @Test func `bodies in a few short frames are no flood, and nor is one in a thousand`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long())
        let client = try await connect(server)
        for first in stride(from: 0, to: 2_000, by: 50) {
            let streams = (first..<(first + 50)).map { 2 * $0 + 1 }
            try await client.send(
                streams.flatMap {
                    post("/", stream: $0) + frames(1, of: 1, stream: $0) + HTTP2Bytes.data(stream: $0, [0x20])
                })
            try #require(try await client.receives(within: Self.slack) { $0.ended.count == first + 50 })
        }
        try await client.send(
            post("/", stream: 4_001), frames(999, of: 1, stream: 4_001), HTTP2Bytes.data(stream: 4_001, [0x20]))
        #expect(try await client.receives(within: Self.slack) { $0.statuses[4_001] == 200 })
        #expect(client.received.successes.count == 2_001)
        #expect(server.metrics.resets[.flood] == 0)
    }
}
