import Events
import Instruments

/// Stores what arrives in groups: a group is whatever came while the one before was being stored.
///
/// Who comes alone is stored at once. A group costs much the same for one event as for ten, so the first lane keeps a
/// pace while few wait, and the other lanes store only when many do, or when the group under way takes long. While the
/// database is behind with what it has stored already they don't, so that a flood of events doesn't leave the rollups
/// hours behind.
///
/// What comes again after a group that failed goes by a lane of its own, so that nothing else waits for it (see
/// `InDoubtEvents`).
package actor GroupCommitter {
    /// | property | meaning |
    /// | --- | --- |
    /// | `lanes` | groups under way at once |
    /// | `groupSize` | events in a group, at which no further request is added |
    /// | `capacity` | events that may wait; past it requests are turned away |
    /// | `queueTimeout` | how long a request may wait for its group |
    /// | `minimumInterval` | from a group to the next on its lane, unless many events wait |
    /// | `gracePeriod` | of a group under way, before another lane stores what few came meanwhile |
    package struct Configuration: Sendable {
        package var lanes = 2
        package var groupSize = 5_000
        package var capacity = 50_000
        package var queueTimeout: Duration = .seconds(8)
        package var minimumInterval: Duration = .milliseconds(5)
        package var gracePeriod: Duration = .milliseconds(20)

        package init() {}
    }

    private typealias Waiter = CheckedContinuation<Result<SubmissionOutcome, SinkError>, Never>

    private let sink: any EventSink
    private let configuration: Configuration
    private let metrics: IngestMetrics
    private let isBehind: @Sendable () -> Bool
    private let onStored: @Sendable () -> Void
    private var queue: CommitQueue<Waiter>
    private var inDoubt: InDoubtEvents
    private var idleLanes: [Int: CheckedContinuation<Void, Never>] = [:]
    private var newestGroup = ContinuousClock.now
    private var idleRetryLane: CheckedContinuation<Void, Never>?

    /// - Parameters:
    ///   - isBehind: whether what was stored waits too long for the rollups.
    ///   - onStored: called after each group that was stored.
    package init(
        sink: any EventSink, configuration: Configuration = Configuration(), metrics: IngestMetrics = IngestMetrics(),
        isBehind: @escaping @Sendable () -> Bool = { false }, onStored: @escaping @Sendable () -> Void = {}
    ) {
        self.sink = sink
        self.configuration = configuration
        self.metrics = metrics
        self.isBehind = isBehind
        self.onStored = onStored
        self.queue = CommitQueue(capacity: configuration.capacity, groupSize: configuration.groupSize)
        self.inDoubt = InDoubtEvents(capacity: configuration.capacity)
    }

    /// Waits until the request's events are durable.
    package func submit(_ pending: PendingSubmission) async throws(SinkError) -> SubmissionOutcome {
        let start = ContinuousClock.now
        let deadline = start + self.configuration.queueTimeout
        self.metrics.received.add(pending.submission.count)
        let result = await withCheckedContinuation { (waiter: Waiter) in
            let entry = CommitQueue.Entry(pending: pending, deadline: deadline, waiter: waiter)
            self.inDoubt.removeExpired(at: start)
            let lane: CommitQueue<Waiter>.Lane = self.inDoubt.contains(pending) ? .retry : .normal
            if let refusal = self.queue.add(entry, to: lane) {
                waiter.resume(returning: .failure(refusal))
            } else {
                self.wakeLane(of: lane)
            }
        }
        self.metrics.settle(result, of: pending.submission.count, after: start.duration(to: .now))
        return try result.get()
    }

    /// Stores groups until `close` was called and nothing waits any more.
    package func run() async {
        await withTaskGroup { lanes in
            for number in 0..<self.configuration.lanes {
                lanes.addTask { await self.runLane(number) }
            }
            lanes.addTask { await self.runRetryLane() }
        }
    }

    /// Takes nothing more; `run` returns once what waits is stored.
    package func close() {
        self.queue.close()
        let lanes = self.idleLanes
        self.idleLanes = [:]
        for lane in lanes.values { lane.resume() }
        self.wakeLane(of: .retry)
    }

    /// What waits for a group.
    package var depth: QueueDepth {
        QueueDepth(events: self.queue.events, requests: self.queue.requests, capacity: self.configuration.capacity)
    }

    private func runLane(_ number: Int) async {
        while true {
            await self.throttle(number)
            let (group, late) = self.queue.takeGroup(at: .now)
            for entry in late { entry.waiter.resume(returning: .failure(.overloaded)) }
            if !group.isEmpty {
                let start = ContinuousClock.now
                self.newestGroup = start
                await self.store(group)
                await self.waitForMinimumInterval(since: start)
            } else if late.isEmpty {
                if self.queue.isClosed { return }
                await withCheckedContinuation { self.idleLanes[number] = $0 }
            }
        }
    }

    /// Stores what came again after a group that failed: less and less at once while it fails again, so that of many
    /// requests those are stored that wait for nothing.
    private func runRetryLane() async {
        var size = self.configuration.groupSize
        while true {
            let (group, late) = self.queue.takeGroup(from: .retry, at: .now, size: size)
            for entry in late { entry.waiter.resume(returning: .failure(.overloaded)) }
            if !group.isEmpty {
                let isStored = await self.store(group)
                size = isStored ? min(size * 4, self.configuration.groupSize) : max(size / 8, 1)
            } else if late.isEmpty {
                if self.queue.isClosed { return }
                await withCheckedContinuation { self.idleRetryLane = $0 }
            }
        }
    }

    private func wakeLane(of lane: CommitQueue<Waiter>.Lane) {
        switch lane {
        case .normal:
            guard let first = self.idleLanes.keys.min() else { return }
            self.idleLanes.removeValue(forKey: first)?.resume()
        case .retry:
            self.idleRetryLane?.resume()
            self.idleRetryLane = nil
        }
    }

    /// Keeps a lane from storing for as long as the first alone has to do, or can.
    private func throttle(_ number: Int) async {
        while number > 0, !self.queue.isClosed, !self.queue.isEmpty {
            let isBehind = self.isBehind()
            let look = ContinuousClock.now + .milliseconds(50)
            let end = self.newestGroup + self.configuration.gracePeriod
            guard isBehind || !self.isCrowded && .now < end else { return }
            try? await Task.sleep(until: isBehind ? look : min(look, end))
        }
    }

    /// Lets a group gather, if the one before took less than the pace.
    private func waitForMinimumInterval(since start: ContinuousClock.Instant) async {
        guard !self.queue.isClosed, !self.isCrowded else { return }
        try? await Task.sleep(until: start + self.configuration.minimumInterval)
    }

    /// Whether so many events wait that groups need not gather.
    private var isCrowded: Bool { self.queue.events >= self.configuration.groupSize / 10 }

    /// - Returns: whether the group was stored.
    @discardableResult
    private func store(_ entries: [CommitQueue<Waiter>.Entry]) async -> Bool {
        let start = ContinuousClock.now
        self.metrics.groups.observe(Double(entries.reduce(0) { $0 + $1.pending.submission.count }))
        do throws(SinkError) {
            let outcomes = try await Self.store(entries.map(\.pending), in: self.sink)
            self.metrics.commits.observe(start.duration(to: .now))
            for (entry, outcome) in zip(entries, outcomes) { entry.waiter.resume(returning: .success(outcome)) }
            self.onStored()
            return true
        } catch {
            if error == .unavailable { self.inDoubt.insert(entries.lazy.map(\.pending), at: .now) }
            for entry in entries { entry.waiter.resume(returning: .failure(error)) }
            return false
        }
    }

    /// Apart from the actor, so that sorting and sending one group doesn't hold up the others.
    @concurrent
    private nonisolated static func store(
        _ pending: [PendingSubmission], in sink: any EventSink
    ) async throws(SinkError) -> [SubmissionOutcome] {
        try await sink.store(EventGroup(pending))
    }
}
