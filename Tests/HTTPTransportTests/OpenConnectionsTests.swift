import Instruments
import Logging
import RawHTTP2
import SeededRandom
import Synchronization
import Testing

@testable import HTTPTransport

/// Tests which connection makes room when nearly all are in use.
struct OpenConnectionsTests {
    private let slack = Duration.seconds(30)

    /// Random connections open, get requests, end and are taken; a list beside them knows what each of them does.
    @Test(arguments: 0..<40)
    func `the connection that is idle longest of the client with the most idle ones is taken`(seed: Int) throws {
        struct Known {
            let id: Int
            let name: Int
            let address: ClientAddress?
            /// The turn in which it became idle, or `nil` while it is not.
            var idleSince: Int?
        }
        var random = SeededGenerator(seed: UInt64(seed))
        var connections = OpenConnections<Int>()
        var known: [Known] = []
        var taken = 0
        for turn in 0..<2_000 {
            let index = known.isEmpty ? nil : random.number(0...known.count - 1)
            switch (random.number(0...9), index) {
            case (0...3, _), (_, nil):
                let address = random.happens(percent: 90) ? ClientAddress(v4: UInt32(random.number(1...9))) : nil
                let id = connections.add(turn, of: address)
                known.append(Known(id: id, name: turn, address: address, idleSince: address == nil ? nil : turn))
            case (4...5, let index?): connections.remove(known.remove(at: index).id)
            case (6...7, let index?):
                let isIdle = random.happens(percent: 50)
                connections.setIdle(known[index].id, isIdle)
                guard known[index].address != nil, isIdle != (known[index].idleSince != nil) else { break }
                known[index].idleSince = isIdle ? turn : nil
            default:
                let idle = Dictionary(grouping: known.filter { $0.idleSince != nil }) { $0.address }
                let most = idle.values.map(\.count).max()
                guard let result = connections.takeLongestIdle() else {
                    #expect(most == nil)
                    break
                }
                let others = try #require(idle[result.client])
                #expect(others.count == most)
                #expect(result.connection == others.min { ($0.idleSince ?? 0) < ($1.idleSince ?? 0) }?.name)
                for index in known.indices where known[index].name == result.connection { known[index].idleSince = nil }
                taken += 1
            }
            #expect(connections.count == known.count)
            for address in (UInt32(1)...9).map(ClientAddress.init(v4:)) {
                #expect(connections.count(of: address) == known.count { $0.address == address })
            }
        }
        #expect(taken > 50)
        for connection in known { connections.remove(connection.id) }
        #expect(connections.count == 0 && connections.takeLongestIdle() == nil)
    }

    @Test func `once all connections have requests, the next one that becomes idle makes room`() throws {
        var limits = HTTPLimits()
        limits.connections = 8
        let limiter = ConnectionLimiter(limits, exempt: [.loopback], logger: Logger(label: "test"))
        let closed = Mutex<[Int]>([])
        func open(_ number: Int, _ address: String = "1.2.3.4") throws -> Int {
            let address = try #require(ClientAddress(text: address))
            return try #require(limiter.open(address) { closed.withLock { $0.append(number) } })
        }
        let ids = try (0..<7).map { number in
            let id = try open(number)
            limiter.setIdle(id, false)
            return id
        }
        let own = try open(7, "127.0.0.1")
        limiter.setIdle(own, true)
        #expect(closed.withLock { $0 } == [], "an exempt connection is not closed")
        limiter.setIdle(ids[3], true)
        #expect(closed.withLock { $0 } == [3])
        limiter.close(ids[3])
        limiter.setIdle(ids[5], true)
        limiter.setIdle(ids[2], true)
        #expect(closed.withLock { $0 } == [3])
        _ = try open(8, "5.6.7.8")
        #expect(closed.withLock { $0 } == [3, 5])
    }

    @Test func `idle connections of few addresses make room for new ones, and those with a request stay`()
        async throws
    {
        var limits = HTTPLimits()
        limits.connections = 16
        limits.connectionsPerAddress = 0
        limits.writeTimeout = .seconds(60)
        let server = try await HTTP2TestServer(limits)
        func connect(_ source: String) async throws -> RawHTTP2Connection {
            try await RawHTTP2Connection(port: server.port, isSecure: false, source: source)
        }
        // One has a response under way, one has sent half a request, one has had its response, the others nothing.
        let busy = try await connect("127.0.0.2")
        try await busy.send(HTTP2Bytes.headers(stream: 1, "/endless"))
        #expect(try await busy.receives(within: slack) { $0.statuses[1] == 200 })
        let half = try await connect("127.0.0.2")
        try await half.send(HTTP2Bytes.headers(stream: 1, "/", method: "POST", flags: HTTP2Bytes.endHeaders))
        let answered = try await connect("127.0.0.2")
        try await answered.send(HTTP2Bytes.headers(stream: 1, "/"))
        #expect(try await answered.receives(within: slack) { $0.ended == [1] })
        var crowd: [RawHTTP2Connection] = []
        for index in 0..<11 { crowd.append(try await connect("127.0.0.\(2 + index % 2)")) }
        #expect(try await half.receives(within: .seconds(1), \.isClosed) == false, "14 of 16 are open")
        for number in 1...20 {
            let late = try await connect("127.0.0.9")
            crowd.append(late)
            try await late.send(HTTP2Bytes.headers(stream: 1, "/"))
            #expect(try await late.receives(within: slack) { $0.ended == [1] }, "connection \(number)")
        }
        #expect(try await half.closes(within: slack))
        #expect(try await answered.closes(within: slack))
        #expect(!busy.received.isClosed)
        #expect(server.metrics.resets[.totalLimit] >= 11)
    }
}
