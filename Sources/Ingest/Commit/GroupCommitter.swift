package import Events
import Instruments

/// Stores events in groups: a group holds what arrived while the group before it was being stored.
///
/// `GroupCommitState` decides what is stored when, and the actor carries it out: it stores, sleeps and responds.
package actor GroupCommitter {
    private typealias Waiter = CheckedContinuation<Result<SubmissionOutcome, SinkError>, Never>
    private typealias State = GroupCommitState<Waiter>

    private let sink: any EventSink
    private let policy: GroupCommitPolicy
    private let metrics: IngestMetrics
    private let countNewNames: @Sendable ([Event]) -> Int
    private let isBehind: @Sendable () -> Bool
    private let onStored: @Sendable () -> Void
    private var state: State
    private var idleLanes: [State.Lane: CheckedContinuation<Void, Never>] = [:]
    /// Apps whose names were found locked or too many, and until when their requests are stored apart from those of others.
    private var lockedApps: [Int32: ContinuousClock.Instant] = [:]

    /// How long an app counts as locked. Finding that out holds a group up for about as long.
    private static let lockedPeriod: Duration = .seconds(1)

    /// Creates a committer, which stores groups while `run` runs.
    ///
    /// - Parameters:
    ///   - countNewNames: how many names of some events the sink doesn't know yet.
    ///   - isBehind: whether stored events wait too long for the rollups.
    ///   - onStored: called after each group that was stored.
    package init(
        sink: any EventSink, policy: GroupCommitPolicy = GroupCommitPolicy(), metrics: IngestMetrics = IngestMetrics(),
        countNewNames: @escaping @Sendable ([Event]) -> Int = { _ in 0 },
        isBehind: @escaping @Sendable () -> Bool = { false }, onStored: @escaping @Sendable () -> Void = {}
    ) {
        self.sink = sink
        self.policy = policy
        self.metrics = metrics
        self.countNewNames = countNewNames
        self.isBehind = isBehind
        self.onStored = onStored
        self.state = GroupCommitState(policy, at: .now)
    }

    /// Waits until the request's events are durable.
    package nonisolated func submit(_ pending: PendingSubmission) async throws(SinkError) -> SubmissionOutcome {
        try await self.submit(pending, newNames: self.countNewNames(pending.validated.events))
    }

    private func submit(
        _ pending: PendingSubmission, newNames: Int
    ) async throws(SinkError) -> SubmissionOutcome {
        let start = ContinuousClock.now
        self.metrics.received.add(pending.submission.count)
        let result = await withCheckedContinuation { (waiter: Waiter) in
            switch self.state.enqueue(pending, newNames: newNames, waiter, at: start) {
            case .queued(let lane):
                if let lane { self.wake(lane) }
            case .refused(let error):
                waiter.resume(returning: .failure(error))
            }
        }
        self.metrics.settle(result, of: pending.submission.count, after: start.duration(to: .now))
        return try result.get()
    }

    /// Stores groups until `close` was called and the queues are empty.
    package func run() async {
        await withTaskGroup { lanes in
            for number in 0..<self.policy.lanes {
                lanes.addTask { await self.run(.normal(number)) }
            }
            lanes.addTask { await self.run(.retry) }
        }
    }

    /// Refuses new requests; `run` returns once the waiting ones are stored.
    package func close() {
        for lane in self.state.close() { self.wake(lane) }
    }

    /// The size of the queues.
    package var depth: QueueDepth {
        QueueDepth(events: self.state.events, requests: self.state.requests, capacity: self.policy.capacity)
    }

    private func run(_ lane: State.Lane) async {
        while true {
            switch self.state.nextAction(of: lane, at: .now, isBehind: self.isBehind()) {
            case .store(let group):
                await self.store(group, on: lane)
            case .fail(let late):
                for entry in late { entry.waiter.resume(returning: .failure(.overloaded)) }
            case .sleep(let end):
                try? await Task.sleep(until: end)
            case .waitForWake:
                await withCheckedContinuation { self.idleLanes[lane] = $0 }
            case .stop:
                return
            }
        }
    }

    private func wake(_ lane: State.Lane) {
        self.idleLanes.removeValue(forKey: lane)?.resume()
    }

    private func store(_ group: [State.Entry], on lane: State.Lane) async {
        let start = ContinuousClock.now
        if !self.lockedApps.isEmpty {
            self.lockedApps = self.lockedApps.filter { start < $0.value }
            if let (others, locked) = Self.split(group, by: Set(self.lockedApps.keys)) {
                await self.store(others, on: lane)
                await self.store(locked, on: lane)
                return
            }
        }
        self.metrics.groups.observe(Double(group.reduce(0) { $0 + $1.pending.submission.count }))
        do throws(SinkError) {
            let outcomes = try await Self.store(group.map(\.pending), in: self.sink)
            self.metrics.commits.observe(start.duration(to: .now))
            self.state.finishGroup(group, of: lane, error: nil, at: .now)
            for (entry, outcome) in zip(group, outcomes) { entry.waiter.resume(returning: .success(outcome)) }
            self.onStored()
        } catch {
            if case .namesLocked(let apps, _) = error, let (others, locked) = Self.split(group, by: apps) {
                let end = ContinuousClock.now + Self.lockedPeriod
                for app in apps { self.lockedApps[app] = end }
                await self.store(others, on: lane)
                await self.store(locked, on: lane)
                return
            }
            self.state.finishGroup(group, of: lane, error: error, at: .now)
            for entry in group { entry.waiter.resume(returning: .failure(error)) }
        }
    }

    /// Divides a group into the requests of other apps and those of the given ones, or returns `nil` if it has only one
    /// of both.
    private static func split(_ group: [State.Entry], by apps: Set<Int32>) -> (others: [State.Entry], [State.Entry])? {
        let others = group.filter { !apps.contains($0.pending.appID) }
        guard !others.isEmpty, others.count < group.count else { return nil }
        return (others, group.filter { apps.contains($0.pending.appID) })
    }

    /// Runs outside the actor, so that sorting and sending one group doesn't hold up the others.
    @concurrent
    private nonisolated static func store(
        _ pending: [PendingSubmission], in sink: any EventSink
    ) async throws(SinkError) -> [SubmissionOutcome] {
        try await sink.store(EventGroup(pending))
    }
}
