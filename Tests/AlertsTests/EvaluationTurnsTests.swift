import Testing

@testable import Alerts

@Suite struct EvaluationTurnsTests {
    private let start = ContinuousClock.now

    /// Lets an app evaluate for a time, and returns how long it may take.
    private func run(_ app: Int32, _ duration: Duration, at now: Duration, _ turns: inout EvaluationTurns) -> Duration {
        let limit = turns.begin(app, at: start + now)
        turns.end(app, at: start + now + duration)
        return limit
    }

    @Test func `an app has one evaluation at a time`() {
        var turns = EvaluationTurns()
        _ = turns.begin(1, at: start)
        #expect(turns.excluded(at: start) == [1] && turns.hasFreeLane)
        turns.end(1, at: start + .seconds(1))
        #expect(turns.excluded(at: start + .seconds(1)) == [])
    }

    @Test func `an app that was slow gets more time, but slow apps leave a lane to the others`() {
        var turns = EvaluationTurns()
        for app: Int32 in 1...3 {
            #expect(run(app, EvaluationTurns.quickLimit, at: .zero, &turns) == EvaluationTurns.quickLimit)
        }
        let now = start + .seconds(5)
        #expect(turns.begin(1, at: now) == EvaluationTurns.slowLimit)
        #expect(turns.excluded(at: now) == [1])
        #expect(turns.begin(2, at: now) == EvaluationTurns.slowLimit)
        #expect(Set(turns.excluded(at: now)) == [1, 2, 3])
        // The last lane is for an app that isn't slow, and only for a short time.
        #expect(turns.hasFreeLane && turns.begin(4, at: now) == EvaluationTurns.quickLimit)
        #expect(!turns.hasFreeLane)
        turns.end(1, at: now + .seconds(25))
        #expect(Set(turns.excluded(at: now + .seconds(25))) == [2, 4])
    }

    @Test func `an app no longer counts as slow ten minutes after its last slow evaluation`() {
        var turns = EvaluationTurns()
        _ = run(1, .seconds(6), at: .zero, &turns)
        #expect(run(1, .seconds(1), at: .seconds(605), &turns) == EvaluationTurns.slowLimit)
        #expect(run(1, .seconds(1), at: .seconds(607), &turns) == EvaluationTurns.quickLimit)
    }

    @Test func `the time that an app has spent counts half after a minute, and is forgotten in the end`() {
        var turns = EvaluationTurns()
        _ = run(1, .seconds(4), at: .zero, &turns)
        _ = run(2, .seconds(1), at: .seconds(3), &turns)
        #expect(turns.spent(at: start + .seconds(4)) == [1: 4_000, 2: 1_000])
        let later = turns.spent(at: start + .seconds(64))
        #expect(later[1] == 2_000 && later[2] == 500)
        #expect(turns.spent(at: start + .seconds(4_000)) == [:])
    }
}
