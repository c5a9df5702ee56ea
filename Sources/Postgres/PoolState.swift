/// Decides which borrowers get a connection, wait or are refused, without tasks or sockets.
///
/// The pool has `size` slots. A slot is lent with a connection, or empty, in which case the borrower opens one.
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
        /// The slot goes to a waiter, with a connection or empty.
        case grant(waiter: Int, Resource?)
    }

    let size: Int
    let waitLimit: Int
    private(set) var idle: [Resource] = []
    private(set) var lent = 0
    /// The waiters' numbers in order of arrival.
    private(set) var waiters: [Int] = []
    private(set) var isClosed = false

    init(size: Int, waitLimit: Int) {
        self.size = max(size, 1)
        self.waitLimit = waitLimit
    }

    /// Lends a slot, or adds the borrower to the queue.
    ///
    /// - Parameter waiter: The borrower's number, which identifies it in the queue.
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

    /// Removes and returns an idle connection for a lent slot whose connection is broken.
    mutating func replacement() -> Resource? { self.idle.popLast() }

    /// Removes and returns all idle connections, which the caller closes.
    mutating func takeIdle() -> [Resource] {
        defer { self.idle = [] }
        return self.idle
    }

    /// Returns a slot to the pool.
    ///
    /// - Parameter resource: The connection, or `nil` if it is broken or was never opened.
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

    /// Removes a waiter from the queue; returns false if it already has a slot.
    mutating func leave(waiter: Int) -> Bool {
        guard let index = self.waiters.firstIndex(of: waiter) else { return false }
        self.waiters.remove(at: index)
        return true
    }

    /// Refuses further borrowers; returns the connections to close and the waiters to resume with an error.
    mutating func close() -> (idle: [Resource], waiters: [Int]) {
        self.isClosed = true
        defer { (self.idle, self.waiters) = ([], []) }
        return (self.idle, self.waiters)
    }
}
