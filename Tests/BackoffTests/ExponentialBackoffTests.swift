import Backoff
import Testing

struct ExponentialBackoffTests {
    @Test func `pauses double with each failure, up to the limit`() {
        let backoff = ExponentialBackoff(first: 1, limit: 60, jitter: 0.5)
        #expect((1...8).map { backoff.pause(after: $0, random: 1) } == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(backoff.pause(after: 10_000, random: 1) == 60)
    }

    @Test(arguments: [(0.0, [1.0, 2, 4, 8]), (0.5, [0.5, 1, 2, 4]), (1.0, [0.0, 0, 0, 0])])
    func `the random part takes off no more than the jitter`(jitter: Double, shortest: [Double]) {
        let backoff = ExponentialBackoff(first: 1, limit: 8, jitter: jitter)
        #expect((1...4).map { backoff.pause(after: $0, random: 0) } == shortest)
        #expect((1...4).map { backoff.pause(after: $0, random: 1) } == [1, 2, 4, 8])
    }
}
