import Testing

@testable import HTTPTransport

struct DataAllowanceTests {
    private let start = ContinuousClock.now

    /// The frames of one size that a client may send at once, or nearly so, out of 100,000.
    private func frames(of count: Int, isPadded: Bool = false, requestEach number: Int = .max) -> Int {
        var allowance = DataAllowance(mostDropped: 0)
        for index in 0..<100_000 {
            if index.isMultiple(of: number) { allowance.addRequest() }
            _ = allowance.receive(count, isPadded: isPadded, for: 1)
            if !allowance.spend(at: start) { return index }
        }
        return 100_000
    }

    @Test func `short frames are limited, unless they belong to many requests`() {
        #expect((2_000...2_100).contains(frames(of: 1)))
        #expect((2_000...3_000).contains(frames(of: 32)))
        #expect(frames(of: 128) == 100_000)
        #expect(frames(of: 16 * 1024) == 100_000)
        #expect(frames(of: 1, requestEach: 2) == 100_000)
        #expect(frames(of: 1, requestEach: 4) < 5_000)
    }

    @Test func `padding does not make a frame longer`() {
        #expect((2_000...2_100).contains(frames(of: 256, isPadded: true)))
        #expect(frames(of: 256 + 128, isPadded: true) == 100_000)
    }

    @Test func `short frames are allowed again after some time`() {
        var allowance = DataAllowance(mostDropped: 0)
        func spends(_ count: Int, at seconds: Int) -> Bool {
            for _ in 0..<count { _ = allowance.receive(0, isPadded: false, for: 1) }
            return allowance.spend(at: start + .seconds(seconds))
        }
        #expect(spends(2_000, at: 0))
        #expect(spends(900, at: 15))
        #expect(!spends(200, at: 15))
    }

    @Test func `what comes for streams that were reset is limited, from the last reset on`() {
        var allowance = DataAllowance(mostDropped: 100_000)
        func spends(_ count: Int, for stream: Int) -> Bool {
            _ = allowance.receive(count, isPadded: false, for: stream)
            return allowance.spend(at: start)
        }
        for _ in 0..<100 { #expect(spends(16_384, for: 1)) }
        allowance.addReset(of: 1)
        #expect(spends(50_000, for: 1))
        allowance.addReset(of: 3)
        #expect(spends(50_000, for: 1))
        #expect(spends(50_000, for: 3))
        // The same reset again changes nothing, and open streams have no such limit.
        allowance.addReset(of: 3)
        #expect(spends(1 << 20, for: 5))
        #expect(!spends(1, for: 1))
    }

    @Test func `frames of streams that NIO has forgotten get the number of one that it remembers`() {
        var allowance = DataAllowance(mostDropped: 1 << 20)
        for index in 0..<100 { allowance.addReset(of: 2 * index + 1) }
        func number(_ stream: Int) -> Int? { allowance.receive(1, isPadded: false, for: stream) }
        #expect(number(1) == 199)
        #expect(number(137) == 199)
        #expect(number(139) == nil)
        #expect(number(199) == nil)
        #expect(number(201) == nil)
        allowance.addReset(of: 201)
        #expect(number(1) == nil)
        #expect(number(139) == 201)
    }
}
