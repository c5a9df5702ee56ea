/// Decides which borrowers get a connection, wait or are refused, without tasks or sockets.
///
/// The pool has `size` slots. A slot is lent with a connection, or empty, in which case the borrower opens one.
///
/// Borrowers can belong to owners, such as apps. An owner has at most `ownerLimit` slots and half of the places in the
/// queue, so that its slow statements don't make all others wait or be refused. A slot that becomes free goes to the owner
/// that has the fewest, so that one with many waiters doesn't delay others. Borrowers without an owner have no limit, and
/// count as having no slot while they wait, so they come before owners that have some. They are the program itself, and
/// look-ups whose owner is not known yet.
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
    private let ownerLimit: Int
    private var lentByOwner: [Int32: Int] = [:]
    private(set) var idle: [Resource] = []
    private(set) var lent = 0
    /// The waiters in order of arrival.
    private(set) var waiters: [(number: Int, owner: Int32?)] = []
    private(set) var isClosed = false

    init(size: Int, waitLimit: Int, ownerLimit: Int = .max) {
        self.size = max(size, 1)
        self.waitLimit = waitLimit
        self.ownerLimit = max(ownerLimit, 1)
    }

    /// Lends a slot, or adds the borrower to the queue.
    ///
    /// - Parameter waiter: The borrower's number, which identifies it in the queue.
    mutating func acquire(waiter: Int, owner: Int32? = nil) -> Acquisition {
        guard !self.isClosed else { return .refuse(.closed) }
        if self.lent < self.size, self.mayLend(to: owner) {
            self.lend(to: owner)
            return self.idle.popLast().map { .use($0) } ?? .open
        }
        guard self.waiters.count < self.waitLimit, self.mayWait(owner) else { return .refuse(.tooManyWaiting) }
        self.waiters.append((waiter, owner))
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
    /// - Parameters:
    ///   - resource: The connection, or `nil` if it is broken or was never opened.
    ///   - owner: The owner that the borrower belongs to.
    mutating func release(_ resource: Resource?, owner: Int32? = nil) -> Release {
        self.lent -= 1
        if let owner, let count = self.lentByOwner[owner] { self.lentByOwner[owner] = count > 1 ? count - 1 : nil }
        if !self.isClosed, let index = self.nextWaiter() {
            let waiter = self.waiters.remove(at: index)
            self.lend(to: waiter.owner)
            return .grant(waiter: waiter.number, resource)
        }
        guard let resource else { return .none }
        if self.isClosed { return .close(resource) }
        self.idle.append(resource)
        return .none
    }

    /// Removes a waiter from the queue; returns false if it already has a slot.
    mutating func leave(waiter: Int) -> Bool {
        guard let index = self.waiters.firstIndex(where: { $0.number == waiter }) else { return false }
        self.waiters.remove(at: index)
        return true
    }

    /// Refuses further borrowers; returns the connections to close and the waiters to resume with an error.
    mutating func close() -> (idle: [Resource], waiters: [Int]) {
        self.isClosed = true
        defer { (self.idle, self.waiters) = ([], []) }
        return (self.idle, self.waiters.map(\.number))
    }

    /// The oldest waiter of the owner that has the fewest slots, if it may have one.
    private func nextWaiter() -> Int? {
        self.waiters.indices.filter { self.mayLend(to: self.waiters[$0].owner) }
            .min { (self.lent(to: self.waiters[$0].owner), $0) < (self.lent(to: self.waiters[$1].owner), $1) }
    }

    private func lent(to owner: Int32?) -> Int { owner.map { self.lentByOwner[$0, default: 0] } ?? 0 }

    private func mayWait(_ owner: Int32?) -> Bool {
        guard let owner else { return true }
        return self.waiters.count { $0.owner == owner } < max(1, self.waitLimit / 2)
    }

    private func mayLend(to owner: Int32?) -> Bool {
        owner.map { self.lentByOwner[$0, default: 0] < self.ownerLimit } ?? true
    }

    private mutating func lend(to owner: Int32?) {
        self.lent += 1
        if let owner { self.lentByOwner[owner, default: 0] += 1 }
    }
}
