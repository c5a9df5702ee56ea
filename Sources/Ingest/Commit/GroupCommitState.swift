import DequeModule
import Events

/// The queue and the lanes of a `GroupCommitter`: decides what each lane does next, without a clock or a database.
///
/// A lone request is stored immediately. A group costs about the same for one event as for ten, so while few events wait,
/// the first lane keeps a minimum interval between groups, and the other lanes start only when the newest group has taken
/// longer than the grace period. While the rollups are behind, only the first lane stores, so that a flood of events
/// doesn't leave the rollups hours behind.
///
/// Storing rejected events can be slow: they are long, and each is a row. So can names that the collector doesn't know:
/// the database looks up and counts each one. So a group holds few bytes of both. A request with more is stored alone, and
/// only one such request at a time, so others don't wait.
///
/// Events that return after a failed group wait in a queue of their own and are stored by the retry lane, so that new
/// events never wait for them.
struct GroupCommitState<Waiter> {
    enum Lane: Hashable {
        /// Lanes for new events, numbered from 0.
        case normal(Int)
        case retry
    }

    enum Admission: Equatable {
        /// The request waits. The caller wakes the lane, if there is one.
        case queued(wake: Lane?)
        case refused(SinkError)
    }

    enum Action {
        /// Stores these as one group; the caller then reports the result with `finishGroup`.
        case store([Entry])
        /// Refuses these as overloaded, because they waited longer than `queueTimeout`.
        case fail([Entry])
        case sleep(until: ContinuousClock.Instant)
        /// Does nothing until `enqueue` or `close` wakes the lane.
        case waitForWake
        case stop
    }

    struct Entry {
        let pending: PendingSubmission
        /// The time at which the request is late, or `nil` if it can wait indefinitely.
        let deadline: ContinuousClock.Instant?
        let waiter: Waiter
        /// The size of what is slow to store: the request's rejected events, with their rows, and its new names.
        let slowBytes: Int

        init(
            _ pending: PendingSubmission, newNames: Int = 0, deadline: ContinuousClock.Instant?, _ waiter: Waiter
        ) {
            self.pending = pending
            self.deadline = deadline
            self.waiter = waiter
            self.slowBytes =
                pending.validated.rejections.reduce(0) { $0 + $1.storedBytes } + newNames * Self.bytesPerNewName
        }

        /// What a new name counts for: the database takes about 0.05 ms for it, or a fifth of that past its limit.
        private static var bytesPerNewName: Int { 256 }
    }

    /// The senders that take a turn together: those of an app with its public keys, or with its secret ones.
    private struct Sender: Hashable {
        let appID: Int32
        let isPublic: Bool
    }

    /// Waiting requests. The senders take turns, so that one with many requests doesn't delay the others.
    private struct Queue {
        /// The requests of each sender in the order of their arrival, so that their deadlines ascend.
        private var entries: [Sender: Deque<Entry>] = [:]
        /// The senders with requests, in the order of their turns.
        private var turns: Deque<Sender> = []
        private(set) var requests = 0
        private(set) var events = 0

        mutating func append(_ entry: Entry) {
            let sender = Sender(appID: entry.pending.appID, isPublic: entry.pending.isPublic)
            if entries[sender, default: []].isEmpty { turns.append(sender) }
            entries[sender, default: []].append(entry)
            requests += 1
            events += entry.pending.weight
        }

