import Instruments
import NIOCore
import RawHTTP2
import Testing

@testable import HTTPTransport

/// Tests with real sockets that clients which hold their responses up neither stay nor keep others out.
struct SlowReaderTests {
    private static let slack = Duration.seconds(30)

    /// A client that reads an endless response in pieces, at the pace of the test.
    private struct Reader {
        private enum Connection {
            case http1(RawTLSConnection)
            case http2(RawHTTP2Connection, pieces: Int)
        }

        private let connection: Connection

        init(_ server: HTTP2TestServer, _ version: HTTP2TestServer.Version, pieces: Int, source: String = "127.0.0.1")
            async throws
        {
            switch version {
            case .http1:
                let client = try await RawTLSConnection(
                    port: server.port, isSecure: false, source: source, receiveBuffer: max(2_048, 4 * pieces),
                    pieces: pieces)
                connection = .http1(client)
                try await client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
            case .http2:
                let client = try await RawHTTP2Connection(
                    port: server.port, isSecure: false, initialWindow: 0, source: source)
                connection = .http2(client, pieces: pieces)
                try await client.send(HTTP2Bytes.headers(stream: 1, "/endless"))
            }
        }

        func read() async throws {
            switch connection {
            case .http1(let client): client.read()
            case .http2(let client, let pieces):
                // The connection may have been closed.
                try? await client.send(
                    HTTP2Bytes.windowUpdate(stream: 1, by: pieces), HTTP2Bytes.windowUpdate(stream: 0, by: pieces))
            }
        }

        /// The bytes that were received so far.
        var bytes: Int {
            switch connection {
            case .http1(let client): client.receivedBytes
            case .http2(let client, _): client.received.bytes[1, default: 0]
            }
        }
    }

    /// A client of a live stream, or of anything else, that reads whatever comes.
    private struct Client {
        private enum Connection {
            case http1(RawTLSConnection)
            case http2(RawHTTP2Connection)
        }

        private let connection: Connection

        init(
            _ server: HTTP2TestServer, _ version: HTTP2TestServer.Version, _ path: String, source: String
        ) async throws {
            switch version {
            case .http1:
                let client = try await RawTLSConnection(port: server.port, isSecure: false, source: source)
                try await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                connection = .http1(client)
            case .http2:
                let client = try await RawHTTP2Connection(port: server.port, isSecure: false, source: source)
                try await client.send(HTTP2Bytes.headers(stream: 1, path))
                connection = .http2(client)
            }
        }

        var isAnswered: Bool {
            switch connection {
            case .http1(let client): client.received.hasPrefix("HTTP/1.1 200 ")
            case .http2(let client): client.received.statuses[1] == 200
            }
        }

        var bytes: Int {
            switch connection {
            case .http1(let client): client.receivedBytes
            case .http2(let client): client.received.bytes[1, default: 0]
            }
        }

        var isClosed: Bool {
            switch connection {
            case .http1(let client): client.isClosed
            case .http2(let client): client.received.isClosed
            }
        }
    }

    /// Lets readers take a piece each, in turns of a length, until a condition holds or the time is over.
    private func read(
        _ readers: [Reader], every pause: Duration, for time: Duration = slack, until isDone: () -> Bool = { false }
    ) async throws {
        let end = ContinuousClock.now + time
        while !isDone(), ContinuousClock.now < end {
            for reader in readers { try await reader.read() }
            try await Task.sleep(for: pause)
        }
    }

    @Test(arguments: [HTTP2TestServer.Version.http1, .http2])
    func `a client that reads a few bytes now and then is disconnected, and slow readers and live streams are not`(
        version: HTTP2TestServer.Version
    ) async throws {
        var limits = HTTPLimits()
        // Long enough that the steady reader doesn't pause for so long by itself on a busy machine.
        limits.writeTimeout = .seconds(6)
        let server = try await HTTP2TestServer(limits, version: version)
        let steady = try await Reader(server, version, pieces: 2_000)
        let live = try await Client(server, version, "/live", source: "127.0.0.1")
        let start = ContinuousClock.now
        let dripping = try await Reader(server, version, pieces: 20)
        let isOpen = { server.metrics.open == 3 }
        try await read([steady, dripping], every: .milliseconds(10), for: Self.slack, until: isOpen)
        async let others: Void = read([dripping], every: .milliseconds(400), until: { server.metrics.open < 3 })
        try await read([steady], every: .milliseconds(200), until: { server.metrics.open < 3 })
        try await others
        #expect(ContinuousClock.now - start >= limits.writeTimeout)
        #expect(server.metrics.open == 2)
        #expect(server.metrics.resets[.unread] == 1)
        // The others go on for longer than that.
        let bytes = (steady.bytes, live.bytes)
        try await read([steady], every: .milliseconds(200), for: limits.writeTimeout * 2)
        #expect(server.metrics.open == 2 && server.metrics.resets[.unread] == 1)
        #expect(steady.bytes > bytes.0 + 10_000)
        #expect(live.bytes > bytes.1 + 1_000)
    }

