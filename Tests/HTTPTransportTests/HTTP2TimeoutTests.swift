import Instruments
import RawHTTP2
import Testing

@testable import HTTPTransport

/// Tests the limits of HTTP/2 connections with short times and a client that writes its frames itself.
struct HTTP2TimeoutTests {
    /// Longer than anything here takes, even on a busy machine.
    private static let slack = Duration.seconds(30)

    private static let timeout = Duration.seconds(2)

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

    private func requests(_ path: String, streams: Range<Int>) -> [UInt8] {
        streams.flatMap { HTTP2Bytes.headers(stream: 2 * $0 + 1, path) }
    }

    @Test(arguments: ["/endless", "/whole"])
    func `a connection whose client opens no window is closed, and its responders end`(path: String) async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.writeTimeout = Self.timeout })
        let client = try await connect(server, initialWindow: 0)
        let start = ContinuousClock.now
        try await client.send(requests(path, streams: 0..<20))
        #expect(try await client.closes(within: Self.slack))
        #expect(ContinuousClock.now - start >= Self.timeout)
        #expect(client.received.successes.count == 20)
        #expect(client.received.bytes.isEmpty)
        #expect(try await end(of: server))
    }

    @Test func `a connection window that stays closed closes the connection`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.writeTimeout = Self.timeout })
        let client = try await connect(server, initialWindow: 1 << 30)
        try await client.send(HTTP2Bytes.headers(stream: 1, "/endless"))
        #expect(try await client.closes(within: Self.slack))
        #expect(client.received.bytes == [1: 65_535])
        #expect(try await end(of: server))
    }

    @Test func `only the stream that takes nothing is reset, and a slow reader is served`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.writeTimeout = Self.timeout })
        let client = try await connect(server, initialWindow: 0)
        let start = ContinuousClock.now
        // The window of the connection must not be what ends it, however long the machine takes.
        try await client.send(requests("/endless", streams: 0..<2) + HTTP2Bytes.windowUpdate(stream: 0, by: 1 << 24))
        var turns = 0
        func read() async throws {
            // More than 512 bytes for each update, or they would be a flood.
            try await client.send(HTTP2Bytes.windowUpdate(stream: 3, by: 600))
            turns += 1
            try await Task.sleep(for: .milliseconds(50))
        }
        while client.received.resets.isEmpty, ContinuousClock.now < start + Self.slack { try await read() }
        #expect(ContinuousClock.now - start >= Self.timeout)
        for _ in 0..<10 { try await read() }
        #expect(try await client.receives(within: Self.slack) { $0.bytes == [3: 600 * turns] })
        #expect(client.received.resets == [1: HTTP2Bytes.cancel])
        #expect(!client.received.isClosed)
        #expect(try await end(of: server, running: 1))
        #expect(try await client.closes(within: Self.slack))
        #expect(try await end(of: server))
    }

    @Test func `a client that still reads what it was sent has time to open its window`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.writeTimeout = Self.timeout })
        let client = try await connect(server)
        try await client.send(HTTP2Bytes.headers(stream: 1, "/whole"))
        #expect(try await client.receives(within: Self.slack) { $0.bytes == [1: 65_535] })
        try await Task.sleep(for: Self.timeout + .seconds(2))
        try await client.send(
            HTTP2Bytes.windowUpdate(stream: 1, by: 65_535), HTTP2Bytes.windowUpdate(stream: 0, by: 65_535))
        #expect(try await client.receives(within: Self.slack) { $0.ended == [1] })
        #expect(client.received.bytes == [1: 100_000])
    }

    @Test func `a window that comes with the request, or later by the settings, counts`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.writeTimeout = Self.timeout })
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
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.writeMemory = 256 * 1024 })
        let client = try await connect(server, initialWindow: 0)
        try await client.send(requests("/whole", streams: 0..<10))
        #expect(try await client.receives(within: Self.slack) { $0.resets.count == 7 })
        // The others are complete once their client takes them.
        try await client.send(
            HTTP2Bytes.windowUpdate(stream: 0, by: 1 << 20), HTTP2Bytes.settings(initialWindow: 1 << 20))
        #expect(try await client.receives(within: Self.slack) { $0.ended.count == 3 })
        #expect(client.received.bytes.values.reduce(0, +) == 300_000)
        #expect(client.received.resets.count == 7)
    }

    @Test func `a connection has at most 100 streams, and is closed with a further one`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.writeMemory = 1 << 30 })
        let client = try await connect(server, initialWindow: 0)
        try await client.send(requests("/whole", streams: 0..<100))
        #expect(try await client.receives(within: Self.slack) { $0.successes.count == 100 })
        #expect(!client.received.isClosed)
        try await client.send(requests("/whole", streams: 100..<101))
        #expect(try await client.closes(within: Self.slack))
        #expect(client.received.goAway == HTTP2Bytes.protocolError)
        #expect(try await end(of: server))
    }

    @Test func `the streams of all connections of an address are bounded, and refused ones can be sent again`()
        async throws
    {
        let server = try await HTTP2TestServer(
            HTTPLimits.long {
                $0.connectionsPerAddress = 150
                $0.writeMemory = 1 << 30
            })
        var first: RawHTTP2Connection? = try await connect(server, initialWindow: 0)
        let second = try await connect(server, initialWindow: 0)
        try await first?.send(requests("/whole", streams: 0..<100))
        #expect(try await first?.receives(within: Self.slack) { $0.successes.count == 100 } == true)
        try await second.send(requests("/whole", streams: 0..<80))
        #expect(try await second.receives(within: Self.slack) { $0.successes.count == 50 && $0.resets.count == 30 })
        #expect(Set(second.received.resets.values) == [HTTP2Bytes.refusedStream])
        #expect(server.metrics.resets[.streamLimit] == 30)
        #expect(server.running.begun == 150)
        // Streams that end leave room, one by one and with their connection, once the server has noticed it.
        func opens(_ count: Int, from stream: Int) async throws -> Bool {
            let successes = second.received.successes.count
            for first in stride(from: stream, to: stream + 400, by: 2 * count) {
                let answers = second.received.resets.count + second.received.successes.count
                try await second.send(requests("/whole", streams: (first / 2)..<(first / 2 + count)))
                _ = try await second.receives(within: Self.slack) {
                    $0.resets.count + $0.successes.count == answers + count
                }
                if second.received.successes.count >= successes + count { return true }
                try await Task.sleep(for: .milliseconds(100))
            }
            return false
        }
        try await second.send(HTTP2Bytes.reset(stream: 1))
        #expect(try await opens(1, from: 161))
        first = nil
        #expect(try await opens(40, from: 601))
    }

    @Test func `a connection is closed when more than 200 of its streams were refused in a short time`() async throws {
        let server = try await HTTP2TestServer(
            HTTPLimits.long {
                $0.connectionsPerAddress = 10
                $0.writeMemory = 1 << 30
            })
        let client = try await connect(server, initialWindow: 0)
        try await client.send(requests("/whole", streams: 0..<10))
        #expect(try await client.receives(within: Self.slack) { $0.successes.count == 10 })
        var next = 10
        // A connection can have 100 streams, refused ones included, until the client knows that they are refused.
        func open(_ count: Int) async throws -> Bool {
            // It may be closed already.
            try? await client.send(requests("/whole", streams: next..<(next + count)))
            next += count
            let refused = next - 10
            return try await client.receives(within: Self.slack) { $0.isClosed || $0.resets.count == refused }
        }
        for _ in 0..<4 { #expect(try await open(50)) }
        #expect(client.received.resets.count == 200)
        #expect(!client.received.isClosed && client.received.goAway == nil)
        // On a slow machine, some more are allowed meanwhile.
        while !client.received.isClosed, next < 5_000 {
            try #require(try await open(10))
            _ = try await client.receives(within: .milliseconds(200), \.isClosed)
        }
        #expect(client.received.isClosed)
        #expect(client.received.goAway == HTTP2Bytes.enhanceYourCalm)
        #expect(server.metrics.resets[.flood] == 1)
        #expect(try await end(of: server))
        // Another connection of the address is served.
        let other = try await connect(server)
        try await other.send(HTTP2Bytes.headers(stream: 1, "/"))
        #expect(try await other.receives(within: Self.slack) { $0.ended == [1] })
    }

    @Test(arguments: [64, 8_192])
    func `the streams of a few addresses leave some to a new one`(connections: Int) throws {
        var limits = HTTPLimits()
        limits.connections = connections
        limits.connectionsPerAddress = connections / 8
        let addresses = (1...9).map { ClientAddress(v4: UInt32($0)) }
        let shares = StreamShares(limits, exempt: [])
        let counts = addresses.map { address in (0..<connections).prefix { _ in shares.open(address) }.count }
        #expect(counts[0] == connections / 8)
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
        for (address, count) in zip(addresses, counts) { shares.close(count, of: address) }
        #expect((0..<connections).prefix { _ in shares.open(addresses[8]) }.count == connections / 8)
    }

    @Test func `headers that do not end close the connection, and complete ones are answered`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.headerTimeout = Self.timeout })
        let client = try await connect(server)
        try await client.send(HTTP2Bytes.headers(stream: 1, "/"))
        #expect(try await client.receives(within: Self.slack) { $0.ended == [1] })
        // An idle connection stays open.
        try await Task.sleep(for: Self.timeout + .milliseconds(500))
        #expect(!client.received.isClosed)
        let start = ContinuousClock.now
        try await client.send(HTTP2Bytes.headers(stream: 3, "/", flags: HTTP2Bytes.endStream))
        #expect(try await client.closes(within: Self.slack))
        #expect(ContinuousClock.now - start >= Self.timeout)
        #expect(client.received.ended == [1])
    }

    @Test(arguments: [0, 10, 24, 24 + 12, 24 + 15 + 2, 24 + 15 + 12])
    func `a preface or a frame that does not end closes the connection`(length: Int) async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.headerTimeout = Self.timeout })
        let client = try await connect(server, initialWindow: nil)
        let whole = HTTP2Bytes.preface + HTTP2Bytes.settings() + HTTP2Bytes.windowUpdate(stream: 0, by: 1)
        if length > 0 { try await client.send(Array(whole.prefix(length))) }
        #expect(try await client.closes(within: Self.slack))
    }

    @Test func `a body that stops ends its request, and the connection stays open`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.bodyTimeout = Self.timeout })
        let client = try await connect(server)
        try await client.send(
            HTTP2Bytes.headers(stream: 1, "/", method: "POST", flags: HTTP2Bytes.endHeaders),
            HTTP2Bytes.data(stream: 1, [1, 2, 3], flags: 0))
        #expect(try await client.receives(within: Self.slack) { $0.resets[1] != nil })
        #expect(try await end(of: server))
        try await client.send(HTTP2Bytes.headers(stream: 3, "/"))
        #expect(try await client.receives(within: Self.slack) { $0.ended == [3] })
    }

    @Test func `an error of one stream resets it, and the connection stays open`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { _ in })
        let client = try await connect(server)
        let fields = [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", "/"),
            ("content-length", "5"),
        ]
        try await client.send(
            HTTP2Bytes.headers(stream: 1, fields: fields, flags: HTTP2Bytes.endHeaders),
            HTTP2Bytes.data(stream: 1, [1, 2]))
        #expect(try await client.receives(within: Self.slack) { $0.resets[1] == HTTP2Bytes.protocolError })
        try await client.send(HTTP2Bytes.headers(stream: 3, "/"))
        #expect(try await client.receives(within: Self.slack) { $0.ended.contains(3) })
        #expect(!client.received.isClosed && client.received.goAway == nil)
    }

    @Test(arguments: [1, 100])
    func `a client can't enlarge the table of response headers`(pieces: Int) async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { _ in })
        let client = try await connect(server, initialWindow: nil)
        let start = HTTP2Bytes.preface + HTTP2Bytes.frame(type: 4, [0, 1, 0xFF, 0xFF, 0xFF, 0xFF])
        let size = (start.count + pieces - 1) / pieces
        for index in stride(from: 0, to: start.count, by: size) {
            try await client.send(Array(start[index...].prefix(size)))
            if pieces > 1 { try await Task.sleep(for: .milliseconds(20)) }
        }
        if pieces == 1 {
            try await client.send(HTTP2Bytes.headers(stream: 1, "/"))
            // The client's decoder refuses headers that need more than 4 KiB.
            #expect(try await client.receives(within: Self.slack) { $0.successes == [1] })
        } else {
            // The beginning of the value can't be changed any more.
            #expect(try await client.closes(within: Self.slack))
        }
    }

    @Test func `pings do not cut a connection, and an idle one that pings gets a GOAWAY frame`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { $0.idleTimeout = .seconds(3) })
        let client = try await connect(server)
        let ping = HTTP2Bytes.frame(type: 6, [1, 2, 3, 4, 5, 6, 7, 8])
        // At once, because a busy machine could pause for longer than a connection may be idle.
        try await client.send(Array(repeatElement(ping, count: 8).joined()) + HTTP2Bytes.headers(stream: 1, "/"))
        #expect(try await client.receives(within: Self.slack) { $0.ended == [1] })
        let start = ContinuousClock.now
        while client.received.goAway == nil, ContinuousClock.now < start + Self.slack {
            try await client.send(ping)
            try await Task.sleep(for: .milliseconds(250))
        }
        #expect(client.received.goAway == 0)
        #expect(server.metrics.resets[.flood] == 0 && server.metrics.resets[.protocolError] == 0)
    }

    /// Frames for which a connection is cut.
    private enum Cut: CaseIterable {
        case resets, pings, settings, singleSettings, continuedHeaders, windows, streamWindows, unknownFrames, goAways
        case shortData, streams, dataWithoutStream, unreadableHeaders, pushPromise

        var reason: ConnectionReset {
            switch self {
            case .streams, .dataWithoutStream, .unreadableHeaders, .pushPromise: .protocolError
            default: .flood
            }
        }

        var bytes: [UInt8] {
            switch self {
            case .resets:
                (0..<300).flatMap { index -> [UInt8] in
                    let reset = HTTP2Bytes.frame(type: 3, stream: 2 * index + 1, [0, 0, 0, 8])
                    return HTTP2Bytes.headers(stream: 2 * index + 1, "/endless") + reset
                }
            case .pings: repeated(HTTP2Bytes.frame(type: 6, [1, 2, 3, 4, 5, 6, 7, 8]))
            case .settings: repeated(HTTP2Bytes.settings())
            case .singleSettings:
                HTTP2Bytes.frame(type: 4, repeated([0, 4, 0, 0, 0, 1]) + repeated([0, 3, 0, 0, 0, 9]))
            case .continuedHeaders:
                HTTP2Bytes.headers(stream: 1, "/", flags: HTTP2Bytes.endStream)
                    + repeated(HTTP2Bytes.frame(type: 9, stream: 1, []))
            case .windows: repeated(HTTP2Bytes.windowUpdate(stream: 0, by: 1))
            case .streamWindows:
                HTTP2Bytes.headers(stream: 1, "/", method: "POST", flags: HTTP2Bytes.endHeaders)
                    + repeated(HTTP2Bytes.windowUpdate(stream: 1, by: 1))
            case .unknownFrames: repeated(HTTP2Bytes.frame(type: 0x77, []))
            case .shortData:
                HTTP2Bytes.headers(stream: 1, "/", method: "POST", flags: HTTP2Bytes.endHeaders)
                    + repeated(HTTP2Bytes.data(stream: 1, [0x20], flags: 0), count: 2_500)
            case .goAways: repeated(HTTP2Bytes.frame(type: 7, Array(repeating: 0, count: 8)))
            case .pushPromise:
                HTTP2Bytes.headers(stream: 1, "/endless")
                    + HTTP2Bytes.frame(type: 5, flags: 4, stream: 1, [0, 0, 0, 2])
            case .streams: (0..<101).flatMap { HTTP2Bytes.headers(stream: 2 * $0 + 1, "/endless") }
            case .dataWithoutStream: HTTP2Bytes.data(stream: 0, [1])
            case .unreadableHeaders: HTTP2Bytes.frame(type: 1, flags: 5, stream: 1, [0xFF, 0xFF])
            }
        }

        private func repeated(_ frame: [UInt8], count: Int = 300) -> [UInt8] {
            Array(repeatElement(frame, count: count).joined())
        }
    }

    @Test(arguments: Cut.allCases)
    private func `a connection that HTTP/2 ends for an error is counted once`(cut: Cut) async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { _ in })
        let client = try await connect(server)
        try await client.send(cut.bytes)
        #expect(try await client.closes(within: Self.slack))
        #expect(client.received.goAway != nil)
        let counts = [ConnectionReset.flood, .protocolError].map { server.metrics.resets[$0] }
        #expect(counts == (cut.reason == .flood ? [1, 0] : [0, 1]), "\(client.received.goAway ?? -1)")
        #expect(try await end(of: server))
    }

    @Test func `a client that opens its windows after each 4 KiB that it has read can read any amount`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { _ in })
        let client = try await connect(server)
        try await client.send(HTTP2Bytes.headers(stream: 1, "/endless"))
        var read = 0
        while read < 8 << 20 {
            #expect(try await client.receives(within: Self.slack) { $0.bytes[1, default: 0] >= read + 4_096 })
            let count = client.received.bytes[1, default: 0] - read
            for _ in 0..<count / 4_096 {
                try await client.send(
                    HTTP2Bytes.windowUpdate(stream: 1, by: 4_096), HTTP2Bytes.windowUpdate(stream: 0, by: 4_096))
                read += 4_096
            }
            try #require(!client.received.isClosed, "after \(read) bytes")
        }
        #expect(server.metrics.resets[.flood] == 0)
    }

    @Test func `a client that resets what it has sent has a bounded number of requests worked on`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits.long { _ in })
        var clients: [RawHTTP2Connection] = []
        // Each stream is reset only after its request has begun, so that none is dropped before.
        for _ in 0..<3 {
            let client = try await connect(server)
            clients.append(client)
            for stream in 0..<80 {
                let begun = server.running.begun
                try await client.send(HTTP2Bytes.headers(stream: 2 * stream + 1, "/slow"))
                let deadline = ContinuousClock.now + .milliseconds(200)
                while server.running.begun == begun, ContinuousClock.now < deadline { await Task.yield() }
                try await client.send(HTTP2Bytes.reset(stream: 2 * stream + 1))
                if server.running.begun == begun { break }
            }
        }
        // A request may begin before the reset of the last one was noticed.
        #expect(server.running.most <= 101, "\(server.running.most)")
        #expect(server.running.most >= 100, "the bound was not reached: \(server.running.most)")
        #expect(try await end(of: server))
        // When they have ended, the address is served again.
        let client = try await connect(server)
        try await client.send(HTTP2Bytes.headers(stream: 1, "/"))
        #expect(try await client.receives(within: Self.slack) { $0.successes.contains(1) })
    }
}
