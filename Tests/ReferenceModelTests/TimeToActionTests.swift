import ReferenceModel
import Testing

@Suite struct TimeToActionTests {
    private func median(_ events: [ModelEvent]) throws -> Double? {
        try actions(events)[0].rate("p50_seconds")
    }

    @Test func `the time to action runs from the first confirmation to the first action`() throws {
        let events = [
            event(.sent, at: clock(9)), event(.delivered, at: clock(10, 5)), event(.delivered, at: clock(10)),
            tap("yes", at: clock(10, 2)), tap("yes", at: clock(10, 1)), tap("zap", at: clock(10, 0, 30)),
        ]
        #expect(try median(events) == 60)
    }

    @Test func `without a confirmation the time to action runs from the send, and without a send it is omitted`() throws
    {
        #expect(try median([event(.sent, at: clock(10)), tap("yes", at: clock(10, 1))]) == 60)
        #expect(try median([event(.displayed, at: clock(10)), tap("yes", at: clock(10, 1))]) == nil)
    }

    @Test func `a negative time to action counts as 0`() throws {
        #expect(try median([event(.delivered, at: clock(10, 2)), tap("yes", at: clock(10, 1))]) == 0)
    }

    @Test(arguments: [([50], 50), ([50, 10], 10), ([30, 10, 20], 20), ([40, 10, 20, 30], 20)])
    func `the median is the value at the nearest rank`(seconds: [Int], expected: Double) throws {
        let events = seconds.enumerated().flatMap { index, second in
            [
                event(.delivered, Identifier("n\(index)"), at: clock(10)),
                tap("yes", Identifier("n\(index)"), at: clock(10, 0, second)),
            ]
        }
        #expect(try median(events) == expected)
    }
}
