import EventSamples
import Foundation
import Testing

@testable import Events
@testable import Ingest

/// Tests the decisions of group commit, with instants given by the test.
@Suite struct GroupCommitStateTests {
    private typealias State = GroupCommitState<String>
    private struct NoGroup: Error {}

    /// An action with names instead of entries and milliseconds instead of instants.
    private enum Step: Equatable {
        case store([String]), fail([String]), sleep(until: Int), waitForWake, stop
    }

    private let start = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    private func request(_ events: Int = 1, app: Int32 = 1, _ scope: Scope = .ingest) throws -> PendingSubmission {
        let list = (0..<events).map { _ in Sample.event(["event_id": "\"\(UUID().uuidString)\""]) }
        let body = "[" + list.joined(separator: ",") + "]"
        var context = Sample.context()
        context.appID = app
        context.scope = scope
        return PendingSubmission(try Submission.read(Array(body.utf8), as: .json), context)
    }

    /// A request whose events are rejected.
    private func rejected(_ events: Int, bytes: Int, app: Int32) throws -> PendingSubmission {
        let list = (0..<events).map { _ in #"{"kind":"no","x":"\#(String(repeating: "x", count: bytes))"}"# }
        var context = Sample.context()
        context.appID = app
        let body = "[" + list.joined(separator: ",") + "]"
        return PendingSubmission(try Submission.read(Array(body.utf8), as: .json), context)
    }

    @Test func `a request with many bytes of rejected events is stored alone, and one of these at a time`() throws {
        var state = makeState { $0.slowBytes = 5_000 }
        for name in ["large", "larger"] {
            _ = state.enqueue(try rejected(3, bytes: 2_000, app: 1), name, at: start)
        }
        _ = state.enqueue(try request(app: 2), "other", at: start)
        _ = state.enqueue(try rejected(1, bytes: 2_000, app: 3), "small", at: start)
        _ = state.enqueue(try rejected(1, bytes: 2_000, app: 4), "smaller", at: start)
        _ = state.enqueue(try rejected(1, bytes: 2_000, app: 5), "third", at: start)
        guard case .store(let large) = state.nextAction(of: .normal(0), at: start, isBehind: false) else {
            throw NoGroup()
        }
        #expect(large.map(\.waiter) == ["large"])
        // The other lane passes over the second one, and takes as many as a group may have.
        #expect(next(&state, .normal(1)) == .store(["other", "small", "smaller"]))
        #expect(next(&state, .normal(1)) == .store(["third"]))
        #expect(next(&state, .normal(1)) == .waitForWake)
        state.finishGroup(large, of: .normal(0), error: nil, at: start)
        #expect(next(&state) == .store(["larger"]))
    }

    @Test func `a request with many small rejected events is stored alone, because each one takes a row`() throws {
        var state = makeState { policy in
            policy.groupSize = 1_000
            policy.capacity = 10_000
        }
        _ = state.enqueue(try rejected(1, bytes: 0, app: 1), "one", at: start)
        _ = state.enqueue(try rejected(600, bytes: 0, app: 2), "many", at: start)
        _ = state.enqueue(try request(app: 3), "other", at: start)
        #expect(next(&state) == .store(["one", "other"]))
        #expect(next(&state) == .store(["many"]))
    }

    @Test func `a group has few new names, and a request with many is stored alone and delays only others of its kind`()
        throws
    {
        var state = makeState { $0.slowBytes = 1_000 }
        func enqueue(_ name: String, app: Int32, newNames: Int) throws {
            _ = state.enqueue(try request(app: app), newNames: newNames, name, at: start)
        }
        for name in ["many", "too many"] { try enqueue(name, app: 1, newNames: 4) }
        for app in 2..<6 { try enqueue("\(app)", app: Int32(app), newNames: 1) }
        try enqueue("none", app: 6, newNames: 0)
        guard case .store(let many) = state.nextAction(of: .normal(0), at: start, isBehind: true) else {
            throw NoGroup()
        }
        #expect(many.map(\.waiter) == ["many"])
        // The second lane stores in the place of the first one, also while the rollups are behind.
        #expect(next(&state, .normal(1), isBehind: true) == .store(["2", "3", "4", "none"]))
        #expect(next(&state, .normal(1), isBehind: true) == .store(["5"]))
        #expect(next(&state, .normal(1), isBehind: true) == .waitForWake)
        state.finishGroup(many, of: .normal(0), error: nil, at: start)
        #expect(next(&state, .normal(1), isBehind: true) == .sleep(until: 50))
        #expect(next(&state, isBehind: true) == .store(["too many"]))
    }

    /// A state with groups of 10 events, whose lanes don't pause.
    private func makeState(_ change: (inout GroupCommitPolicy) -> Void = { _ in }) -> State {
        makePausingState { policy in
            policy.groupSize = 10
            policy.minimumInterval = .zero
            policy.gracePeriod = .zero
            change(&policy)
        }
    }

    /// A state whose lanes pause as by default.
    private func makePausingState(_ change: (inout GroupCommitPolicy) -> Void = { _ in }) -> State {
        var policy = GroupCommitPolicy()
        policy.capacity = 100
        change(&policy)
        return State(policy, at: start)
    }

    private func next(
        _ state: inout State, _ lane: State.Lane = .normal(0), at milliseconds: Int = 0, isBehind: Bool = false
    ) -> Step {
        switch state.nextAction(of: lane, at: time(milliseconds), isBehind: isBehind) {
        case .store(let group): .store(group.map(\.waiter))
        case .fail(let late): .fail(late.map(\.waiter))
        case .sleep(let end): .sleep(until: Int((start.duration(to: end) / .milliseconds(1)).rounded()))
        case .waitForWake: .waitForWake
        case .stop: .stop
        }
    }

    /// Enqueues requests whose group then fails, and returns the group.
    @discardableResult
    private func fail(
        _ requests: PendingSubmission..., in state: inout State, with error: SinkError = .unavailable
    ) throws -> [State.Entry] {
        for request in requests { _ = state.enqueue(request, "failed", at: start) }
        return try finish(.normal(0), in: &state, with: error)
    }

    @discardableResult
    private func finish(_ lane: State.Lane, in state: inout State, with error: SinkError?) throws -> [State.Entry] {
        guard case .store(let group) = state.nextAction(of: lane, at: start, isBehind: false) else { throw NoGroup() }
        state.finishGroup(group, of: lane, error: error, at: start)
        return group
    }

    // MARK: Queues

    @Test func `a group takes the waiting requests in order, up to its size`() throws {
        var state = makeState()
        for (name, events) in [("a", 4), ("b", 6), ("c", 1)] {
            #expect(state.enqueue(try request(events), name, at: start) == .queued(wake: nil))
        }
        #expect(state.requests == 3 && state.events == 11)
        #expect(next(&state) == .store(["a", "b"]))
        #expect(next(&state) == .store(["c"]))
        #expect(state.requests == 0 && state.events == 0)
    }

    @Test func `apps take turns, and so do the public and the secret keys of an app`() throws {
        var state = makeState()
        for name in ["a1", "a2", "a3"] { _ = state.enqueue(try request(4), name, at: start) }
        _ = state.enqueue(try request(1, .send), "server", at: start)
        _ = state.enqueue(try request(1, app: 2), "b", at: start)
        #expect(next(&state) == .store(["a1", "server", "b", "a2"]))
        #expect(next(&state) == .store(["a3"]))
    }

    @Test func `a request that doesn't fit lets others pass, but keeps its turn`() throws {
        var state = makeState()
        _ = state.enqueue(try request(4), "a1", at: start)
        _ = state.enqueue(try request(8), "a2", at: start)
        for name in ["b1", "b2", "b3"] { _ = state.enqueue(try request(3, app: 2), name, at: start) }
        #expect(next(&state) == .store(["a1", "b1", "b2"]))
        #expect(next(&state) == .store(["a2"]))
        #expect(next(&state) == .store(["b3"]))
    }

    @Test func `each sender's requests can be late, and a sender who lost all of them comes back`() throws {
        var state = makeState { $0.queueTimeout = .milliseconds(1_000) }
        _ = state.enqueue(try request(), "a", at: start)
        _ = state.enqueue(try request(app: 2), "b1", at: start)
        _ = state.enqueue(try request(app: 2), "b2", at: time(1))
        #expect(next(&state, at: 1_000) == .fail(["a", "b1"]))
        _ = state.enqueue(try request(), "again", at: time(1_000))
        #expect(next(&state, at: 1_000) == .store(["b2", "again"]))
        #expect(state.requests == 0 && state.events == 0)
    }

    @Test func `a request larger than a group is a group of its own`() throws {
        var state = makeState()
        #expect(state.enqueue(try request(50), "large", at: start) == .queued(wake: nil))
        #expect(state.enqueue(try request(1), "small", at: start) == .queued(wake: nil))
        #expect(next(&state) == .store(["large"]))
    }

    @Test func `a full queue refuses requests, but an empty one takes any`() throws {
        var state = makeState { $0.capacity = 5 }
        #expect(state.enqueue(try request(8), "large", at: start) == .queued(wake: nil))
        #expect(state.enqueue(try request(1), "refused", at: start) == .refused(.overloaded))
        #expect(next(&state) == .store(["large"]))
        #expect(state.enqueue(try request(1), "small", at: start) == .queued(wake: nil))
    }

    @Test(arguments: [GroupCommitState<String>.Lane.normal(0), .retry])
    func `requests that waited too long fail and are not stored`(lane: GroupCommitState<String>.Lane) throws {
        var state = makeState { $0.queueTimeout = .milliseconds(1_000) }
        let (late, inTime) = (try request(), try request())
        if lane == .retry { try fail(late, inTime, in: &state) }
        _ = state.enqueue(late, "late", at: start)
        _ = state.enqueue(inTime, "in time", at: time(1))
        #expect(next(&state, lane, at: 1_000) == .fail(["late"]))
        #expect(next(&state, lane, at: 1_000) == .store(["in time"]))
        #expect(state.requests == 0 && state.events == 0)
    }

    @Test func `without a queue timeout no request is late`() throws {
        var state = makeState { $0.queueTimeout = nil }
        _ = state.enqueue(try request(), "a", at: start)
        #expect(next(&state, at: 1_000_000_000) == .store(["a"]))
    }

    @Test func `once closed, nothing comes in, the lanes drain their queues without pauses and stop`() throws {
        var state = makeState()
        #expect(next(&state, .normal(1)) == .waitForWake)
        #expect(next(&state, .retry) == .waitForWake)
        #expect(state.enqueue(try request(6), "a", at: start) == .queued(wake: .normal(1)))
        #expect(state.enqueue(try request(6), "b", at: start) == .queued(wake: nil))
        #expect(next(&state, .normal(0)) == .store(["a"]))
        #expect(state.close() == [.retry])
        #expect(state.close() == [])
        #expect(state.enqueue(try request(), "refused", at: start) == .refused(.draining))
        #expect(next(&state, .normal(1), isBehind: true) == .store(["b"]))
        for lane in [State.Lane.normal(0), .normal(1), .retry] { #expect(next(&state, lane) == .stop) }
    }

    @Test func `both queues share the capacity, and each has its own order and group size`() throws {
        let (a, b) = (try request(), try request())
        var state = makeState { $0.capacity = 5 }
        try fail(a, b, in: &state)
        for (name, request) in [("a", a), ("b", b)] { _ = state.enqueue(request, name, at: start) }
        #expect(state.enqueue(try request(3), "c", at: start) == .queued(wake: nil))
        #expect(state.enqueue(a, "refused", at: start) == .refused(.overloaded))
        #expect(state.requests == 3 && state.events == 5)
        #expect(next(&state) == .store(["c"]))
        #expect(try finish(.retry, in: &state, with: .unavailable).map(\.waiter) == ["a", "b"])
        for (name, request) in [("a", a), ("b", b)] { _ = state.enqueue(request, name, at: start) }
        #expect(next(&state, .retry) == .store(["a"]))
        #expect(next(&state, .retry) == .store(["b"]))
        #expect(state.requests == 0)
    }

    // MARK: Pauses

    @Test func `a lone request wakes the first idle lane and is stored immediately`() throws {
        var state = makePausingState { policy in
            policy.lanes = 3
        }
        for lane in [2, 1, 0] { #expect(next(&state, .normal(lane)) == .waitForWake) }
        #expect(state.enqueue(try request(), "a", at: start) == .queued(wake: .normal(0)))
        #expect(next(&state, .normal(0), isBehind: true) == .store(["a"]))
        #expect(state.enqueue(try request(), "b", at: start) == .queued(wake: .normal(1)))
    }

    @Test func `a lane waits for the minimum interval after its group`() throws {
        var state = makePausingState()
        _ = state.enqueue(try request(), "a", at: start)
        #expect(next(&state, at: 1) == .store(["a"]))
        _ = state.enqueue(try request(), "b", at: time(2))
        #expect(next(&state, at: 2) == .sleep(until: 6))
        _ = state.enqueue(try request(), "c", at: time(3))
        #expect(next(&state, at: 6) == .store(["b", "c"]))
    }

    @Test func `without a minimum interval a lane stores group after group`() throws {
        var state = makePausingState { policy in
            policy.minimumInterval = .zero
        }
        for name in ["a", "b"] {
            _ = state.enqueue(try request(), name, at: start)
            #expect(next(&state) == .store([name]))
        }
    }

    @Test func `the second lane waits for the grace period of the newest group`() throws {
        var state = makePausingState()
        _ = state.enqueue(try request(), "a", at: start)
        #expect(next(&state, at: 100) == .store(["a"]))
        _ = state.enqueue(try request(), "b", at: time(101))
        #expect(next(&state, .normal(1), at: 101) == .sleep(until: 120))
        #expect(next(&state, .normal(1), at: 120) == .store(["b"]))
    }

    @Test func `without a grace period the second lane stores immediately`() throws {
        var state = makePausingState { policy in
            policy.gracePeriod = .zero
        }
        _ = state.enqueue(try request(), "a", at: start)
        #expect(next(&state, .normal(1)) == .store(["a"]))
    }

    @Test(arguments: [(50, 60), (nil, 1_000)] as [(Int?, Int)])
    func `a lane looks again during a long grace period`(interval: Int?, end: Int) throws {
        var state = makePausingState { policy in
            policy.gracePeriod = .seconds(1)
            policy.behindCheckInterval = interval.map { .milliseconds($0) }
        }
        _ = state.enqueue(try request(), "a", at: start)
        #expect(next(&state, .normal(1), at: 10) == .sleep(until: end))
    }

    @Test func `only the first lane stores while the rollups are behind, however many events wait`() throws {
        var state = makeState()
        for name in ["a", "b"] { _ = state.enqueue(try request(10), name, at: start) }
        #expect(next(&state, .normal(1), at: 100, isBehind: true) == .sleep(until: 150))
        #expect(next(&state, .normal(0), at: 100, isBehind: true) == .store(["a"]))
        #expect(next(&state, .normal(1), at: 150, isBehind: true) == .sleep(until: 200))
        #expect(next(&state, .normal(1), at: 200) == .store(["b"]))
    }

    @Test func `without a check interval no lane pauses while the rollups are behind`() throws {
        var state = makeState { $0.behindCheckInterval = nil }
        _ = state.enqueue(try request(), "a", at: start)
        #expect(next(&state, .normal(1), at: 100, isBehind: true) == .store(["a"]))
    }

    @Test func `a lane that failed late requests stores its group without another pause`() throws {
        var state = makeState { $0.queueTimeout = .milliseconds(15) }
        _ = state.enqueue(try request(), "late", at: start)
        _ = state.enqueue(try request(), "in time", at: time(20))
        #expect(next(&state, .normal(1), at: 20) == .fail(["late"]))
        #expect(next(&state, .normal(1), at: 20, isBehind: true) == .store(["in time"]))
        _ = state.enqueue(try request(), "next", at: time(21))
        #expect(next(&state, .normal(1), at: 26, isBehind: true) == .sleep(until: 76))
    }

    // MARK: Retry lane

    @Test func `events of a failed group return to the retry lane, and new ones don't wait for them`() throws {
        let failed = try request()
        var state = makePausingState()
        #expect(next(&state, .retry) == .waitForWake)
        try fail(failed, in: &state)
        #expect(state.enqueue(failed, "again", at: start) == .queued(wake: .retry))
        _ = state.enqueue(try request(), "new", at: start)
        #expect(next(&state, .normal(0), at: 3) == .sleep(until: 5))
        #expect(next(&state, .normal(0), at: 5) == .store(["new"]))
        #expect(next(&state, .retry, at: 5, isBehind: true) == .store(["again"]))
    }

    @Test(arguments: [SinkError.refused, .overloaded])
    func `events of a group that the database refused are not in doubt`(error: SinkError) throws {
        let refused = try request()
        var state = makeState()
        try fail(refused, in: &state, with: error)
        _ = state.enqueue(refused, "again", at: start)
        #expect(next(&state, .retry) == .waitForWake)
        #expect(next(&state) == .store(["again"]))
    }

    @Test func `without a period no event is in doubt`() throws {
        let failed = try request()
        var state = makeState { $0.inDoubtPeriod = .zero }
        try fail(failed, in: &state)
        _ = state.enqueue(failed, "again", at: start)
        #expect(next(&state, .retry) == .waitForWake)
        #expect(next(&state) == .store(["again"]))
    }

    @Test func `the group size of the retry lane shrinks on failure and grows on success, within limits`() {
        var state = makeState { $0.groupSize = 5_000 }
        func sizes(_ error: SinkError?, _ count: Int) -> [Int] {
            (0..<count).map { _ in
                state.finishGroup([], of: .retry, error: error, at: start)
                return state.retryGroupSize
            }
        }
        #expect(state.retryGroupSize == 5_000)
        #expect(sizes(.unavailable, 6) == [625, 78, 9, 1, 1, 1])
        #expect(sizes(nil, 8) == [4, 16, 64, 256, 1_024, 4_096, 5_000, 5_000])
        state.finishGroup([], of: .normal(0), error: .unavailable, at: start)
        #expect(state.retryGroupSize == 5_000)
    }

    @Test func `without growth and shrinkage the retry lane keeps the usual group size`() {
        var state = makeState { policy in
            policy.retryGrowth = 1
            policy.retryShrinkage = 1
        }
        for error in [SinkError.unavailable, nil] {
            state.finishGroup([], of: .retry, error: error, at: start)
            #expect(state.retryGroupSize == 10)
        }
    }
}
