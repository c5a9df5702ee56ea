import DequeModule
import HTTPTransport
import Shares

/// The requests whose key was never found valid, and waits to be looked up: decides which keys the next query asks for.
///
/// Anyone can make up keys, so lookups must cost the database little. A made-up key looks like that of a new device or
/// of a log-in, and both can come from the same address. So this type does not limit how many keys an address looks up.
/// Requests wait here instead for queries that ask for many keys at once, in which the addresses take turns.
///
/// Only the number of waiting requests is bounded. One address can have half of the places, as many as it may open
/// connections, so a crowd there leaves places for other addresses, and over HTTP/1.1 also for the address itself.
struct KeyLookupQueue<Waiter> {
    private struct Request {
        let waiter: Waiter
        let claims: [FairShares<ClientAddress>.Claim]
    }

    /// The most keys of one query.
    private let batchSize: Int
    private var places: FairShares<ClientAddress>
    /// The requests by the hash of their key, also while it is looked up. Several can wait for the same key.
    private var requests: [[UInt8]: [Request]] = [:]
    /// The keys that no query has asked for yet.
    private var keys: [ClientAddress: Deque<[UInt8]>] = [:]
    /// The addresses with such keys, in the order of their turns.
    private var turns: Deque<ClientAddress> = []

    init(batchSize: Int = 64, capacity: Int = 2_048) {
        self.batchSize = batchSize
        places = FairShares(capacity: capacity)
    }

    /// The number of waiting requests.
    var count: Int { places.used }

    /// Adds a request, or throws if there is no place for it.
    ///
    /// - Parameter isExempt: whether the address can have all places.
    mutating func add(
        _ hash: [UInt8], _ waiter: Waiter, from address: ClientAddress, isExempt: Bool = false
    ) throws(FairShares<ClientAddress>.Refusal) {
        let address = address.subscriber
        let request = Request(
            waiter: waiter, claims: isExempt ? [] : [.init(holder: address, share: places.capacity / 2)])
        try places.take(1, for: request.claims)
        requests[hash, default: []].append(request)
        guard requests[hash]?.count == 1 else { return }
        if keys[address] == nil { turns.append(address) }
        keys[address, default: []].append(hash)
    }

    /// Returns the keys of the next query, or an empty array if none waits. The caller then calls `finish` for them.
    mutating func nextBatch() -> [[UInt8]] {
        var batch: [[UInt8]] = []
        while batch.count < batchSize, let address = turns.popFirst() {
            guard let hash = keys[address]?.popFirst() else { continue }
            batch.append(hash)
            if keys[address]?.isEmpty == false { turns.append(address) } else { keys[address] = nil }
        }
        return batch
    }

    /// Removes the requests that waited for a key, and returns them.
    mutating func finish(_ hash: [UInt8]) -> [Waiter] {
        let finished = requests.removeValue(forKey: hash) ?? []
        for request in finished { places.release(1, of: request.claims) }
        return finished.map(\.waiter)
    }

    /// Removes all requests, and returns them.
    mutating func finishAll() -> [Waiter] {
        turns = []
        keys = [:]
        return requests.keys.flatMap { finish($0) }
    }
}
