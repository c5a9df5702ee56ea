import EventSamples
import Events
import Foundation
import Ingest
import Synchronization
import Testing

/// Tests the number of concurrent groups, and that every request gets a response.
@Suite struct GroupCommitterTests {
    /// A slow sink that counts concurrent groups.
    private final class SlowSink: EventSink {
        private let state = Mutex((current: 0, peak: 0, groups: 0))

        var peak: Int { state.withLock { $0.peak } }
        var groups: Int { state.withLock { $0.groups } }

        func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome] {
            state.withLock { state in
                state.current += 1
                state.groups += 1
                state.peak = max(state.peak, state.current)
            }
            try? await Task.sleep(for: .milliseconds(5))
            state.withLock { $0.current -= 1 }
            return group.results
        }
    }

    private func pending(_ event: UUID = UUID()) throws -> PendingSubmission {
        let body = Sample.event(["event_id": "\"\(event.uuidString)\""])
        return PendingSubmission(try Submission.read(Array(body.utf8), as: .json), Sample.context())
    }

    /// Submits requests from several tasks, closes the committer, and returns the most concurrent groups.
    private func peak(
        groupSize: Int = 1, gracePeriod: Duration = .zero, isBehind: @escaping @Sendable () -> Bool
    ) async throws -> Int {
        let sink = SlowSink()
        var policy = GroupCommitPolicy()
        policy.groupSize = groupSize
        policy.gracePeriod = gracePeriod
        // Long compared with the delays of a busy test run.
        policy.queueTimeout = .seconds(600)
        let committer = GroupCommitter(sink: sink, policy: policy, isBehind: isBehind)
        async let running: Void = committer.run()
        // The committer has to be closed in any case, or it runs forever.
        await #expect(throws: Never.self) {
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<12 {
                            let outcome = try await committer.submit(try pending())
                            #expect(outcome.accepted == 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        await committer.close()
        await running
        return sink.peak
    }

    @Test func `a single request is stored immediately, and a lane that stored few waits for more`() async throws {
        let sink = SlowSink()
        var policy = GroupCommitPolicy()
        policy.lanes = 1
        // Long compared with the delays of a busy test run.
        policy.minimumInterval = .seconds(20)
        policy.queueTimeout = .seconds(600)
        let committer = GroupCommitter(sink: sink, policy: policy)
        try await withThrowingTaskGroup { group in
            group.addTask { await committer.run() }
            let start = ContinuousClock.now
            _ = try await committer.submit(try pending())
            #expect(start.duration(to: .now) < policy.minimumInterval)
            // One after the other, so that each would be a group without the minimum interval.
            for _ in 0..<5 {
                group.addTask { _ = try await committer.submit(try pending()) }
                try await Task.sleep(for: .milliseconds(20))
            }
            for _ in 0..<5 { try await group.next() }
            #expect(sink.groups == 2)
            await committer.close()
        }
    }

    @Test func `a slow group does not delay later requests`() async throws {
        let event = UUID()
        let sink = StuckSink(on: event, for: .seconds(600))
        var policy = GroupCommitPolicy()
        policy.queueTimeout = .seconds(600)
        let committer = GroupCommitter(sink: sink, policy: policy)
        try await withThrowingTaskGroup { group in
            group.addTask { await committer.run() }
            defer { group.cancelAll() }
            let stuck = try pending(event)
            group.addTask { _ = try? await committer.submit(stuck) }
            while sink.groups == 0 { try await Task.sleep(for: .milliseconds(1)) }
            // A request that waited for the stuck group would wait for ten minutes.
            for _ in 0..<20 {
                let outcome = try await committer.submit(try pending())
                #expect(outcome.accepted == 1)
            }
            group.cancelAll()
            await committer.close()
        }
    }

    @Test func `a single lane stores few events in short groups`() async throws {
        let peak = try await peak(groupSize: 5_000, gracePeriod: .seconds(600)) { false }
        #expect(peak == 1)
    }

    @Test func `many events are stored on all lanes`() async throws {
        let peak = try await peak { false }
        #expect(peak == 2)
    }

    @Test func `a single lane stores while the rollups lag, and every request gets a response`() async throws {
        let peak = try await peak { true }
        #expect(peak == 1)
    }

    @Test func `a throttled lane stores again`() async throws {
        let calls = Calls()
        let peak = try await peak { calls.next() < 3 }
        #expect(peak == 2)
    }

    /// A sink that fails slowly for groups with a certain event until it is released.
    private final class StuckSink: EventSink {
        let isStuck = Mutex(true)
        private let event: UUID
        private let duration: Duration
        private let begun = Mutex(0)

        /// The number of groups that it received.
        var groups: Int { begun.withLock { $0 } }

        init(on event: UUID, for duration: Duration = .milliseconds(100)) {
            self.event = event
            self.duration = duration
        }

        func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome] {
            begun.withLock { $0 += 1 }
            if group.events.contains(where: { $0.eventID == event }), isStuck.withLock({ $0 }) {
                try? await Task.sleep(for: duration)
                throw .unavailable
            }
            return group.results
        }
    }

    /// A sink that can't store the events of some apps, as if their names were locked.
    private final class LockedSink: EventSink {
        let apps: Set<Int32>
        /// The apps of each group that it received.
        let groups = Mutex<[Set<Int32>]>([])

        init(apps: Set<Int32>) {
            self.apps = apps
        }

        func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome] {
            groups.withLock { $0.append(Set(group.pending.map(\.appID))) }
            guard group.pending.allSatisfy({ !apps.contains($0.appID) }) else { throw .namesLocked(apps: apps) }
            return group.results
        }
    }

    private func request(ofApp app: Int32) throws -> PendingSubmission {
        let body = Sample.event(["event_id": "\"\(UUID().uuidString)\""])
        return PendingSubmission(
            try Submission.read(Array(body.utf8), as: .json),
            ValidationContext(appID: app, scope: .ingest, receivedAt: Sample.receivedAt))
    }

    @Test func `requests of an app whose names were just found locked are stored apart from the start`() async throws {
        let sink = LockedSink(apps: [1])
        var policy = GroupCommitPolicy()
        policy.lanes = 1
        policy.groupSize = 2
        let committer = GroupCommitter(sink: sink, policy: policy)
        let requests = try [1, 2, 1, 2].map { try request(ofApp: $0) }
        await withTaskGroup { group in
            for request in requests { group.addTask { _ = try? await committer.submit(request) } }
            while await committer.depth.requests < requests.count { try? await Task.sleep(for: .milliseconds(1)) }
            async let running: Void = committer.run()
            await group.waitForAll()
            await committer.close()
            await running
        }
        // The senders take turns, so each group has a request of both.
        let groups: [Set<Int32>] = [[1, 2], [2], [1], [2], [1]]
        #expect(sink.groups.withLock { $0 } == groups)
    }

    @Test func `only requests of apps whose names are locked fail`() async throws {
        let committer = GroupCommitter(sink: LockedSink(apps: [1, 3]))
        let requests = try [1, 2, 3, 4].map { try request(ofApp: $0) }
        try await withThrowingTaskGroup(of: Int32?.self) { group in
            for request in requests {
                group.addTask { (try? await committer.submit(request)) == nil ? nil : request.appID }
            }
            // All of them wait before the committer runs, so they are one group.
            while await committer.depth.requests < requests.count { try await Task.sleep(for: .milliseconds(1)) }
            async let running: Void = committer.run()
            let stored = try await group.reduce(into: Set<Int32?>()) { $0.insert($1) }
            #expect(stored == [nil, 2, 4])
            await committer.close()
            await running
        }
    }

    @Test func `retries after a failed group do not delay new requests`() async throws {
        let event = UUID()
        let sink = StuckSink(on: event)
        var policy = GroupCommitPolicy()
        policy.queueTimeout = .seconds(600)
        let committer = GroupCommitter(sink: sink, policy: policy)
        try await withThrowingTaskGroup { group in
            group.addTask { await committer.run() }
            // This must happen after an error, too, because the task group waits for all its tasks.
            defer {
                sink.isStuck.withLock { $0 = false }
                Task { await committer.close() }
            }
            let stuck = try pending(event)
            await #expect(throws: SinkError.unavailable) { try await committer.submit(stuck) }
            group.addTask {
                while sink.isStuck.withLock({ $0 }) { _ = try? await committer.submit(stuck) }
                let outcome = try await committer.submit(stuck)
                #expect(outcome.accepted == 1)
            }
            for _ in 0..<200 {
                let outcome = try await committer.submit(try pending())
                #expect(outcome.accepted == 1)
            }
            sink.isStuck.withLock { $0 = false }
            try await group.next()
        }
    }

    private final class Calls: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }
}
