import Testing

@testable import Storage

@Suite struct RecountTurnsTests {
    private let start = ContinuousClock.now

    @Test func `after a step, events are merged for as long as it took`() {
        var turns = RecountTurns()
        let isDueAtFirst = turns.isDue(start)
        turns.recounted(7, in: .seconds(2), start)
        let due = [turns.isDue(start + .seconds(1.9)), turns.isDue(start + .seconds(2))]
        #expect(isDueAtFirst && due == [false, true] && turns.lastApp == 7)
    }

    @Test func `an app whose recount fails pauses, longer each time, until one succeeds`() {
        var turns = RecountTurns()
        let times: [Double] = [19, 20, 39, 40, 600]
        var pausing: [[Bool]] = []
        for _ in 0..<8 {
            turns.failed(7, after: .seconds(1), start)
            pausing.append(times.map { turns.pausing(start + .seconds($0)) == [7] })
        }
        turns.recounted(7, in: .seconds(1), start)
        let afterSuccess = turns.pausing(start)
        turns.failed(7, after: .seconds(1), start)
        pausing.append(times.map { turns.pausing(start + .seconds($0)) == [7] })
        #expect(pausing[0] == [true, false, false, false, false])
        #expect(pausing[1] == [true, true, true, false, false])
        #expect(pausing[7] == [true, true, true, true, false])
        #expect(afterSuccess.isEmpty && pausing[8] == pausing[0])
    }
}
