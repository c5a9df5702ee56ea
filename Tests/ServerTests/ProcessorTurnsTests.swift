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
    @Test func `one at a time, the addresses in turns`() async {
        let turns = ProcessorTurns(count: 1)
        let runs = Runs()
        await withTaskGroup { group in
            // Holds the only place until all others wait.
            group.addTask { await turns.run(for: nil) { while turns.waiting < 40 {} } }
            while turns.free > 0 { await Task.yield() }
            for address in Array(repeating: UInt32(1), count: 37) + [2, 3, 4] {
                group.addTask {
                    await turns.run(for: ClientAddress(v4: address)) {
                        runs.begin(address)
                        runs.end()
                    }
                }
                // In this order, so that those of the first address have waited the longest.
                while address == 1, turns.waiting < 1 { await Task.yield() }
            }
        }
        #expect(runs.most == 1)
        #expect(Set(runs.order.prefix(7)).isSuperset(of: [2, 3, 4]), "37 others of an address don't come first")
        #expect(runs.order.count == 40 && turns.free == 1 && turns.waiting == 0)
    }
}
