/// What a connection does, as far as it matters for whether it can make room for a new one.
enum ConnectionActivity: Equatable {
    /// No complete request waits for its response.
    case idle
    /// A request is being worked on, or its client reads the response quickly.
    case busy
    /// The responses wait only for the client to read them. It has read so many bytes per second lately.
    case heldUp(pace: Int)

    var canMakeRoom: Bool { self != .busy }
}

/// The open connections of all clients, with those that can make room for a new one.
///
/// Every operation takes constant time on average, however many connections there are. Only finding the slowest reader
/// takes time for each such connection of one client.
struct OpenConnections<Connection: Sendable>: Sendable {
    private struct Entry {
        let connection: Connection
        /// The client, or `nil` if its connections are only counted.
        let client: Int?
        var activity = ConnectionActivity.busy
        /// The time from which on the connection counts as idle if it has had no complete request, or `nil` after that.
        var graceEnd: ContinuousClock.Instant?
    }

    private struct Client {
        let address: ClientAddress
        /// The anchor of the ring of its idle connections, of which the one that has been idle longest comes first.
        let idle: Int
        /// The anchor of the ring of its connections that it holds up, in the order in which that began.
        let heldUp: Int
        var open = 0
        /// The number of its connections that are idle or held up.
        var spare = 0
    }

    private let grace: Duration
    private let graceConnections: Int
    private var entries = Rings<Entry>()
    private var clients = Rings<Client>()
    private var clientIDs: [ClientAddress: Int] = [:]
    /// The anchor of the ring of new connections, of which the oldest comes first.
    private let newcomers: Int
    /// The anchors of the rings of the clients that have 0, 1, 2... connections that are idle or held up.
    private var anchors: [Int] = []
    /// The most idle or held up connections that any client has.
    private var most = 0
    private(set) var count = 0

    /// Creates an empty collection.
    ///
    /// - Parameters:
    ///   - grace: the time that a new connection has for its first request before it counts as idle.
    ///   - connections: the number of open connections up to which those of a client have that time.
    init(grace: Duration, upTo connections: Int) {
        self.grace = grace
        graceConnections = connections
        newcomers = entries.add(nil)
    }

    func count(of address: ClientAddress) -> Int {
        clientIDs[address].map { count(of: $0) } ?? 0
    }

    private func count(of client: Int) -> Int { clients[client]?.open ?? 0 }

    /// The number of a client's connections that are idle or held up.
    func spareCount(of address: ClientAddress) -> Int {
        clientIDs[address].flatMap { clients[$0]?.spare } ?? 0
    }

    /// The client with the most open connections, and their number. This takes time for each client.
    var fullest: (client: ClientAddress, count: Int)? {
        let fullest = clientIDs.values.compactMap { clients[$0] }.max { $0.open < $1.open }
        return fullest.map { ($0.address, $0.open) }
    }

    /// Adds a new connection, and returns its number.
    ///
    /// - Parameter address: the client; the connections of `nil` never make room.
    mutating func add(_ connection: Connection, of address: ClientAddress?, at now: ContinuousClock.Instant) -> Int {
        count += 1
        let client = address.map { clientIDs[$0] ?? addClient($0) }
        let id = entries.add(Entry(connection: connection, client: client, graceEnd: now + grace))
        if let client {
            clients[client]?.open += 1
            entries.move(id, before: newcomers)
            if count(of: client) > graceConnections { set(id, .idle) }
        }
        return id
    }

    private mutating func addClient(_ address: ClientAddress) -> Int {
        let client = clients.add(Client(address: address, idle: entries.add(nil), heldUp: entries.add(nil)))
        clientIDs[address] = client
        return client
    }

    mutating func remove(_ id: Int) {
        set(id, .busy)
        let index = entries[id]?.client
        entries.remove(id)
        count -= 1
        guard let index else { return }
        clients[index]?.open -= 1
        guard let client = clients[index], client.open == 0 else { return }
        clientIDs[client.address] = nil
        entries.remove(client.idle)
        entries.remove(client.heldUp)
        clients.remove(index)
    }

