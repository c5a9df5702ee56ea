import HTTPTypes
import Instruments
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import RawHTTP2
import SeededRandom
import Synchronization
import Testing

@testable import HTTPTransport

/// Tests that the many requests of one client leave room for those of others.
struct RequestTurnsTests {
    private static let slack = Duration.seconds(60)

    /// Limits under which bodies may take long.
    private static let patientLimits = {
        var limits = HTTPLimits()
        limits.bodyTimeout = .seconds(600)
        limits.bodyGrace = .seconds(600)
        return limits
    }()

    // MARK: Places

    @Test(arguments: 0..<100)
    func `a client has a bounded number of places, and its requests get them in order`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let places = Int.random(in: 1...3, using: &random)
        let turns = RequestTurns(places: places)
        let addresses = try (1...3).map { try #require(ClientAddress(text: "10.0.0.\($0)")) }
        let begun = Mutex<[Int]>([])
        // The model: for each address, the numbers of its requests in order.
        var working = [[Int]](repeating: [], count: addresses.count)
        var waiting = working
        var ids: [Int] = []
        for _ in 0..<500 {
            let client = Int.random(in: addresses.indices, using: &random)
            let leaving = (working[client] + waiting[client]).randomElement(using: &random)
            if let leaving, Bool.random(using: &random) {
                var expected: [Int] = []
                waiting[client].removeAll { $0 == leaving }
                if let index = working[client].firstIndex(of: leaving) {
                    working[client].remove(at: index)
                    if !waiting[client].isEmpty { expected.append(waiting[client].removeFirst()) }
                    working[client] += expected
                }
                begun.withLock { $0 = [] }
                turns.leave(ids[leaving])
                #expect(begun.withLock { $0 } == expected)
            } else {
                let number = ids.count
                let (id, waits) = turns.enter(addresses[client]) { begun.withLock { $0.append(number) } }
                ids.append(id)
                #expect(waits == (working[client].count == places))
                if waits { waiting[client].append(number) } else { working[client].append(number) }
            }
        }
    }

    @Test func `a client is found behind a proxy, and has no bound in an exempt network`() throws {
        let turns = RequestTurns(exempt: [.loopback]) { peer, headers in
            headers[.from].flatMap { ClientAddress(text: $0) } ?? peer
        }
        let peer = try #require(ClientAddress(text: "2001:db8::1"))
        #expect(turns.client(peer, [:]) == ClientAddress(text: "2001:db8::"))
        #expect(turns.client(peer, [.from: "192.0.2.1"]) == ClientAddress(text: "192.0.2.1"))
        #expect(turns.client(peer, [.from: "127.0.0.1"]) == nil)
    }

    // MARK: Waiting

    /// An HTTP/1.1 connection without sockets, of an address that has one place.
    private final class Connection {
        let channel = EmbeddedChannel()
        let turns: RequestTurns
        /// What happens once others have had their turn.
        private let later: Later
        private let reads = Reads()
        /// What was read: the path of a request, its body, and `end`.
        private(set) var received: [String] = []

        private final class Later: Sendable {
            let actions = Mutex<[@Sendable () -> Void]>([])
        }

        private final class Reads: ChannelOutboundHandler {
            typealias OutboundIn = ByteBuffer
            var count = 0

            func read(context: ChannelHandlerContext) {
                count += 1
                context.read()
            }
        }

        /// Turns an event and an error into requests, so that their order shows.
        private final class Others: ChannelInboundHandler {
            typealias InboundIn = HTTPRequestPart
            typealias InboundOut = HTTPRequestPart

