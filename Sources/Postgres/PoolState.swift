/// Decides which borrowers get a connection, wait or are refused, without tasks or sockets.
///
/// The pool has `size` slots. A slot is lent with a connection, or empty, in which case the borrower opens one.
///
/// Borrowers can belong to owners, such as apps. An owner has at most `ownerLimit` slots and half of the places in the
/// queue, so that its slow statements don't make all others wait or be refused. A slot that becomes free goes to the
/// owner that has the fewest, and among these to the one whose last turn was the longest ago, so that one with many
/// waiters doesn't delay others. If the queue is full, a newcomer takes the place of the newest waiter of the owner
/// that has the most, so that a few owners can't fill the queue for all others.
///
/// Borrowers without an owner share the places and the turns of one owner. They have no limit, and count as having no
/// slot while they wait, so they come before owners that have some. They are the program itself, and look-ups whose
/// owner is not known yet.
struct PoolState<Resource: Sendable> {
    enum Acquisition {
        case use(Resource)
        case open
        case wait
        /// The borrower waits in the place of another waiter, which is refused.
        case displace(waiter: Int)
        case refuse(Refusal)
    }

    enum Refusal { case closed, tooManyWaiting }

    enum Release {
        case none
        case close(Resource)
        /// The slot goes to a waiter, with a connection or empty.
        case grant(waiter: Int, Resource?)
    }

    private struct Waiter {
        let owner: Int32?
        /// The neighbors in the line of the owner.
        var previous: Int?
        var next: Int?
    }

    /// The waiters of an owner, linked in order of arrival.
    private struct Line {
        var oldest: Int
        var newest: Int
        var count: Int
    }

    let size: Int
    let waitLimit: Int
    private let ownerLimit: Int
    private var lentByOwner: [Int32: Int] = [:]
    private(set) var idle: [Resource] = []
    private(set) var lent = 0
    private var waiting: [Int: Waiter] = [:]
    private var lines: [Int32?: Line] = [:]
    /// The number of each owner's last turn while others waited.
    private var lastTurns: [Int32?: Int] = [:]
    private var turns = 0
    private(set) var isClosed = false

    init(size: Int, waitLimit: Int, ownerLimit: Int = .max) {
        self.size = max(size, 1)
        self.waitLimit = waitLimit
        self.ownerLimit = max(ownerLimit, 1)
    }

    /// The numbers of the waiters, in order of arrival.
    var waiters: [Int] { self.waiting.keys.sorted() }

    var waiterCount: Int { self.waiting.count }

    /// Lends a slot, or adds the borrower to the queue.
    ///
    /// - Parameter waiter: The borrower's number, which identifies it in the queue. It is higher than all before.
    mutating func acquire(waiter: Int, owner: Int32? = nil) -> Acquisition {
        guard !self.isClosed else { return .refuse(.closed) }
        if self.lent < self.size, self.mayLend(to: owner) {
            self.lend(to: owner)
            return self.idle.popLast().map { .use($0) } ?? .open
        }
        guard self.mayWait(owner) else { return .refuse(.tooManyWaiting) }
        guard self.waiting.count >= self.waitLimit else {
            self.append(waiter, owner)
            return .wait
        }
        guard let displaced = self.displaceable(by: owner) else { return .refuse(.tooManyWaiting) }
        _ = self.remove(displaced)
        self.append(waiter, owner)
        return .displace(waiter: displaced)
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
        if !self.isClosed, let number = self.nextWaiter(), let waiter = self.remove(number) {
            self.lend(to: waiter.owner)
            return .grant(waiter: number, resource)
        }
        guard let resource else { return .none }
        if self.isClosed { return .close(resource) }
        self.idle.append(resource)
        return .none
    }

    /// Removes a waiter from the queue; returns false if it is not there any more.
    mutating func leave(waiter: Int) -> Bool { self.remove(waiter) != nil }

    /// Refuses further borrowers; returns the connections to close and the waiters to resume with an error.
    mutating func close() -> (idle: [Resource], waiters: [Int]) {
        let closed = (idle: self.idle, waiters: self.waiters)
        self.isClosed = true
        self.idle = []
        self.waiting = [:]
        self.lines = [:]
        return closed
    }

    private mutating func append(_ number: Int, _ owner: Int32?) {
        if let line = self.lines[owner] {
            self.waiting[line.newest]?.next = number
            self.waiting[number] = Waiter(owner: owner, previous: line.newest)
            self.lines[owner] = Line(oldest: line.oldest, newest: number, count: line.count + 1)
        } else {
            self.waiting[number] = Waiter(owner: owner)
            self.lines[owner] = Line(oldest: number, newest: number, count: 1)
        }
    }

    private mutating func remove(_ number: Int) -> Waiter? {
        guard let waiter = self.waiting.removeValue(forKey: number) else { return nil }
        if let previous = waiter.previous { self.waiting[previous]?.next = waiter.next }
        if let next = waiter.next { self.waiting[next]?.previous = waiter.previous }
        if let line = self.lines[waiter.owner], line.count > 1 {
            self.lines[waiter.owner] = Line(
                oldest: line.oldest == number ? waiter.next ?? line.oldest : line.oldest,
                newest: line.newest == number ? waiter.previous ?? line.newest : line.newest,
                count: line.count - 1)
        } else {
            self.lines.removeValue(forKey: waiter.owner)
        }
        return waiter
    }

    /// The waiter to which a free slot goes, if one of them may have it.
    private func nextWaiter() -> Int? {
        self.lines.filter { self.mayLend(to: $0.key) }
            .min { self.rank($0.key, $0.value) < self.rank($1.key, $1.value) }?.value.oldest
    }

    /// The owner with the lowest rank is the next one.
    private func rank(_ owner: Int32?, _ line: Line) -> (Int, Int, Int) {
        (owner.map { self.lentByOwner[$0] ?? 0 } ?? 0, self.lastTurns[owner] ?? 0, line.oldest)
    }

    /// The newest waiter of the owner that has the most, unless the newcomer's owner would then have more than that.
    private func displaceable(by owner: Int32?) -> Int? {
        let longest = self.lines.values.max { ($0.count, $0.newest) < ($1.count, $1.newest) }
        guard let longest, (self.lines[owner]?.count ?? 0) + 1 < longest.count else { return nil }
        return longest.newest
    }

    private func mayWait(_ owner: Int32?) -> Bool {
        guard let owner else { return true }
        return (self.lines[owner]?.count ?? 0) < max(1, self.waitLimit / 2)
    }

    private func mayLend(to owner: Int32?) -> Bool {
        owner.map { self.lentByOwner[$0, default: 0] < self.ownerLimit } ?? true
    }

    private mutating func lend(to owner: Int32?) {
        self.lent += 1
        if let owner { self.lentByOwner[owner, default: 0] += 1 }
        if self.waiting.isEmpty {
            self.lastTurns = [:]
        } else {
            self.turns += 1
            self.lastTurns[owner] = self.turns
        }
    }
}
