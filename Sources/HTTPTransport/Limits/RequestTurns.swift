import HTTPTypes
import NIOCore
import Synchronization

/// Bounds how many requests of one client are worked on at the same time.
///
/// Threads do first what comes first. If a client sends thousands of requests at once, those of all others come after
/// them. With this bound, most of its requests wait here, and others come after a few of them.
///
/// The fewer, the better, because an event loop runs all its tasks before it looks at its sockets again, and each request
/// that ends adds tasks of the next one. While a client had 1,000 requests at once over HTTP/2, on two processors with a
/// debug build, others waited for 2 to 3 s without a bound, with 16 places for up to 1.1 s, and with 4 for 30 ms, at most
/// 0.26 s. With 4, a client with 64 connections that each send one event at a time has 0.7 to 1.0 of its throughput.
final class RequestTurns: Sendable {
    private struct Entry {
        let client: ClientAddress
        var isWaiting: Bool
        let begin: @Sendable () -> Void
    }

    private struct Client {
        var places = 0
        /// The anchor of the ring of its requests that wait, the oldest first.
        let waiting: Int
    }

    private struct State {
        var entries = Rings<Entry>()
        /// The clients of which a request has a place.
        var clients: [ClientAddress: Client] = [:]
    }

    /// The requests of a client that are worked on at the same time.
    private let places: Int
    private let exempt: [AddressList]
    private let address: @Sendable (_ peer: ClientAddress, HTTPFields) -> ClientAddress
    /// Calls a function on an event loop once the tasks and events that wait now have had their turn.
    let afterOthers: @Sendable (any EventLoop, _ action: @escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())

    /// Creates a bound without requests.
    ///
    /// - Parameters:
    ///   - places: the requests of a client that are worked on at the same time, by default two for each processor.
    ///   - exempt: networks without a bound, such as the operator's own.
    ///   - address: finds the address of a request's client, which can be behind a proxy.
    ///   - afterOthers: see the property; tests replace it, because their event loops have one thread.
    init(
        places: Int = 2 * System.coreCount, exempt: [AddressList] = [],
        address: @escaping @Sendable (_ peer: ClientAddress, HTTPFields) -> ClientAddress = { peer, _ in peer },
        afterOthers: @escaping @Sendable (any EventLoop, @escaping @Sendable () -> Void) -> Void = {
            eventLoop, action in
            Task { eventLoop.execute(action) }
        }
    ) {
        self.places = places
        self.exempt = exempt
        self.address = address
        self.afterOthers = afterOthers
    }

    /// Returns whose request it is, or `nil` if it isn't bounded.
    func client(_ peer: ClientAddress, _ headers: HTTPFields) -> ClientAddress? {
        exempt.subscriber(of: address(peer, headers))
    }

    /// Asks for a place, which is given back with `leave`.
    ///
    /// - Parameter begin: called when the request gets its place, unless it has it at once.
    func enter(_ address: ClientAddress, _ begin: @escaping @Sendable () -> Void) -> (id: Int, waits: Bool) {
        state.withLock { state in
            var client = state.clients[address] ?? Client(waiting: state.entries.add(nil))
            let waits = client.places >= places
            let id = state.entries.add(Entry(client: address, isWaiting: waits, begin: begin))
            if waits { state.entries.move(id, before: client.waiting) } else { client.places += 1 }
            state.clients[address] = client
            return (id, waits)
        }
    }

    /// Gives a place back, which the client's oldest waiting request gets, or stops waiting for one.
    func leave(_ id: Int) {
        let next: Entry? = state.withLock { state in
            guard let entry = state.entries[id], var client = state.clients[entry.client] else { return nil }
            state.entries.remove(id)
            if entry.isWaiting { return nil }
            let next = state.entries.next(client.waiting)
            if let waiting = state.entries[next] {
                state.entries.isolate(next)
                state.entries[next]?.isWaiting = false
                return waiting
            }
            client.places -= 1
            state.clients[entry.client] = client.places > 0 ? client : nil
            if client.places == 0 { state.entries.remove(client.waiting) }
            return nil
        }
        next?.begin()
    }
}
