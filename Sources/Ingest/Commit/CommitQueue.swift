import DequeModule

/// What waits to be stored, and what may come in: decided without clock or database.
struct CommitQueue<Waiter> {
    /// Where a request waits. What may have to wait for a transaction of others has a line of its own, and doesn't hold
    /// up the rest.
    enum Lane: Int, CaseIterable {
        case normal, retry
    }

    struct Entry {
        let pending: PendingSubmission
        let deadline: ContinuousClock.Instant
        let waiter: Waiter
    }

    private var lanes: [Deque<Entry>] = Lane.allCases.map { _ in [] }
    private(set) var events = 0
    private(set) var isClosed = false
    private let capacity: Int
    private let groupSize: Int

    /// - Parameters:
    ///   - capacity: events that may wait.
    ///   - groupSize: events in a group, at which no further request is added.
    init(capacity: Int, groupSize: Int) {
        self.capacity = capacity
        self.groupSize = groupSize
    }

    var requests: Int { lanes.reduce(0) { $0 + $1.count } }
    var isEmpty: Bool { lanes.allSatisfy(\.isEmpty) }

    /// Lets a request wait, or says why it can't.
    mutating func add(_ entry: Entry, to lane: Lane = .normal) -> SinkError? {
        if isClosed { return .draining }
        guard events + entry.pending.weight <= capacity || isEmpty else { return .overloaded }
        lanes[lane.rawValue].append(entry)
        events += entry.pending.weight
        return nil
    }

    /// The oldest requests of a line, as many as make a group, and those that waited too long for it.
    ///
    /// - Parameter size: instead of a group's usual size.
    mutating func takeGroup(
        from lane: Lane = .normal, at now: ContinuousClock.Instant, size limit: Int? = nil
    ) -> (group: [Entry], late: [Entry]) {
        let limit = limit ?? groupSize
        var group: [Entry] = []
        var late: [Entry] = []
        var size = 0
        while let first = lanes[lane.rawValue].first {
            let isLate = first.deadline <= now
            guard isLate || group.isEmpty || size + first.pending.weight <= limit else { break }
            lanes[lane.rawValue].removeFirst()
            events -= first.pending.weight
            if isLate {
                late.append(first)
            } else {
                size += first.pending.weight
                group.append(first)
            }
        }
        return (group, late)
    }

    /// Nothing comes in from here on; what waits can still be taken.
    mutating func close() {
        isClosed = true
    }
}
