import DequeModule

/// What waits to be stored, and what may come in: decided without clock or database.
struct CommitQueue<Waiter> {
    struct Entry {
        let pending: PendingSubmission
        let deadline: ContinuousClock.Instant
        let waiter: Waiter
    }

    private var entries: Deque<Entry> = []
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

    var requests: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    /// Lets a request wait, or says why it can't.
    mutating func add(_ entry: Entry) -> SinkError? {
        if isClosed { return .draining }
        guard events + entry.pending.weight <= capacity || entries.isEmpty else { return .overloaded }
        entries.append(entry)
        events += entry.pending.weight
        return nil
    }

    /// The oldest requests, as many as make a group, and those that waited too long for it.
    mutating func takeGroup(at now: ContinuousClock.Instant) -> (group: [Entry], late: [Entry]) {
        var group: [Entry] = []
        var late: [Entry] = []
        var size = 0
        while let first = entries.first {
            let isLate = first.deadline <= now
            guard isLate || group.isEmpty || size + first.pending.weight <= groupSize else { break }
            entries.removeFirst()
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
