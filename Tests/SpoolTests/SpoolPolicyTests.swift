import Testing

@testable import Spool

/// Tests the spool's decisions (circuit breaker, retries, giving up entries) without clock or database.
@Suite struct SpoolPolicyTests {
    private let start = ContinuousClock.now

    @Test func `the circuit breaker opens with the first failure and closes with the first success`() {
        var breaker = CircuitBreakerState()
        #expect(breaker.action == .attempt)
        #expect(breaker.pause(at: start) == nil)
        #expect(breaker.recordSuccess() == .none)
        #expect(breaker.recordFailure(at: start, random: 0) == .opened)
        #expect(breaker.action == .bypass)
        #expect(breaker.recordFailure(at: start + .seconds(1), random: 0) == .none)
        #expect(breaker.recordSuccess() == .closed)
        #expect(breaker.action == .attempt)
    }

    @Test func `the circuit breaker's pauses double up to a limit, and simultaneous failures count as one`() {
        var breaker = CircuitBreakerState()
        var now = start
        var pauses: [Duration] = []
        for _ in 0..<6 {
            _ = breaker.recordFailure(at: now, random: 1)
            _ = breaker.recordFailure(at: now, random: 1)
            let pause = breaker.pause(at: now) ?? .zero
            pauses.append(pause)
            now += pause
            #expect(breaker.pause(at: now) == .zero)
        }
        #expect(pauses == [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(3)])
    }

    @Test func `a failing group is halved until one entry is left, which is finally set aside`() {
        var plan = DrainPlan()
        #expect(plan.recordFailure(.group, entries: 10) == .again)
        #expect(plan.limit == 5)
        #expect(plan.recordFailure(.group, entries: 5) == .again)
        #expect(plan.recordFailure(.group, entries: 2) == .again)
        #expect(plan.limit == 1)
        var waited: Duration = .zero
        for _ in 1..<DrainPlan.attempts {
            guard case .wait(let pause) = plan.recordFailure(.group, entries: 1) else {
                Issue.record("given up too early")
                return
            }
            waited += pause
        }
        #expect(waited > .seconds(60))
        #expect(plan.recordFailure(.group, entries: 1) == .setAside)
        plan.recordSuccess()
        #expect(plan.limit == 2)
    }

    @Test func `an entry whose app's names are locked is set aside after a few attempts, so that others don't wait`() {
        var plan = DrainPlan()
        #expect(plan.recordFailure(.locked, entries: 2) == .again)
        for _ in 1..<DrainPlan.attemptsIfLocked {
            #expect(plan.recordFailure(.locked, entries: 1) != .setAside)
        }
        #expect(plan.recordFailure(.locked, entries: 1) == .setAside)
    }

    @Test func `an entry is never set aside while each attempt reserves more of its names`() {
        var plan = DrainPlan()
        for _ in 0..<100 { #expect(plan.recordFailure(.unfinished, entries: 1) == .again) }
        // Attempts that reserve none count from the last one that did.
        for _ in 1..<DrainPlan.attemptsIfLocked {
            #expect(plan.recordFailure(.locked, entries: 1) != .setAside)
        }
        #expect(plan.recordFailure(.unfinished, entries: 1) == .again)
        #expect(plan.recordFailure(.locked, entries: 1) != .setAside)
        #expect(plan.recordFailure(.unfinished, entries: 7) == .again)
        #expect(plan.limit == 1_000)
    }

    @Test func `a refused entry is set aside immediately, and none is while PostgreSQL is down`() {
        var plan = DrainPlan()
        for _ in 0..<100 { #expect(plan.recordFailure(.away, entries: 1) == .wait(.zero)) }
        #expect(plan.limit == 1_000)
        #expect(plan.recordFailure(.refused, entries: 2) == .again)
        #expect(plan.recordFailure(.refused, entries: 1) == .setAside)
    }

    @Test func `a failed file is opened again after pauses that double`() {
        var schedule = ReopenSchedule()
        #expect(schedule.permitsAttempt(at: start))
        schedule.recordFailure(at: start)
        #expect(!schedule.permitsAttempt(at: start + .milliseconds(499)))
        #expect(schedule.permitsAttempt(at: start + .milliseconds(500)))
        for _ in 0..<20 { schedule.recordFailure(at: start) }
        #expect(!schedule.permitsAttempt(at: start + .seconds(29)))
        #expect(schedule.permitsAttempt(at: start + .seconds(30)))
        schedule.recordOpening()
        #expect(schedule.permitsAttempt(at: start))
        schedule.recordUse()
        schedule.recordFailure(at: start)
        #expect(schedule.permitsAttempt(at: start + .milliseconds(500)))
    }
}
