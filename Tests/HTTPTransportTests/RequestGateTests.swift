import HTTPTypes
import Instruments
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import RawHTTP2
import SeededRandom
import Testing

@testable import HTTPTransport

/// Tests that pipelined requests reach the responder one at a time, whole and in order.
struct RequestGateTests {
    /// An HTTP/1.1 connection without sockets, whose responses the test writes.
    private final class Connection {
        let channel = EmbeddedChannel()
        /// The requests that were read, each as its path and body; the last one may not have ended.
        private(set) var requests: [String] = []
        private(set) var ended = 0
        private(set) var answered = 0
        private(set) var hasEndedInput = false

        init() throws {
            let connection = HTTP1Connection(
                responder: { _, _, _ in }, limits: HTTPLimits(), isSecure: false,
                turns: RequestTurns(exempt: [.loopback]))
            try connection.addHandlers(to: channel.pipeline.syncOperations, Logger(label: "test"))
            try channel.pipeline.syncOperations.addHandler(InputEnd { [weak self] in self?.hasEndedInput = true })
            try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func receive(_ bytes: some Sequence<UInt8>) throws {
            try channel.writeInbound(ByteBuffer(bytes: bytes))
            try take()
        }

        func answer() throws {
            answered += 1
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
            try take()
        }

        private func take() throws {
            while let part = try channel.readInbound(as: HTTPRequestPart.self) {
                switch part {
                case .head(let head): requests.append(head.path ?? "")
                case .body(let bytes): requests[requests.count - 1] += String(buffer: bytes)
                case .end: ended += 1
                }
            }
        }
    }

    /// Notes when the client has closed its side.
    private final class InputEnd: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart

        private let note: () -> Void

        init(_ note: @escaping () -> Void) {
            self.note = note
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { note() }
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Returns a request, and how the test names it: its path and body.
    private static func request(_ number: Int, _ random: inout SeededGenerator) -> (bytes: String, name: String) {
        let path = "/\(number)"
        let padding = String(repeating: "x", count: [0, 10, 700, 3_000][Int.random(in: 0..<4, using: &random)])
        let head = "HTTP/1.1\r\nHost: a\r\nX-Padding: \(padding)\r\n"
        // A body may look like the end of headers.
        let body =
            ["", "b", "\r\n\r\n", "{}\r\n\r\nGET / HTTP/1.1\r\n\r\n", String(repeating: "y", count: 5_000)]
            .randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return ("GET \(path) \(head)\r\n", path)
        case 1: return ("POST \(path) \(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)", path + body)
        default:
            let chunks = body.isEmpty ? "" : String(body.utf8.count, radix: 16) + "\r\n\(body)\r\n"
            return ("POST \(path) \(head)Transfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n", path + body)
        }
    }

    @Test(arguments: 0..<60)
    func `requests in any pieces are read whole and in order, each after the response before it`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let connection = try Connection()
        let requests = (0..<30).map { Self.request($0, &random) }
        var bytes = Array(requests.map(\.bytes).joined().utf8)[...]
        while !bytes.isEmpty {
            let piece = bytes.prefix([1, 3, 40, 1_024, 20_000].randomElement(using: &random) ?? 1)
            bytes = bytes.dropFirst(piece.count)
            try connection.receive(piece)
            #expect(connection.ended - connection.answered <= 2)
            if Int.random(in: 0..<4, using: &random) == 0, connection.ended > connection.answered {
                try connection.answer()
            }
        }
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        while connection.ended > connection.answered {
            #expect(connection.ended >= 29 || !connection.hasEndedInput)
            try connection.answer()
        }
        #expect(connection.requests == requests.map(\.name))
        #expect(connection.hasEndedInput)
    }

    @Test func `of a thousand small requests in one read, only the first is read before its response`() throws {
        let connection = try Connection()
        try connection.receive(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 1_000).utf8)
        for answered in 0..<1_000 {
            #expect(connection.ended == answered + 1)
            try connection.answer()
        }
        #expect(connection.ended == 1_000)
    }

    @Test func `nothing is read from the socket while requests wait`() throws {
        final class Reads: ChannelOutboundHandler {
            typealias OutboundIn = ByteBuffer
            var count = 0

            func read(context: ChannelHandlerContext) {
                count += 1
                context.read()
            }
        }
        let connection = try Connection()
        let reads = Reads()
        try connection.channel.pipeline.syncOperations.addHandler(reads, position: .first)
        try connection.receive(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 3).utf8)
        reads.count = 0
        connection.channel.read()
        #expect(reads.count == 0)
        try connection.answer()
        #expect(reads.count == 0)
        try connection.answer()
        #expect(reads.count == 1)
    }

    @Test func `a client that sends a thousand requests and closes its side gets all responses`() async throws {
        var limits = HTTPLimits()
        limits.headerTimeout = .seconds(60)
        let server = try await HTTP2TestServer(limits, version: .http1)
        let client = try await RawTLSConnection(port: server.port, isSecure: false)
        try await client.send(
            String(repeating: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", count: 999))
        try await client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        // It closes the connection after the last one.
        let received = await client.receive(timeout: .seconds(60))
        #expect(received?.split(separator: "HTTP/1.1 200 OK").count == 1_000)
    }

    @Test func `a request that waits for a long response is not refused for its headers`() async throws {
        var limits = HTTPLimits()
        limits.headerTimeout = .milliseconds(300)
        let server = try await HTTP2TestServer(limits, version: .http1)
        let client = try await RawTLSConnection(port: server.port, isSecure: false)
        try await client.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try await Task.sleep(for: .seconds(1))
        #expect(!client.isClosed)
        #expect(client.received.hasPrefix("HTTP/1.1 200 OK"))
    }

    @Test func `a body that is withheld after a pipelined request is refused as any slow body`() async throws {
        var limits = HTTPLimits()
        limits.bodyTimeout = .milliseconds(500)
        limits.bodyGrace = .milliseconds(500)
        let server = try await HTTP2TestServer(limits, version: .http1)
        let client = try await RawTLSConnection(port: server.port, isSecure: false)
        try await client.send(
            "GET / HTTP/1.1\r\nHost: a\r\n\r\nPOST /work HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{")
        let received = await client.receive(timeout: .seconds(30))
        #expect(received != nil, "the connection is still open")
    }
}
