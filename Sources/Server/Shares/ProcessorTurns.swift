import DequeModule
import Executors
import Foundation
import HTTPTransport
import Synchronization

/// Bounds how many processors are busy with reading bodies, and divides their time among clients.
///
/// Reading a large body takes as long as its sender likes, whatever key it has, so it is done on threads of their own.
/// The time there is divided evenly among the apps that wait, each once for its public clients and once for those with a
/// secret key; then among the addresses of the public clients. So in each step of reading a body, a client whose group has
/// used little time waits for at most the step that another body is in. Clients that wait hold their share of the memory
/// for bodies, so no other bound is needed.
final class ProcessorTurns: Sendable {
    /// The clients that together have an equal part of the time.
    private struct Group: Hashable {
        /// The app, or `nil` while the key is not known, because it is in the body.
        let app: Int32?
        let isPublic: Bool
    }

    /// The clients of a group that share its time. Those with a secret key have no address, because they are the servers
    /// of one owner.
    private struct Client: Hashable {
        let group: Group
        let address: ClientAddress?

        init(group: Group, address: ClientAddress?) {
            self.group = group
            self.address = address
        }

        init(_ client: ResourceClient) {
            self.init(
                group: Group(app: client.appID, isPublic: client.isPublic),
                address: client.isPublic ? client.address : nil)
        }
    }

    private struct State {
        var free: Int
        var groups = FairTurns<Group>()
        var addresses: [Group: FairTurns<ClientAddress?>] = [:]
        var waiters: [Client: Deque<CheckedContinuation<Void, Never>>] = [:]

        mutating func wait(_ client: Client, _ waiter: CheckedContinuation<Void, Never>) {
            groups.wait(client.group)
            addresses[client.group, default: FairTurns()].wait(client.address)
            waiters[client, default: []].append(waiter)
        }
    }

    /// The size of a body that is read at once. Reading it takes about as long as the rest of a request.
    private static let largestAtOnce = 32 * 1024

    private let count: Int
    private let executor: BusyExecutor
    private let state: Mutex<State>

    /// Creates turns at the machine's processors.
    ///
    /// - Parameters:
    ///   - count: The processors that may be busy at once, by default all but one.
    ///   - executor: The threads that read.
    init(count: Int = ProcessInfo.processInfo.activeProcessorCount - 1, executor: BusyExecutor = .shared) {
        self.count = max(1, count)
        self.executor = executor
        state = Mutex(State(free: self.count))
    }

    /// The number of processors that are not busy.
    var free: Int { state.withLock { $0.free } }

    /// The number of bodies that wait for their turn.
    var waiting: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

    /// Whether a body of this size is read at once.
    static func readsAtOnce(_ size: Int) -> Bool { size <= largestAtOnce }

    /// Reads a body: a small one at once, a large one when it is the client's turn.
    func read<Result, Failure: Error>(
        _ size: Int, for client: ResourceClient, _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard !Self.readsAtOnce(size) else { return try body() }
        return try await run(for: client, body)
    }

    /// Runs a body when it is the client's turn.
    func run<Result, Failure: Error>(
        for client: ResourceClient, _ body: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let client = Client(client)
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.wait(client, continuation)
                return next(&state)
            }?.resume()
        }
        var time = Duration.zero
        defer { end(client, time) }
        return try await withTaskExecutorPreference(executor) { () async throws(Failure) in
            let start = ContinuousClock.now
            defer { time = ContinuousClock.now - start }
            return try body()
        }
    }

    /// Takes a processor for the client whose turn it is, or returns `nil` if none is free or no client waits.
    private func next(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        guard state.free > 0, let group = state.groups.next(), let address = state.addresses[group]?.next() else {
            return nil
        }
        let client = Client(group: group, address: address)
        let waiter = state.waiters[client]?.popFirst()
        if state.waiters[client]?.isEmpty == true { state.waiters[client] = nil }
        state.free -= 1
        return waiter
    }

    private func end(_ client: Client, _ time: Duration) {
        state.withLock { state in
            state.free += 1
            state.groups.charge(time, to: client.group)
            state.addresses[client.group]?.charge(time, to: client.address)
            // Time that was used while others were not waiting no longer matters.
            if state.free == count, state.groups.isEmpty { state = State(free: count) }
            return next(&state)
        }?.resume()
    }
}
