import Backoff
import Testing

@testable import Postgres

struct ReconnectScheduleTests {
    private let start = ContinuousClock.now

    /// A schedule that has recorded one failure.
    private func failed(random: Double) -> ReconnectSchedule {
        var schedule = ReconnectSchedule(backoff: ExponentialBackoff(first: 0.1, limit: 1, jitter: 1))
        schedule.recordFailure(at: self.start, random: random)
        return schedule
    }

    private func answers(_ schedule: inout ReconnectSchedule, after milliseconds: Int...) -> [Bool] {
        milliseconds.map { schedule.beginAttempt(at: self.start + .milliseconds($0)) }
    }

    @Test func `every caller may try while there is no failure`() {
        var schedule = ReconnectSchedule()
        let answers = self.answers(&schedule, after: 0, 0, 0)
        #expect(answers == [true, true, true])
    }

    @Test func `after a failure all callers wait until the pause is over, then a single one tries`() {
        var schedule = self.failed(random: 0.5)
        let waiting = self.answers(&schedule, after: 0, 49, 50, 51, 60_000)
        #expect(waiting == [false, false, true, false, false])
        schedule.recordSuccess()
        let healthy = self.answers(&schedule, after: 0, 0)
        #expect(healthy == [true, true])
    }

    @Test func `pauses double up to the limit, and a success resets them`() {
        var schedule = self.failed(random: 1)
        var now = 0
        for pause in [100, 200, 400, 800, 1_000, 1_000] {
            let answers = self.answers(&schedule, after: now + pause - 1, now + pause)
            #expect(answers == [false, true])
            now += pause
            schedule.recordFailure(at: self.start + .milliseconds(now), random: 1)
        }
        schedule.recordSuccess()
        schedule.recordFailure(at: self.start, random: 1)
        let answers = self.answers(&schedule, after: 99, 100)
        #expect(answers == [false, true])
    }

    @Test func `attempts that fail at the same time count as one failure`() {
        var schedule = self.failed(random: 1)
        for _ in 0..<10 { schedule.recordFailure(at: self.start, random: 1) }
        let answers = self.answers(&schedule, after: 100)
        #expect(answers == [true])
    }

    @Test func `full jitter allows a pause of almost zero`() {
        var schedule = self.failed(random: 0)
        let answers = self.answers(&schedule, after: 0)
        #expect(answers == [true])
    }
}