    /// Notes what a connection does now.
    mutating func set(_ id: Int, _ activity: ConnectionActivity) {
        guard let entry = entries[id], let index = entry.client, let client = clients[index],
            entry.activity != activity || entry.graceEnd != nil
        else { return }
        entries[id]?.activity = activity
        entries[id]?.graceEnd = nil
        switch (entry.activity, activity) {
        case (.heldUp, .heldUp): break
        case (_, .idle): entries.move(id, before: client.idle)
        case (_, .heldUp): entries.move(id, before: client.heldUp)
        case (_, .busy): entries.isolate(id)
        }
        let change = (activity.canMakeRoom ? 1 : 0) - (entry.activity.canMakeRoom ? 1 : 0)
        if change != 0 { rank(index, spare: client.spare + change) }
    }

    private mutating func rank(_ index: Int, spare: Int) {
        clients[index]?.spare = spare
        while anchors.count <= spare { anchors.append(clients.add(nil)) }
        clients.move(index, before: anchors[spare])
        most = max(most, spare)
        while most > 0, clients.next(anchors[most]) == anchors[most] { most -= 1 }
    }

    /// Returns the connection that makes room for another one, and its client.
    ///
    /// It is one of the client with the most idle and held up connections: the one that has been idle longest, or if
    /// none is idle, the one that reads slowest. The first connections of a client have time to send a request, unless
    /// there is no other. The connection counts as busy afterwards, so the next call returns another one.
    mutating func takeSpare(
        at now: ContinuousClock.Instant
    ) -> (connection: Connection, client: ClientAddress)? {
        endGrace { $0 <= now }
        if most == 0 { endGrace { _ in true } }
        guard most > 0, let client = clients[clients.next(anchors[most])] else { return nil }
        let longestIdle = entries.next(client.idle)
        let id = longestIdle != client.idle ? longestIdle : slowest(of: client.heldUp)
        set(id, .busy)
        return entries[id].map { ($0.connection, client.address) }
    }

    private mutating func endGrace(_ isOver: (ContinuousClock.Instant) -> Bool) {
        while case let id = entries.next(newcomers), id != newcomers, let end = entries[id]?.graceEnd, isOver(end) {
            set(id, .idle)
        }
    }

    private func slowest(of anchor: Int) -> Int {
        var slowest = (id: anchor, pace: Int.max)
        var id = entries.next(anchor)
        while id != anchor {
            if case .heldUp(let pace)? = entries[id]?.activity, pace < slowest.pace { slowest = (id, pace) }
            id = entries.next(id)
        }
        return slowest.id
    }
}

/// Numbered values that form rings. Each value knows its neighbors, so it can be moved in constant time.
struct Rings<Value: Sendable>: Sendable {
    private struct Node {
        /// The value, or `nil` for an anchor, which marks where a ring begins.
        var value: Value?
        var previous: Int
        var next: Int
    }

    private var nodes: [Node] = []
    private var free: [Int] = []

    subscript(id: Int) -> Value? {
        get { nodes[id].value }
        _modify { yield &nodes[id].value }
    }

    /// Adds a value in a ring of its own, and returns its number.
    mutating func add(_ value: Value?) -> Int {
        let id = free.popLast() ?? nodes.count
        let node = Node(value: value, previous: id, next: id)
        if id < nodes.count { nodes[id] = node } else { nodes.append(node) }
        return id
    }

    mutating func remove(_ id: Int) {
        isolate(id)
        nodes[id].value = nil
        free.append(id)
    }

    /// Returns the next one in the ring, which is the same one if it is alone.
    func next(_ id: Int) -> Int { nodes[id].next }

    /// Moves a value to another ring or place.
    mutating func move(_ id: Int, before other: Int) {
        isolate(id)
        let previous = nodes[other].previous
        (nodes[id].previous, nodes[id].next) = (previous, other)
        nodes[previous].next = id
        nodes[other].previous = id
    }

    /// Moves a value to a ring of its own.
    mutating func isolate(_ id: Int) {
        let (previous, next) = (nodes[id].previous, nodes[id].next)
        nodes[previous].next = next
        nodes[next].previous = previous
        (nodes[id].previous, nodes[id].next) = (id, id)
    }
}