    @Test func `a connection window that is opened by few bytes disconnects the client, too`() async throws {
        var limits = HTTPLimits()
        limits.writeTimeout = .seconds(1)
        let server = try await HTTP2TestServer(limits)
        let client = try await RawHTTP2Connection(port: server.port, isSecure: false, initialWindow: 1 << 30)
        try await client.send(HTTP2Bytes.headers(stream: 1, "/endless"))
        let start = ContinuousClock.now
        while !client.received.isClosed, ContinuousClock.now - start < Self.slack {
            try? await client.send(HTTP2Bytes.windowUpdate(stream: 0, by: 1))
            try await Task.sleep(for: .milliseconds(300))
        }
        #expect(client.received.isClosed)
        // A second, and four for the 64 KiB that it may still have been reading.
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(server.metrics.resets[.unread] == 1)
    }

    @Test(arguments: [HTTP2TestServer.Version.http1, .http2])
    func `clients at few addresses that hold their responses up do not keep others out`(
        version: HTTP2TestServer.Version
    ) async throws {
        var limits = HTTPLimits()
        limits.connections = 16
        limits.connectionsPerAddress = 0
        // Whatever is closed is closed to make room.
        limits.writeTimeout = .seconds(120)
        limits.headerTimeout = .seconds(120)
        let server = try await HTTP2TestServer(limits, version: version)
        let export = try await Reader(server, version, pieces: 8_000, source: "127.0.0.6")
        let live = try await Client(server, version, "/live", source: "127.0.0.7")
        var greedy: [Reader] = []
        for index in 0..<12 {
            greedy.append(try await Reader(server, version, pieces: 20, source: "127.0.0.\(2 + index % 2)"))
        }
        func drip(_ time: Duration, until isDone: () -> Bool = { false }) async throws {
            let end = ContinuousClock.now + time
            var turns = 0
            while !isDone(), ContinuousClock.now < end {
                try await export.read()
                if turns.isMultiple(of: 20) { for reader in greedy { try await reader.read() } }
                turns += 1
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        // All of them must be known as held up, or another one makes room.
        let addresses = try [2, 3].map { ClientAddress(try SocketAddress(ipAddress: "127.0.0.\($0)", port: 0)) }
        try await drip(Self.slack) { addresses.allSatisfy { server.limiter.spareCount(of: $0) == 6 } }
        #expect(server.metrics.open == 14)
        var honest: [Client] = []
        for number in 1...9 {
            let client = try await Client(server, version, "/", source: "127.0.0.\(8 + number)")
            honest.append(client)
            try await drip(Self.slack) { client.isAnswered || client.isClosed }
            #expect(client.isAnswered, "connection \(number)")
        }
        #expect(!honest.contains { $0.isClosed })
        #expect(server.metrics.resets[.heldUp] == 9)
        #expect(server.metrics.resets[.unread] == 0)
        let bytes = (export.bytes, live.bytes)
        try await drip(Self.slack) { export.bytes > bytes.0 + 20_000 && live.bytes > bytes.1 + 500 }
        #expect(export.bytes > bytes.0 + 20_000)
        #expect(live.bytes > bytes.1 + 500)
    }

    @Test func `some empty lines before a request over HTTP/1.1 are ignored, and no more`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits(), version: .http1)
        func connect() async throws -> RawTLSConnection {
            try await RawTLSConnection(port: server.port, isSecure: false)
        }
        let request = "GET / HTTP/1.1\r\nHost: a\r\n"
        let some = try await connect()
        for number in 1...3 {
            try await some.send(String(repeating: "\r\n", count: 4) + request)
            try await Task.sleep(for: .milliseconds(50))
            try await some.send("\r\n")
            #expect(await some.receive { $0.ranges(of: " 200 ").count >= number } != nil, "\(number)")
        }
        // The second request's headers end in another piece.
        let pipelined = try await connect()
        try await pipelined.send(request + "\r\n" + request)
        #expect(await pipelined.receive { $0.contains(" 200 ") } != nil)
        try await pipelined.send("\r\n" + String(repeating: "\r\n", count: 3) + request + "\r\n")
        #expect(await pipelined.receive { $0.ranges(of: " 200 ").count >= 3 } != nil)
        // A body of empty lines is a body.
        let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 40000\r\n\r\n"
        try await pipelined.send(post + String(repeating: "\r\n", count: 10))
        try await Task.sleep(for: .milliseconds(50))
        try await pipelined.send(String(repeating: "\r\n", count: 19_990))
        #expect(await pipelined.receive { $0.ranges(of: " 200 ").count >= 4 } != nil)
        for before in ["", request + "\r\n"] {
            let many = try await connect()
            if !before.isEmpty {
                try await many.send(before)
                #expect(await many.receive { $0.contains(" 200 ") } != nil)
            }
            try await many.send(String(repeating: "\r\n", count: 20_000) + request + "\r\n")
            let response = await many.receive()
            #expect(response?.ranges(of: " 400 ").count == 1, "\(response ?? "-")")
        }
    }
}
