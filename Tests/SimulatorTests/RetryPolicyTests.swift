import Testing

@testable import Simulator

@Suite struct RetryPolicyTests {
    private let policy = RetryPolicy(tries: 5, firstDelay: 1, longestDelay: 6)

    private func delay(after tries: Int, _ status: Int?, retryAfter: Double? = nil, jitter: Double = 1) -> Double? {
        policy.delay(after: tries, status: status, retryAfter: retryAfter, jitter: jitter)
    }

    @Test func `each delay is twice the last, up to the longest`() {
        #expect((1...4).map { delay(after: $0, 503) } == [1, 2, 4, 6])
        #expect(delay(after: 2, nil, jitter: 0) == 1)
    }

    @Test func `an answer's own wish is waited for, within reason`() {
        #expect(delay(after: 1, 429, retryAfter: 3) == 3)
        #expect(delay(after: 1, 503, retryAfter: 600) == 6)
        #expect(delay(after: 3, 503, retryAfter: 0) == 4)
    }

    @Test func `what can't pass is not tried again`() {
        #expect([400, 401, 403, 413, 415, 500].allSatisfy { delay(after: 1, $0) == nil })
        #expect(delay(after: 5, 503) == nil && delay(after: 5, nil) == nil)
    }
}
