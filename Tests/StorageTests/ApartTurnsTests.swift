import Testing

@testable import Storage

/// `ApartTurns` as a reference: the macros of Swift Testing can't call a mutating method of a variable.
private final class Turns {
    private var turns = ApartTurns(maximum: 1000)

    func update(_ apps: [MergeTurns.App], _ now: ContinuousClock.Instant) { turns.update(apps, now) }

    func next(_ now: ContinuousClock.Instant) -> MergeTurns.Run? { turns.next(now) }

    func merged(
        _ app: MergeTurns.App, events: Int, in duration: Duration, reading reads: Int? = nil,
        _ now: ContinuousClock.Instant
    ) -> Bool {
        turns.merged(app, MergeCost.Outcome(events: events, reads: reads, duration: duration), now)
    }

    func failed(_ app: MergeTurns.App, after duration: Duration, _ now: ContinuousClock.Instant) {
        turns.failed(app, after: duration, now)
    }
}

@Suite struct ApartTurnsTests {
    private let shop = MergeTurns.App(id: 1, name: "shop")
    private let news = MergeTurns.App(id: 2, name: "news")
    private let start = ContinuousClock.now

    @Test func `apps take turns, and each rests for as long as its run took`() {
        let turns = Turns()
        turns.update([news, shop], start)
        #expect(turns.next(start) == MergeTurns.Run(apps: .one(shop), limit: 100, timeout: .seconds(10)))
        var now = start + .seconds(30)
        #expect(turns.merged(shop, events: 100, in: .seconds(30), now) == false)
        // The other one has no long runs, and need not wait.
        for _ in 0..<3 {
            #expect(turns.next(now)?.apps == .one(news))
            now += .seconds(2)
            #expect(turns.merged(news, events: 100, in: .seconds(1), now) == false)
            #expect(turns.next(now + .milliseconds(900)) == nil)
            now += .seconds(1)
        }
        now = start + .seconds(60)
        #expect(turns.next(now)?.apps == .one(shop))
        turns.failed(shop, after: .seconds(10), now)
        #expect(turns.next(now)?.apps == .one(news))
        turns.failed(news, after: .seconds(0.1), now)
        #expect(turns.next(now + .seconds(0.9)) == nil)
        #expect(turns.next(now + .seconds(1))?.apps == .one(news))
        turns.update([shop], now)
        #expect(turns.next(now + .seconds(9)) == nil)
        #expect(turns.next(now + .seconds(10))?.apps == .one(shop))
        turns.update([], now)
        #expect(turns.next(now + .seconds(10)) == nil)
    }

    @Test func `a slow run is followed by one that should take five seconds, and short ones by longer ones`() {
        let turns = Turns()
        turns.update([shop], start)
        #expect(turns.merged(shop, events: 100, in: .seconds(10), start) == false)
        let later = start + .seconds(10)
        #expect(turns.next(later)?.limit == 50)
        #expect(turns.merged(shop, events: 50, in: .seconds(4), later) == false)
        // Half as many events are slow, but it is short enough; in doubt it is reduced.
        #expect(turns.next(later + .seconds(4))?.limit == 50)
        #expect(turns.merged(shop, events: 50, in: .milliseconds(50), later) == false)
        #expect(turns.next(later + .seconds(4))?.limit == 100)
    }

    @Test func `an app whose runs fail pauses longer each time, and may take longer`() {
        let turns = Turns()
        turns.update([shop], start)
        var now = start
        var pauses: [Int] = []
        var timeouts: [Duration] = []
        for _ in 0..<8 {
            turns.next(now).map { timeouts.append($0.timeout) }
            turns.failed(shop, after: .milliseconds(1), now)
            let pause = (1...100).first { turns.next(now + .seconds($0)) != nil } ?? 0
            pauses.append(pause)
            now += .seconds(pause)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(timeouts == [10, 20, 40, 60, 60, 60, 60, 60].map { .seconds($0) })
        #expect(turns.merged(shop, events: 1, in: .milliseconds(1), now) == false)
        #expect(turns.next(now + .seconds(1))?.timeout == .seconds(10))
    }

    @Test func `an app joins the others ten minutes after its last costly run, however small its runs are`() {
        let turns = Turns()
        turns.update([shop], start)
        for second in [300, 599, 1_100] {
            // A run of all with a thousand of its events would take five minutes.
            #expect(
                turns.merged(shop, events: 3, in: .milliseconds(900), reading: 500_000, start + .seconds(second))
                    == false)
        }
        // On a busy machine, runs take long, and read no more than usual.
        #expect(
            turns.merged(shop, events: 100, in: .milliseconds(900), reading: 2_000, start + .seconds(1_699)) == false)
        #expect(turns.merged(shop, events: 100, in: .milliseconds(50), start + .seconds(1_700)))
    }

    @Test func `an app that has nothing to merge is asked again after half a second, and joins the others, too`() {
        let turns = Turns()
        turns.update([shop], start)
        #expect(turns.merged(shop, events: 0, in: .milliseconds(1), start) == false)
        #expect(turns.next(start + .milliseconds(400)) == nil)
        #expect(turns.next(start + .milliseconds(500))?.apps == .one(shop))
        #expect(turns.merged(shop, events: 0, in: .milliseconds(1), start + .seconds(600)))
    }
}
