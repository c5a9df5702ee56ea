/// The open connections of all clients, with the order in which the idle ones became idle.
///
/// Every operation takes constant time on average, however many connections there are.
struct OpenConnections<Connection: Sendable>: Sendable {
    private struct Entry {
        let connection: Connection
        /// The client, or `nil` if its connections are only counted.
        let client: Int?
        var isIdle = false
    }

    private struct Client {
        let address: ClientAddress
        /// The anchor of the ring of its idle connections, of which the one that has been idle longest comes first.
        let anchor: Int
        var open = 0
        var idle = 0
    }

    private var entries = Rings<Entry>()
    private var clients = Rings<Client>()
    private var clientIDs: [ClientAddress: Int] = [:]
    /// The anchors of the rings of the clients that have 0, 1, 2... idle connections.
    private var anchors: [Int] = []
    /// The most idle connections that any client has.
    private var mostIdle = 0
    private(set) var count = 0

    func count(of address: ClientAddress) -> Int {
        clientIDs[address].flatMap { clients[$0]?.open } ?? 0
    }

    /// Adds a connection, which is idle at first, and returns its number.
    ///
    /// - Parameter address: the client; the connections of `nil` are never returned as idle.
    mutating func add(_ connection: Connection, of address: ClientAddress?) -> Int {
        count += 1
        let client = address.map { clientIDs[$0] ?? addClient($0) }
        let id = entries.add(Entry(connection: connection, client: client))
        if let client { clients[client]?.open += 1 }
        setIdle(id, true)
        return id
    }

    private mutating func addClient(_ address: ClientAddress) -> Int {
        let client = clients.add(Client(address: address, anchor: entries.add(nil)))
        clientIDs[address] = client
        return client
    }

    mutating func remove(_ id: Int) {
        setIdle(id, false)
        let index = entries[id]?.client
        entries.remove(id)
        count -= 1
        guard let index else { return }
        clients[index]?.open -= 1
        guard let client = clients[index], client.open == 0 else { return }
        clientIDs[client.address] = nil
        entries.remove(client.anchor)
        clients.remove(index)
    }

    /// Notes that a connection became idle, or that it has a request now.
    mutating func setIdle(_ id: Int, _ isIdle: Bool) {
        guard let entry = entries[id], entry.isIdle != isIdle, let index = entry.client else { return }
        entries[id]?.isIdle = isIdle
        clients[index]?.idle += isIdle ? 1 : -1
        guard let client = clients[index] else { return }
        if isIdle { entries.move(id, before: client.anchor) } else { entries.isolate(id) }
        while anchors.count <= client.idle { anchors.append(clients.add(nil)) }
        clients.move(index, before: anchors[client.idle])
        mostIdle = max(mostIdle, client.idle)
        while mostIdle > 0, clients.next(anchors[mostIdle]) == anchors[mostIdle] { mostIdle -= 1 }
    }

    /// Returns the connection that has been idle longest of the client with the most idle connections, and the client.
    ///
    /// The connection no longer counts as idle, so the next call returns another one.
    mutating func takeLongestIdle() -> (connection: Connection, client: ClientAddress)? {
        guard mostIdle > 0, let client = clients[clients.next(anchors[mostIdle])] else { return nil }
        let id = entries.next(client.anchor)
        setIdle(id, false)
        return entries[id].map { ($0.connection, client.address) }
    }
}

/// Numbered values that form rings. Each value knows its neighbours, so it can be moved in constant time.
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
