import RawHTTP2
import Testing

@testable import HTTPTransport

/// Tests the limits of HTTP/2 connections with short times and a client that writes its frames itself.
struct HTTP2TimeoutTests {
    private static let slack = Duration.seconds(5)

    private static var limits: HTTPLimits {
        var limits = HTTPLimits()
        limits.headerTimeout = .milliseconds(300)
        limits.bodyTimeout = .milliseconds(600)
        limits.bodyGrace = .milliseconds(300)
        limits.writeTimeout = .seconds(1)
        limits.lingerTimeout = .milliseconds(200)
        return limits
    }

    private func connect(_ server: HTTP2TestServer, initialWindow: Int? = 65_535) async throws -> RawHTTP2Connection {
        try await RawHTTP2Connection(port: server.port, isSecure: false, initialWindow: initialWindow)
    }

    private func end(of server: HTTP2TestServer, running: Int = 0) async throws -> Bool {
        let deadline = ContinuousClock.now + Self.slack
        while server.running.count > running, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        return server.running.count == running
    }

    @Test(arguments: ["/endless", "/whole"])
    func `a connection whose client opens no window is closed, and its responders end`(path: String) async throws {
        let server = try await HTTP2TestServer(Self.limits)
        let client = try await connect(server, initialWindow: 0)
        for index in 0..<20 { try await client.send(HTTP2Bytes.headers(stream: 2 * index + 1, path)) }
        #expect(try await client.receives(within: Self.slack) { $0.successes.count == 20 })
        #expect(!client.received.isClosed)
        #expect(try await client.closes(within: Self.slack))
        #expect(try await end(of: server))
    }

    @Test func `a connection window that stays closed closes the connection`() async throws {
        let server = try await HTTP2TestServer(Self.limits)
        let client = try await connect(server, initialWindow: 1 << 30)
        try await client.send(HTTP2Bytes.headers(stream: 1, "/endless"))
        #expect(try await client.closes(within: Self.slack))
        #expect(client.received.bytes == [1: 65_535])
        #expect(try await end(of: server))
    }

    @Test func `only the stream that takes nothing is reset, and a slow reader is served`() async throws {
        let server = try await HTTP2TestServer(Self.limits)
        let client = try await connect(server, initialWindow: 0)
        try await client.send(HTTP2Bytes.headers(stream: 1, "/endless"), HTTP2Bytes.headers(stream: 3, "/endless"))
        let turns = 20
        for _ in 0..<turns {
            try await client.send(HTTP2Bytes.windowUpdate(stream: 3, by: 10))
            try await Task.sleep(for: .milliseconds(100))
        }
        let received = client.received
        #expect(received.resets == [1: 8])
        #expect(received.bytes == [3: 10 * turns])
        #expect(!received.isClosed)
        #expect(try await end(of: server, running: 1))
        #expect(try await client.closes(within: Self.slack))
        #expect(try await end(of: server))
    }

    @Test func `a window that comes with the request, or later by the settings, counts`() async throws {
        let server = try await HTTP2TestServer(Self.limits)
        let client = try await connect(server, initialWindow: 0)
        try await client.send(
            HTTP2Bytes.headers(stream: 1, "/whole"), HTTP2Bytes.windowUpdate(stream: 1, by: 100_000),
            HTTP2Bytes.windowUpdate(stream: 0, by: 1 << 20))
        #expect(try await client.receives(within: Self.slack) { $0.ended == [1] })
        try await client.send(HTTP2Bytes.headers(stream: 3, "/whole"), HTTP2Bytes.settings(initialWindow: 200_000))
        #expect(try await client.receives(within: Self.slack) { $0.ended == [1, 3] })
        #expect(client.received.bytes == [1: 100_000, 3: 100_000])
        #expect(client.received.resets.isEmpty)
    }

    @Test func `a connection holds no more responses than its limit and one write`() async throws {
        var limits = Self.limits
        limits.writeTimeout = .seconds(60)
        limits.writeMemory = 256 * 1024
        let server = try await HTTP2TestServer(limits)
        let client = try await connect(server, initialWindow: 0)
        for index in 0..<10 { try await client.send(HTTP2Bytes.headers(stream: 2 * index + 1, "/whole")) }
        #expect(try await client.receives(within: Self.slack) { $0.resets.count == 7 })
        // The others are complete once their client takes them.
        try await client.send(
            HTTP2Bytes.windowUpdate(stream: 0, by: 1 << 20), HTTP2Bytes.settings(initialWindow: 1 << 20))
        #expect(try await client.receives(within: Self.slack) { $0.ended.count == 3 })
        #expect(client.received.bytes.values.reduce(0, +) == 300_000)
        #expect(client.received.resets.count == 7)
    }

    @Test func `a connection has at most 100 streams`() async throws {
        var limits = Self.limits
        limits.writeTimeout = .seconds(60)
        let server = try await HTTP2TestServer(limits)
        let client = try await connect(server, initialWindow: 0)
        for index in 0..<100 { try await client.send(HTTP2Bytes.headers(stream: 2 * index + 1, "/endless")) }
        #expect(try await client.receives(within: Self.slack) { $0.successes.count == 100 })
        try await client.send(HTTP2Bytes.headers(stream: 201, "/endless"))
        #expect(try await client.closes(within: Self.slack))
        #expect(try await end(of: server))
    }

    @Test func `headers that do not end close the connection, and complete ones are answered`() async throws {
        let server = try await HTTP2TestServer(Self.limits)
        let client = try await connect(server)
        try await client.send(HTTP2Bytes.headers(stream: 1, "/"))
        #expect(try await client.receives(within: Self.slack) { $0.ended == [1] })
        // An idle connection stays open.
        try await Task.sleep(for: .milliseconds(700))
        #expect(!client.received.isClosed)
        try await client.send(HTTP2Bytes.headers(stream: 3, "/", flags: HTTP2Bytes.endStream))
        #expect(try await client.closes(within: Self.slack))
    }

    @Test func `a preface or a frame that does not end closes the connection`() async throws {
        let server = try await HTTP2TestServer(Self.limits)
        let settings = HTTP2Bytes.settings()
        let opened = HTTP2Bytes.preface + settings
        let update = HTTP2Bytes.windowUpdate(stream: 0, by: 1)
        for bytes in [
            [], Array(HTTP2Bytes.preface.prefix(10)), HTTP2Bytes.preface, HTTP2Bytes.preface + settings.prefix(12),
            opened + [0, 0], opened + update.dropLast(),
        ] {
            let client = try await connect(server, initialWindow: nil)
            if !bytes.isEmpty { try await client.send(bytes) }
            #expect(try await client.closes(within: Self.slack), "\(bytes.count) bytes")
        }
    }

    @Test func `a body that stops ends its request, and the connection stays open`() async throws {
        let server = try await HTTP2TestServer(Self.limits)
        let client = try await connect(server)
        try await client.send(
            HTTP2Bytes.headers(stream: 1, "/", method: "POST", flags: HTTP2Bytes.endHeaders),
            HTTP2Bytes.data(stream: 1, [1, 2, 3], flags: 0))
        #expect(try await client.receives(within: Self.slack) { _ in server.running.count == 1 })
        #expect(try await end(of: server))
        try await client.send(HTTP2Bytes.headers(stream: 3, "/"))
        #expect(try await client.receives(within: Self.slack) { $0.ended.contains(3) })
    }
}
