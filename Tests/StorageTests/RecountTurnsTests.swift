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

    @Test func `after a step that fails the next ones are smaller, and grow again`() {
        var turns = RecountTurns()
        var sizes = [turns.deliveries(of: 7)]
        for _ in 0..<8 {
            turns.failed(7, after: .seconds(5), start)
            sizes.append(turns.deliveries(of: 7))
        }
        #expect(sizes == [20_000, 10_000, 5_000, 2_500, 1_250, 625, 312, 250, 250])
        #expect(turns.deliveries(of: 8) == 20_000)
        #expect(!turns.canShrink(7) && turns.canShrink(8))
        sizes = []
        for _ in 0..<8 {
            turns.recounted(7, in: .seconds(0.4), start)
            sizes.append(turns.deliveries(of: 7))
        }
        #expect(sizes == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000])
    }

    @Test func `steps take about a second, but are never tiny`() {
        var turns = RecountTurns()
        var sizes: [Int] = []
        for seconds in [0.9, 2, 0.6, 4.9, 0.3] {
            turns.recounted(7, in: .seconds(seconds), start)
            sizes.append(turns.deliveries(of: 7))
        }
        #expect(sizes == [20_000, 10_000, 10_000, 2_040, 4_080])
        for _ in 0..<9 { turns.recounted(7, in: .seconds(4), start) }
        #expect(turns.deliveries(of: 7) == 250)
    }

    @Test func `an app whose rollups are locked has its next turn after the others`() {
        var turns = RecountTurns()
        turns.recounted(7, in: .seconds(2), start)
        turns.skipped(9, start)
        let isDue = turns.isDue(start)
        #expect(isDue && turns.lastApp == 9 && turns.deliveries(of: 9) == 20_000)
    }
}
