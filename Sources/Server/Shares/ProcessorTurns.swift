import DequeModule
import Executors
import Foundation
import HTTPTransport
import Synchronization

/// Bounds how many processors are busy with reading bodies, and lets clients take turns.
///
/// Reading a large body takes as long as its sender likes, whatever key it has, so it is done on threads of their own.
/// First the apps take turns there, each once for its public clients and once for those with a secret key; then the
/// addresses of the public clients do. So a client waits for at most one body of each other client. Clients that wait hold
/// their share of the memory for bodies, so no other bound is needed.
final class ProcessorTurns: Sendable {
    /// The clients that together have one turn in each round.
    private struct Group: Hashable {
        /// The app, or `nil` while the key is not known, because it is in the body.
        let app: Int32?
        let isPublic: Bool
    }

    /// The clients of a group that wait, by address. Those with a secret key have none, because they are the servers of
    /// one owner.
    private struct Queue {
        var waiters: [ClientAddress?: Deque<CheckedContinuation<Void, Never>>] = [:]
        var turns: Deque<ClientAddress?> = []

        mutating func append(_ waiter: CheckedContinuation<Void, Never>, _ address: ClientAddress?) {
            if waiters[address] == nil { turns.append(address) }
            waiters[address, default: []].append(waiter)
        }

        mutating func next() -> CheckedContinuation<Void, Never>? {
            guard let address = turns.popFirst(), let next = waiters[address]?.popFirst() else { return nil }
            if waiters[address]?.isEmpty == true { waiters[address] = nil } else { turns.append(address) }
            return next
        }
    }

    private struct State {
        var free: Int
        var queues: [Group: Queue] = [:]
        /// The groups that wait, in the order of their turns.
        var turns: Deque<Group> = []
    }

    /// The size of a body that is read at once. Reading it takes about as long as the rest of a request.
    private static let largestAtOnce = 32 * 1024

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
    var waiting: Int {
        state.withLock { state in
            state.queues.values.reduce(0) { sum, queue in queue.waiters.values.reduce(sum) { $0 + $1.count } }
        }
    }

    /// Reads a body: a small one at once, a large one when it is the client's turn.
    func read<Result, Failure: Error>(
        _ size: Int, for client: ResourceClient, _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard size > Self.largestAtOnce else { return try body() }
        return try await run(for: client, body)
    }

    /// Runs a body when it is the client's turn.
    func run<Result, Failure: Error>(
        for client: ResourceClient, _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        await begin(Group(app: client.appID, isPublic: client.isPublic), client.isPublic ? client.address : nil)
        defer { end() }
        return try await withTaskExecutorPreference(BusyExecutor.shared) { () async throws(Failure) in try body() }
    }

    private func begin(_ group: Group, _ address: ClientAddress?) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                if state.queues[group] == nil { state.turns.append(group) }
                state.queues[group, default: Queue()].append(continuation, address)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let group = state.turns.popFirst(), let next = state.queues[group]?.next() else {
                state.free += 1
                return nil
            }
            if state.queues[group]?.waiters.isEmpty == true {
                state.queues[group] = nil
            } else {
                state.turns.append(group)
            }
            return next
        }
        next?.resume()
    }
}