        /// Removes the late requests, or, if there are none, requests up to a group's size, in turns. A request that
        /// doesn't fit in the group keeps its turn.
        ///
        /// - Parameters:
        ///   - slowBytes: the size beyond which a request is stored alone.
        ///   - allowsLarge: whether a request may be taken that is stored alone.
        mutating func take(
            size: Int, slowBytes limit: Int, allowsLarge: Bool, at now: ContinuousClock.Instant
        ) -> (late: [Entry], group: [Entry]) {
            let late = removeLate(at: now)
            guard late.isEmpty else { return (late, []) }
            var group: [Entry] = []
            var weight = 0
            var slowBytes = 0
            var skipped: [Sender] = []
            while let sender = turns.popFirst() {
                guard let first = entries[sender]?.first else { continue }
                let fits =
                    group.isEmpty
                    ? allowsLarge || first.slowBytes <= limit
                    : weight + first.pending.weight <= size && slowBytes + first.slowBytes <= limit
                guard fits else {
                    skipped.append(sender)
                    continue
                }
                weight += first.pending.weight
                slowBytes += first.slowBytes
                group.append(first)
                if removeFirst(of: sender) { turns.append(sender) }
            }
            turns.prepend(contentsOf: skipped)
            return ([], group)
        }

        private mutating func removeLate(at now: ContinuousClock.Instant) -> [Entry] {
            var late: [Entry] = []
            for sender in turns {
                while let first = entries[sender]?.first, let deadline = first.deadline, deadline <= now {
                    late.append(first)
                    _ = removeFirst(of: sender)
                }
            }
            if !late.isEmpty { turns.removeAll { entries[$0] == nil } }
            return late
        }

        /// Removes a sender's oldest request, and returns whether there are more.
        private mutating func removeFirst(of sender: Sender) -> Bool {
            guard let index = entries.index(forKey: sender) else { return false }
            let entry = entries.values[index].removeFirst()
            requests -= 1
            events -= entry.pending.weight
            guard entries.values[index].isEmpty else { return true }
            entries.remove(at: index)
            return false
        }
    }

    private struct NormalLane {
        var isIdle = false
        /// Whether the lane has passed its pause and is about to store.
        var isAdmitted = false
        /// The start of the group that the lane has just stored.
        var lastGroup: ContinuousClock.Instant?
    }

    private let policy: GroupCommitPolicy
    private var isClosed = false
    private var normalQueue = Queue()
    private var retryQueue = Queue()
    private var normalLanes: [NormalLane]
    private var retryLaneIsIdle = false
    /// The most events of the retry lane's next group.
    private(set) var retryGroupSize: Int
    private var newestGroup: ContinuousClock.Instant
    /// The lane that stores a request which is slow to store.
    private var largeLane: Lane?
    private var inDoubt: InDoubtEvents

    init(_ policy: GroupCommitPolicy, at now: ContinuousClock.Instant) {
        self.policy = policy
        normalLanes = Array(repeating: NormalLane(), count: policy.lanes)
        retryGroupSize = policy.groupSize
        newestGroup = now
        inDoubt = InDoubtEvents(capacity: policy.capacity, period: policy.inDoubtPeriod)
    }

    var events: Int { normalQueue.events + retryQueue.events }
    var requests: Int { normalQueue.requests + retryQueue.requests }

    /// Adds a request to a queue, unless the queue is full or closed. An empty queue takes a request of any size.
    ///
    /// - Parameter newNames: how many of its names the collector doesn't know.
    mutating func enqueue(
        _ pending: PendingSubmission, newNames: Int = 0, _ waiter: Waiter, at now: ContinuousClock.Instant
    ) -> Admission {
        inDoubt.removeExpired(at: now)
        if isClosed { return .refused(.draining) }
        guard events + pending.weight <= policy.capacity || requests == 0 else { return .refused(.overloaded) }
        let entry = Entry(pending, newNames: newNames, deadline: policy.queueTimeout.map { now + $0 }, waiter)
        if inDoubt.contains(pending) {
            retryQueue.append(entry)
            defer { retryLaneIsIdle = false }
            return .queued(wake: retryLaneIsIdle ? .retry : nil)
        }
        normalQueue.append(entry)
        guard let idle = normalLanes.firstIndex(where: \.isIdle) else { return .queued(wake: nil) }
        normalLanes[idle].isIdle = false
        return .queued(wake: .normal(idle))
    }

