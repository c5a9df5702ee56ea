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

    /// Random connections open, get requests, are held up, end and are taken; a list beside them knows what each does.
    @Test(arguments: 0..<40)
    func `the connection that is taken is of the client that could spare most of them`(seed: Int) throws {
        enum State: Equatable {
            case new(until: Int)
            case busy
            /// The turn in which it became idle.
            case idle(since: Int)
            case heldUp(pace: Int)

            var isSpare: Bool {
                switch self {
                case .new, .busy: false
                case .idle, .heldUp: true
                }
            }
        }
        struct Known {
            let id: Int
            let name: Int
            let address: ClientAddress?
            var state: State
        }
        let start = ContinuousClock.now
        let grace = 20
        let graceConnections = 4
        var random = SeededGenerator(seed: UInt64(seed))
        var connections = OpenConnections<Int>(grace: .seconds(grace), upTo: graceConnections)
        var known: [Known] = []
        var taken = 0
        for turn in 0..<2_000 {
            let now = start + .seconds(turn)
            let index = known.isEmpty ? nil : random.number(0...known.count - 1)
            switch (random.number(0...9), index) {
            case (0...3, _), (_, nil):
                let address = random.happens(percent: 90) ? ClientAddress(v4: UInt32(random.number(1...9))) : nil
                let id = connections.add(turn, of: address, at: now)
                let count = known.count { $0.address == address } + 1
                let new = count > graceConnections ? State.idle(since: turn) : .new(until: turn + grace)
                let state = address == nil ? State.busy : new
                known.append(Known(id: id, name: turn, address: address, state: state))
            case (4...5, let index?): connections.remove(known.remove(at: index).id)
            case (6...7, let index?):
                let pace = random.number(0...1_000)
                let activity: ConnectionActivity = [.idle, .busy, .heldUp(pace: pace)][random.number(0...2)]
                connections.set(known[index].id, activity)
                guard known[index].address != nil else { break }
                switch (known[index].state, activity) {
                case (.idle, .idle): break
                case (_, .idle): known[index].state = .idle(since: turn)
                case (_, .busy): known[index].state = .busy
                case (_, .heldUp): known[index].state = .heldUp(pace: pace)
                }
            default:
                // New connections count as idle after their time, in their order, or if there are no others.
                func endGrace(_ isOver: (Int) -> Bool) {
                    for index in known.indices {
                        if case .new(let end) = known[index].state, isOver(end) {
                            known[index].state = .idle(since: turn)
                        }
                    }
                }
                endGrace { $0 <= turn }
                if !known.contains(where: \.state.isSpare) { endGrace { _ in true } }
                let spare = Dictionary(grouping: known.filter(\.state.isSpare)) { $0.address }
                let most = spare.values.map(\.count).max()
                guard let result = connections.takeSpare(at: now) else {
                    #expect(most == nil)
                    break
                }
                let others = try #require(spare[result.client])
                let chosen = try #require(others.first { $0.name == result.connection })
                #expect(others.count == most)
                #expect(
                    others.allSatisfy { other in
                        switch (chosen.state, other.state) {
                        case (.idle(let since), .idle(let other)): since <= other
                        case (.heldUp(let pace), .heldUp(let other)): pace <= other
                        case (.heldUp, .idle): false
                        default: true
                        }
                    })
                for index in known.indices where known[index].name == result.connection { known[index].state = .busy }
                taken += 1
            }
            #expect(connections.count == known.count)
            for address in (UInt32(1)...9).map(ClientAddress.init(v4:)) {
                #expect(connections.count(of: address) == known.count { $0.address == address })
            }
            let open = Dictionary(grouping: known.filter { $0.address != nil }) { $0.address }.values.map(\.count)
            #expect(connections.fullest?.count == open.max())
        }
        #expect(taken > 50)
        for connection in known { connections.remove(connection.id) }
        #expect(connections.count == 0 && connections.takeSpare(at: start) == nil)
    }

    @Test func `of the client with the most connections the slowest goes, and new ones have time for a request`() throws
    {
        let start = ContinuousClock.now
        var connections = OpenConnections<Int>(grace: .seconds(2), upTo: 5)
        let greedy = try #require(ClientAddress(text: "1.2.3.4"))
        let honest = try #require(ClientAddress(text: "5.6.7.8"))
        let ids = [700, 20, 900].map { pace in
            let id = connections.add(pace, of: greedy, at: start)
            connections.set(id, .heldUp(pace: pace))
            return id
        }
        let late = start + .seconds(10)
        for name in 0..<5 { _ = connections.add(name, of: honest, at: late) }
        #expect(connections.takeSpare(at: late)?.connection == 20)
        connections.set(ids[0], .busy)
        #expect(connections.takeSpare(at: late)?.connection == 900)
        // Only new ones are left.
        #expect(connections.takeSpare(at: late)?.connection == 0)
        connections.set(ids[0], .heldUp(pace: 1))
        #expect(connections.takeSpare(at: late + .seconds(2))?.client == honest, "their time is over")
    }

    @Test func `the fullest address is logged even if nothing can make room`() throws {
        var limits = HTTPLimits()
        limits.connections = 8
        let log = RecordedLog()
        let limiter = ConnectionLimiter(limits, exempt: [], logger: Logger(label: "test") { _ in log })
        for (index, address) in ["1.2.3.4", "5.6.7.8", "5.6.7.8", "9.9.9.9", "5.6.7.8", "1.2.3.4", "7.7.7.7"]
            .enumerated()
        {
            let client = try #require(ClientAddress(text: address))
            limiter.set(try #require(limiter.open(client) {}), .busy)
            #expect(log.lines.isEmpty, "connection \(index)")
        }
        let late = try #require(ClientAddress(text: "9.9.9.9"))
        for _ in 0..<3 { _ = limiter.open(late) {} }
        #expect(log.lines.count == 1)
        let metadata = try #require(log.lines.first)
        #expect(metadata["address"]?.description == "5.6.7.8")
        #expect(metadata["address_connections"]?.description == "3")
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
            limiter.set(id, .busy)
            return id
        }
        let own = try open(7, "127.0.0.1")
        limiter.set(own, .idle)
        #expect(closed.withLock { $0 } == [], "an exempt connection is not closed")
        limiter.set(ids[3], .idle)
        #expect(closed.withLock { $0 } == [3])
        limiter.close(ids[3])
        limiter.set(ids[5], .idle)
        limiter.set(ids[2], .idle)
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

/// A log that keeps the metadata of its lines.
private final class RecordedLog: LogHandler {
    private let recorded = Mutex<[Logger.Metadata]>([])

    var lines: [Logger.Metadata] { recorded.withLock { $0 } }

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        recorded.withLock { $0.append(event.metadata ?? [:]) }
    }
}