            func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
                guard event as? ChannelEvent == .inputClosed else { return }
                context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(string: "closed"))))
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) {
                context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(string: "\(error)"))))
            }
        }

        init() throws {
            let later = Later()
            self.later = later
            turns = RequestTurns(places: 1, afterOthers: { _, action in later.actions.withLock { $0.append(action) } })
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(reads)
            try HTTP1Connection(
                responder: { _, _, _ in }, limits: HTTPLimits(), isSecure: false, turns: turns
            ).addHandlers(to: pipeline, Logger(label: "test"))
            try pipeline.addHandler(Others())
            try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// Takes the place of the connection's address.
        func takePlace() throws -> Int {
            let (id, waits) = turns.enter(try #require(ClientAddress(text: "127.0.0.1"))) {}
            #expect(!waits)
            return id
        }

        /// Lets others have their turn, so that a request that waits for its body gives its place up.
        func wait() throws {
            let actions = later.actions.withLock { actions in
                defer { actions = [] }
                return actions
            }
            for action in actions { action() }
            channel.embeddedEventLoop.run()
            try take()
        }

        func receive(_ text: String) throws {
            try channel.writeInbound(ByteBuffer(string: text))
            try take()
        }

        func answer() throws {
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
            channel.embeddedEventLoop.run()
            try take()
        }

        func leave(_ id: Int) throws {
            turns.leave(id)
            channel.embeddedEventLoop.run()
            try take()
        }

        func take() throws {
            while let part = try channel.readInbound(as: HTTPRequestPart.self) {
                switch part {
                case .head(let head): received.append(head.path ?? "")
                case .body(let bytes): received.append(String(buffer: bytes))
                case .end: received.append("end")
                }
            }
        }

        /// How often the socket was asked for more.
        func readsDuring(_ action: () throws -> Void) rethrows -> Int {
            reads.count = 0
            try action()
            return reads.count
        }
    }

    private static let request = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"

    @Test func `a request that waits comes whole, in order and however late, and nothing is read meanwhile`() throws {
        let connection = try Connection()
        let other = try connection.takePlace()
        let reads = try connection.readsDuring {
            try connection.receive(Self.request + "body")
            connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            // No deadline counts meanwhile.
            connection.channel.embeddedEventLoop.advanceTime(by: .seconds(100))
            connection.channel.read()
            try connection.take()
        }
        #expect(reads == 0)
        #expect(connection.received == [])
        #expect(try connection.readsDuring { try connection.leave(other) } == 1)
        #expect(connection.received == ["/a", "body", "end", "closed"])
    }

    @Test func `an unreadable body fails its request, also if that waits`() throws {
        let connection = try Connection()
        let other = try connection.takePlace()
        try connection.receive("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n?\r\n")
        #expect(connection.received == [])
        try connection.leave(other)
        #expect(connection.received == ["/a", "b", "malformed"])
    }

    @Test func `a response gives the place to the next request, and the end of the answered one needs none`() throws {
        let connection = try Connection()
        try connection.receive(Self.request + "bo")
        #expect(connection.received == ["/a", "bo"])
        try connection.channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .continue)))
        #expect(connection.turns.enter(try #require(ClientAddress(text: "127.0.0.1"))) {}.waits)
        try connection.channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        // The one that waits has it now.
        try connection.receive("dy")
        #expect(connection.received == ["/a", "bo", "dy", "end"])
    }

    @Test func `each request of a connection takes its turn`() throws {
        let connection = try Connection()
        try connection.receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(connection.received == ["/1", "end"])
        let other = connection.turns.enter(try #require(ClientAddress(text: "127.0.0.1"))) {}
        #expect(other.waits)
        try connection.answer()
        #expect(connection.received == ["/1", "end"])
        try connection.leave(other.id)
        #expect(connection.received == ["/1", "end", "/2", "end"])
    }

    @Test func `a pipelined request takes a turn of its own, whatever pieces it comes in`() throws {
        let connection = try Connection()
        try connection.receive("GET /1 HTTP/1.1\r\nHost: a\r\n")
        // The end of the first one's headers comes with the whole second one.
        try connection.receive("\r\n" + Self.request + "body")
        #expect(connection.received == ["/1", "end"])
        let other = connection.turns.enter(try #require(ClientAddress(text: "127.0.0.1"))) {}
        try connection.answer()
        #expect(connection.received == ["/1", "end"])
        try connection.leave(other.id)
        #expect(connection.received == ["/1", "end", "/a", "body", "end"])
    }

    @Test func `a request whose client goes while its end waits fails`() throws {
        let connection = try Connection()
        try connection.receive(Self.request + "bo")
        try connection.wait()
        let other = try connection.takePlace()
        try connection.receive("dy")
        #expect(connection.received == ["/a", "bo", "dy"])
        connection.channel.pipeline.fireChannelInactive()
        try connection.take()
        #expect(connection.received == ["/a", "bo", "dy", "End of file"])
        try connection.leave(other)
        #expect(connection.received == ["/a", "bo", "dy", "End of file"])
    }

    @Test func `a request whose client goes while it waits is dropped, and takes no place`() throws {
        let connection = try Connection()
        let other = try connection.takePlace()
        try connection.receive(Self.request + "body")
        connection.channel.pipeline.fireChannelInactive()
        try connection.leave(other)
        #expect(connection.received == [])
        _ = try connection.takePlace()
    }

    // MARK: Floods

    enum Flood: CaseIterable {
        /// Each request arrives whole.
        case whole
        /// The ends of all bodies arrive together.
        case bodiesLater
    }

    @Test(arguments: Flood.allCases)
    func `a request comes after a few of the hundreds that another client has sent before`(flood: Flood) async throws {
        let server = try await HTTP2TestServer(Self.patientLimits)
        var crowd: [RawHTTP2Connection] = []
        for _ in 0..<5 { crowd.append(try await RawHTTP2Connection(port: server.port, isSecure: false)) }
        let other = try await RawHTTP2Connection(port: server.port, isSecure: false, source: "127.0.0.2")
        try await other.send(HTTP2Bytes.headers(stream: 1, "/"))
        #expect(try await other.receives(within: Self.slack) { $0.ended == [1] })

        let streams = (0..<100).map { 2 * $0 + 1 }
        if flood == .bodiesLater {
            for client in crowd {
                let heads = streams.map {
                    HTTP2Bytes.headers(stream: $0, "/work", method: "POST", flags: HTTP2Bytes.endHeaders)
                }
                try await client.send(Array(heads.joined()))
            }
            #expect(try await hasBegun(501, server))
            for client in crowd {
                try await client.send(Array(streams.map { HTTP2Bytes.data(stream: $0, [0x20]) }.joined()))
            }
        } else {
            for client in crowd {
                try await client.send(Array(streams.map { HTTP2Bytes.headers(stream: $0, "/work") }.joined()))
            }
        }
        #expect(try await other.receives(within: Self.slack) { _ in server.running.ended > 20 })
        try await other.send(HTTP2Bytes.headers(stream: 3, "/"))
        #expect(try await other.receives(within: Self.slack) { $0.ended == [1, 3] })
        #expect(server.running.ended < 250, "of 500")
        for client in crowd { #expect(try await client.receives(within: Self.slack) { $0.ended.count == 100 }) }
    }

    /// Returns whether so many requests have begun in time.
    private func hasBegun(_ count: Int, _ server: HTTP2TestServer) async throws -> Bool {
        let deadline = ContinuousClock.now + Self.slack
        while server.running.begun < count, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        return server.running.begun == count
    }

    @Test func `requests that wait for anything but a processor keep no place`() async throws {
        let server = try await HTTP2TestServer(Self.patientLimits, version: .http1, places: 1)
        var clients: [RawTLSConnection] = []
        for index in 0..<40 {
            let client = try await RawTLSConnection(port: server.port, isSecure: false)
            // Half of them wait for their body, half of them take two seconds.
            let isSlow = index.isMultiple(of: 2)
            try await client.send(isSlow ? "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" : Self.request)
            clients.append(client)
        }
        #expect(try await hasBegun(40, server))
    }
}
