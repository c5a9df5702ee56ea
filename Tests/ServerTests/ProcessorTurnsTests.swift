import Events
import Ingest
import Synchronization
import Testing

@testable import HTTPTransport
@testable import Server

/// Counts the bodies that run, and records in which order they began.
private final class Runs: Sendable {
    private let state = Mutex((running: 0, most: 0, order: [UInt32]()))

    func begin(_ address: UInt32) {
        state.withLock { state in
            state.running += 1
            state.most = max(state.most, state.running)
            state.order.append(address)
        }
    }

    func end() { state.withLock { $0.running -= 1 } }

    var most: Int { state.withLock { $0.most } }
    var order: [UInt32] { state.withLock { $0.order } }
}

struct ProcessorTurnsTests {
    private static func client(_ scope: Scope, app: Int32, address: UInt32) -> ResourceClient {
        ResourceClient(
            APIKeyGrant(keyID: app, appID: app, appName: "", scope: scope), address: ClientAddress(v4: address << 8))
    }

    /// Runs the bodies of clients one at a time, and returns the numbers of the clients in the order of their turns.
    private func order(_ clients: [ResourceClient]) async -> [UInt32] {
        let turns = ProcessorTurns(count: 1)
        let runs = Runs()
        await withTaskGroup { group in
            // Holds the only place until all others wait.
            group.addTask {
                await turns.run(for: Self.client(.ingest, app: 0, address: 0)) {
                    while turns.waiting < clients.count {}
                }
            }
            while turns.free > 0 { await Task.yield() }
            for (number, client) in clients.enumerated() {
                group.addTask {
                    await turns.run(for: client) {
                        runs.begin(UInt32(number))
                        runs.end()
                    }
                }
                // Each waits before the next one comes. With the last one, they begin.
                while turns.waiting <= number, runs.order.isEmpty { await Task.yield() }
            }
        }
        #expect(runs.most == 1)
        #expect(turns.free == 1 && turns.waiting == 0)
        return runs.order
    }

    @Test func `one at a time, the addresses of an app's public clients in turns`() async {
        let order = await order(
            (Array(repeating: UInt32(1), count: 37) + [2, 3, 4]).map { Self.client(.ingest, app: 1, address: $0) })
        #expect(order == [0, 37, 38, 39] + Array(1...36))
    }

    @Test func `apps take turns, and so do an app's public clients and its own servers`() async {
        let many = (0..<20).map { Self.client(.send, app: 1, address: $0) }
        let crowd = (0..<20).map { Self.client(.ingest, app: 1, address: $0) }
        let others = [Self.client(.ingest, app: 2, address: 1), Self.client(.send, app: 2, address: 1)]
        let order = await order(many + crowd + others)
        #expect(order.prefix(4) == [0, 20, 40, 41], "those that have used no time yet are first")
        #expect(order.sorted() == Array(0..<42))
    }

    @Test func `many short bodies are read for each long one of another app`() async {
        let turns = ProcessorTurns(count: 1)
        let runs = Runs()
        let (long, short) = (Self.client(.ingest, app: 1, address: 1), Self.client(.ingest, app: 2, address: 1))
        await withTaskGroup { group in
            group.addTask {
                let end = ContinuousClock.now + .milliseconds(500)
                await turns.run(for: long) { while turns.waiting < 40 || ContinuousClock.now < end {} }
            }
            while turns.free > 0 { await Task.yield() }
            for number in 0..<40 as Range<UInt32> {
                group.addTask {
                    await turns.run(for: number < 20 ? long : short) {
                        runs.begin(number)
                        runs.end()
                    }
                }
                while turns.waiting <= number, runs.order.isEmpty { await Task.yield() }
            }
        }
        #expect(runs.order == Array(20..<40) + Array(0..<20))
    }

    @Test(arguments: [Scope.ingest, .send, .manage])
    func `a small body is read at once, and a large one waits, whatever the key`(scope: Scope) async {
        let turns = ProcessorTurns(count: 1)
        let client = Self.client(scope, app: 1, address: 1)
        await withTaskGroup { group in
            group.addTask { await turns.run(for: client) { while turns.waiting < 1 {} } }
            while turns.free > 0 { await Task.yield() }
            #expect(await turns.read(32 * 1024, for: client) { turns.waiting } == 0)
            #expect(await turns.read(32 * 1024 + 1, for: client) { turns.free } == 0)
        }
    }
}
