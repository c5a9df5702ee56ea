/// Who gets a connection, who waits, who is turned away: the pool's decisions, without tasks or sockets.
///
/// `size` slots; a slot is lent with a connection in it, or empty for its holder to open one.
struct PoolState<Resource: Sendable> {
    enum Acquisition {
        case use(Resource)
        case open
        case wait
        case refuse(Refusal)
    }

    enum Refusal { case closed, tooManyWaiting }

    enum Release {
        case none
        case close(Resource)
        /// The waiter's turn has come, with a connection or with an empty slot.
        case grant(waiter: Int, Resource?)
    }

    let size: Int
    let waitLimit: Int
    private(set) var idle: [Resource] = []
    private(set) var lent = 0
    /// In order of arrival.
    private(set) var waiters: [Int] = []
    private(set) var isClosed = false

    init(size: Int, waitLimit: Int) {
        self.size = max(size, 1)
        self.waitLimit = waitLimit
    }

    /// - Parameter waiter: the caller's number, to wait under.
    mutating func acquire(waiter: Int) -> Acquisition {
        guard !self.isClosed else { return .refuse(.closed) }
        guard self.lent == self.size else {
            self.lent += 1
            return self.idle.popLast().map { .use($0) } ?? .open
        }
        guard self.waiters.count < self.waitLimit else { return .refuse(.tooManyWaiting) }
        self.waiters.append(waiter)
        return .wait
    }

    /// Another idle connection for a slot whose own turned out to be broken.
    mutating func replacement() -> Resource? { self.idle.popLast() }

    /// All idle connections, to be closed.
    mutating func takeIdle() -> [Resource] {
        defer { self.idle = [] }
        return self.idle
    }

    /// - Parameter resource: nil if it is broken, or was never opened.
    mutating func release(_ resource: Resource?) -> Release {
        if !self.isClosed, !self.waiters.isEmpty {
            return .grant(waiter: self.waiters.removeFirst(), resource)
        }
        self.lent -= 1
        guard let resource else { return .none }
        if self.isClosed { return .close(resource) }
        self.idle.append(resource)
        return .none
    }

    /// Takes a waiter out of the queue; false if its turn had come already.
    mutating func leave(waiter: Int) -> Bool {
        guard let index = self.waiters.firstIndex(of: waiter) else { return false }
        self.waiters.remove(at: index)
        return true
    }

    /// Turns everyone away from now on; returns the connections to close and the waiters to tell.
    mutating func close() -> (idle: [Resource], waiters: [Int]) {
        self.isClosed = true
        defer { (self.idle, self.waiters) = ([], []) }
        return (self.idle, self.waiters)
    }
}
