import DequeModule
import Executors
import Foundation
import HTTPTransport
import Synchronization

/// Bounds how many processors are busy with bodies of clients that anyone could be, before it is known what they hold.
///
/// Reading a body takes as long as its sender likes. So it is done on threads of their own, for which the addresses take
/// turns. Those who wait hold their share of the memory for bodies, so no other bound is needed.
final class ProcessorTurns: Sendable {
    private struct State {
        var free: Int
        var waiters: [ClientAddress?: Deque<CheckedContinuation<Void, Never>>] = [:]
        /// The addresses that wait, in the order of their turns.
        var turns: Deque<ClientAddress?> = []
    }

    private let state: Mutex<State>

    /// Creates turns at the machine's processors.
    ///
    /// - Parameter count: The processors that may be busy at once, by default all but one.
    init(count: Int = ProcessInfo.processInfo.activeProcessorCount - 1) {
        state = Mutex(State(free: max(1, count)))
    }

    /// The number of processors that are not busy.
    var free: Int { state.withLock { $0.free } }

    /// The number of bodies that wait for their turn.
    var waiting: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

    /// Runs a body when it is the address's turn.
    func run<Result, Failure: Error>(
        for address: ClientAddress?, _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        await begin(address)
        defer { end() }
        return try await withTaskExecutorPreference(BusyExecutor.shared) { () async throws(Failure) in try body() }
    }

    private func begin(_ address: ClientAddress?) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                if state.waiters[address] == nil { state.turns.append(address) }
                state.waiters[address, default: []].append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let address = state.turns.popFirst(), let next = state.waiters[address]?.popFirst() else {
                state.free += 1
                return nil
            }
            if state.waiters[address]?.isEmpty == true {
                state.waiters[address] = nil
            } else {
                state.turns.append(address)
            }
            return next
        }
        next?.resume()
    }
}
