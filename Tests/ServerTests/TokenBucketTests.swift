import Testing

@testable import Server

/// Tests rate limits with a test clock.
struct TokenBucketTests {
    private let start = ContinuousClock.now
    private let rate = TokenBucket.Rate(perSecond: 10, burst: 100)

    @Test func `a burst is accepted immediately, and afterwards a rate`() {
        var bucket = TokenBucket(rate, at: start)
        for _ in 0..<100 { #expect(bucket.take(1, at: start) == nil) }
        #expect(bucket.take(1, at: start) == .seconds(0.1))
        for second in 1...5 {
            let now = start + .seconds(second)
            for _ in 0..<10 { #expect(bucket.take(1, at: now) == nil) }
            #expect(bucket.take(1, at: now) != nil)
        }
    }

    @Test func `a request larger than the remaining tokens is accepted, and later ones wait for it`() {
        var bucket = TokenBucket(rate, at: start)
        #expect(bucket.take(1, at: start) == nil)
        bucket.charge(149, at: start)
        #expect(bucket.take(1, at: start) == .seconds(5.1))
        #expect(bucket.take(1, at: start + .seconds(5)) != nil)
        #expect(bucket.take(1, at: start + .seconds(5.2)) == nil)
    }

    @Test func `a debt is at most a burst, and a clock set back changes nothing`() {
        var bucket = TokenBucket(rate, at: start)
        bucket.charge(1_000_000, at: start)
        #expect(bucket.take(1, at: start) == .seconds(10.1))
        #expect(bucket.take(1, at: start - .seconds(100)) == .seconds(10.1))
        #expect(bucket.isFull(at: start + .seconds(20)))
        #expect(!bucket.isFull(at: start + .seconds(19)))
    }

    @Test func `a table evicts full buckets first, then those without refusals, and never exceeds its capacity`() throws
    {
        var table = try #require(BucketTable<Int>(rate, capacity: 100))
        for owner in 0..<1_000 { #expect(table.take(1, from: owner, at: start + .seconds(owner)) == nil) }
        #expect(table.count <= 100)
        var crowd = try #require(BucketTable<Int>(rate, capacity: 100))
        crowd.charge(1_000, to: -1, at: start)
        for owner in 0..<99 { #expect(crowd.take(50, from: owner, at: start) == nil) }
        for owner in 100..<150 { #expect(crowd.take(50, from: owner, at: start) == nil) }
        #expect(crowd.count <= 100)
        #expect(crowd.take(1, from: -1, at: start) != nil)
        #expect(BucketTable<Int>(nil) == nil)
    }
}
