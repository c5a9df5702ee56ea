import EventSamples
import Events
import Foundation
import Ingest
import Synchronization
import Testing

/// How many groups are stored at once, and that every request is answered.
@Suite struct GroupCommitterTests {
    /// Takes its time, and counts the groups that it has at once.
    private final class SlowSink: EventSink {
        private let state = Mutex((now: 0, most: 0, groups: 0))

        var most: Int { state.withLock { $0.most } }
        var groups: Int { state.withLock { $0.groups } }

        func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome] {
            state.withLock { state in
                state.now += 1
                state.groups += 1
                state.most = max(state.most, state.now)
            }
            try? await Task.sleep(for: .milliseconds(5))
            state.withLock { $0.now -= 1 }
            return group.results
        }
    }

    private func pending(_ event: UUID = UUID()) throws -> PendingSubmission {
        let body = Sample.event(["event_id": "\"\(event.uuidString)\""])
        return PendingSubmission(try Submission.read(Array(body.utf8), as: .json), Sample.context())
    }

    /// Submits one after another from several tasks, and ends the committer.
    private func most(
        groupSize: Int = 1, gracePeriod: Duration = .zero, isBehind: @escaping @Sendable () -> Bool
    ) async throws -> Int {
        let sink = SlowSink()
        var configuration = GroupCommitter.Configuration()
        configuration.groupSize = groupSize
        configuration.gracePeriod = gracePeriod
        let committer = GroupCommitter(sink: sink, configuration: configuration, isBehind: isBehind)
        async let running: Void = committer.run()
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
        await committer.close()
        await running
        return sink.most
    }

    @Test func `who comes alone is stored at once, and a lane that stored few gathers before it goes on`() async throws
    {
        let sink = SlowSink()
        var configuration = GroupCommitter.Configuration()
        configuration.lanes = 1
        // Long beside what a crowd of tests makes of a moment.
        configuration.minimumInterval = .seconds(20)
        configuration.queueTimeout = .seconds(600)
        let committer = GroupCommitter(sink: sink, configuration: configuration)
        try await withThrowingTaskGroup { group in
            group.addTask { await committer.run() }
            let start = ContinuousClock.now
            _ = try await committer.submit(try pending())
            #expect(start.duration(to: .now) < configuration.minimumInterval)
            // One after another, so that each would be a group without the pace.
            for _ in 0..<5 {
                group.addTask { _ = try await committer.submit(try pending()) }
                try await Task.sleep(for: .milliseconds(20))
            }
            for _ in 0..<5 { try await group.next() }
            #expect(sink.groups == 2)
            await committer.close()
        }
    }

    @Test func `a group that takes long holds up nobody who comes after it`() async throws {
        let event = UUID()
        let sink = StuckSink(on: event, for: .seconds(600))
        var configuration = GroupCommitter.Configuration()
        configuration.queueTimeout = .seconds(600)
        let committer = GroupCommitter(sink: sink, configuration: configuration)
        try await withThrowingTaskGroup { group in
            group.addTask { await committer.run() }
            defer { group.cancelAll() }
            let stuck = try pending(event)
            group.addTask { _ = try? await committer.submit(stuck) }
            while sink.groups == 0 { try await Task.sleep(for: .milliseconds(1)) }
            // Whoever waits for the group that is stuck would wait for ten minutes.
            for _ in 0..<20 {
                let outcome = try await committer.submit(try pending())
                #expect(outcome.accepted == 1)
            }
            group.cancelAll()
            await committer.close()
        }
    }

    @Test func `few events are stored by one lane, groups being short`() async throws {
        let most = try await most(groupSize: 5_000, gracePeriod: .seconds(600)) { false }
        #expect(most == 1)
    }

    @Test func `groups are stored on all lanes`() async throws {
        let most = try await most { false }
        #expect(most == 2)
    }

    @Test func `while the rollups are behind one lane stores, and everyone is answered`() async throws {
        let most = try await most { true }
        #expect(most == 1)
    }

    @Test func `a lane that was held back stores again`() async throws {
        let calls = Calls()
        let most = try await most { calls.next() < 3 }
        #expect(most == 2)
    }

    /// Says nothing of a group with a certain event, until it is let go.
    private final class StuckSink: EventSink {
        let isStuck = Mutex(true)
        private let event: UUID
        private let duration: Duration
        private let begun = Mutex(0)

        /// Groups that it was given.
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

    @Test func `what comes again and again after a group that failed holds up nothing that is new`() async throws {
        let event = UUID()
        let sink = StuckSink(on: event)
        var configuration = GroupCommitter.Configuration()
        configuration.queueTimeout = .seconds(600)
        let committer = GroupCommitter(sink: sink, configuration: configuration)
        try await withThrowingTaskGroup { group in
            group.addTask { await committer.run() }
            // Also when something fails: the group waits for all that it has begun.
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