    /// Decides what a lane does now.
    ///
    /// - Parameter isBehind: whether the rollups are behind; read only when it matters.
    mutating func nextAction(
        of lane: Lane, at now: ContinuousClock.Instant, isBehind: @autoclosure () -> Bool
    ) -> Action {
        switch lane {
        case .retry:
            let (late, group) = retryQueue.take(
                size: retryGroupSize, slowBytes: policy.slowBytes, allowsLarge: true, at: now)
            let action = action(late, group)
            if case .waitForWake = action { retryLaneIsIdle = true }
            return action
        case .normal(let number):
            if let lastGroup = normalLanes[number].lastGroup {
                normalLanes[number].lastGroup = nil
                let end = lastGroup + policy.minimumInterval
                if policy.minimumInterval > .zero, !isClosed { return .sleep(until: end) }
            }
            if !normalLanes[number].isAdmitted, let end = endOfPause(of: number, at: now, isBehind()) {
                return .sleep(until: end)
            }
            let (late, group) = normalQueue.take(
                size: policy.groupSize, slowBytes: policy.slowBytes, allowsLarge: largeLane == nil, at: now)
            if group.contains(where: { $0.slowBytes > policy.slowBytes }) { largeLane = lane }
            let action = action(late, group)
            // Failing late requests takes no time, so the lane needn't pause again for its group.
            normalLanes[number].isAdmitted = !late.isEmpty
            if case .waitForWake = action { normalLanes[number].isIdle = true }
            if case .store = action {
                normalLanes[number].lastGroup = now
                newestGroup = now
            }
            return action
        }
    }

    /// Adapts to the result of a group that `nextAction` gave out.
    ///
    /// - Parameter error: the error, or `nil` if the group was stored.
    mutating func finishGroup(
        _ group: [Entry], of lane: Lane, error: SinkError?, at now: ContinuousClock.Instant
    ) {
        if largeLane == lane { largeLane = nil }
        if error == .unavailable { inDoubt.insert(group.lazy.map(\.pending), at: now) }
        guard lane == .retry else { return }
        // Groups of the retry lane shrink while they fail, so that requests that wait for no other transaction get
        // stored.
        retryGroupSize =
            error == nil
            ? min(retryGroupSize * policy.retryGrowth, policy.groupSize)
            : max(retryGroupSize / policy.retryShrinkage, 1)
    }

    /// Refuses new requests from now on. Each lane stops once its queue is empty.
    ///
    /// - Returns: the idle lanes, which the caller wakes.
    mutating func close() -> [Lane] {
        isClosed = true
        var idle: [Lane] = normalLanes.indices.filter { normalLanes[$0].isIdle }.map { .normal($0) }
        if retryLaneIsIdle { idle.append(.retry) }
        for number in normalLanes.indices { normalLanes[number].isIdle = false }
        retryLaneIsIdle = false
        return idle
    }

    /// Returns the time at which a lane checks again, or `nil` if it can store now. The first lane never pauses, nor
    /// does the second while the first stores a request that is slow to store.
    private func endOfPause(
        of number: Int, at now: ContinuousClock.Instant, _ isBehind: @autoclosure () -> Bool
    ) -> ContinuousClock.Instant? {
        guard number > (largeLane == .normal(0) ? 1 : 0), !isClosed, requests > 0 else { return nil }
        let nextCheck = policy.behindCheckInterval.map { now + $0 }
        if let nextCheck, isBehind() { return nextCheck }
        let end = newestGroup + policy.gracePeriod
        guard now < end else { return nil }
        return nextCheck.map { min($0, end) } ?? end
    }

    /// Returns the action of a lane that can store now.
    private func action(_ late: [Entry], _ group: [Entry]) -> Action {
        if !late.isEmpty { return .fail(late) }
        if !group.isEmpty { return .store(group) }
        return isClosed ? .stop : .waitForWake
    }
}
