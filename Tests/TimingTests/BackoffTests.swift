import Testing
import Timing

struct BackoffTests {
    private let start = ContinuousClock.now

    /// A back-off that has failed once and is asked about later times.
    private func failed(random: Double) -> Backoff {
        var backoff = Backoff(base: .milliseconds(100), limit: .seconds(1))
        backoff.failed(at: self.start, random: random)
        return backoff
    }

    private func answers(_ backoff: inout Backoff, after milliseconds: Int...) -> [Bool] {
        milliseconds.map { backoff.mayTry(at: self.start + .milliseconds($0)) }
    }

    @Test func `every caller may try while there is no failure`() {
        var backoff = Backoff()
        let answers = self.answers(&backoff, after: 0, 0, 0)
        #expect(answers == [true, true, true])
    }

    @Test func `after a failure all callers wait until the pause is over, then a single one tries`() {
        var backoff = self.failed(random: 0.5)
        let waiting = self.answers(&backoff, after: 0, 49, 50, 51, 60_000)
        #expect(waiting == [false, false, true, false, false])
        backoff.succeeded()
        let healthy = self.answers(&backoff, after: 0, 0)
        #expect(healthy == [true, true])
    }

    @Test func `pauses double up to the limit, and a success resets them`() {
        var backoff = self.failed(random: 1)
        var now = 0
        for pause in [100, 200, 400, 800, 1_000, 1_000] {
            let answers = self.answers(&backoff, after: now + pause - 1, now + pause)
            #expect(answers == [false, true])
            now += pause
            backoff.failed(at: self.start + .milliseconds(now), random: 1)
        }
        backoff.succeeded()
        backoff.failed(at: self.start, random: 1)
        let answers = self.answers(&backoff, after: 99, 100)
        #expect(answers == [false, true])
    }

    @Test func `attempts that fail at the same time count as one failure`() {
        var backoff = self.failed(random: 1)
        for _ in 0..<10 { backoff.failed(at: self.start, random: 1) }
        let answers = self.answers(&backoff, after: 100)
        #expect(answers == [true])
    }

    @Test func `full jitter allows a pause of almost zero`() {
        var backoff = self.failed(random: 0)
        let answers = self.answers(&backoff, after: 0)
        #expect(answers == [true])
    }
}
