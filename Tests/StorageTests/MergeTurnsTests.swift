import Testing

@testable import Storage

/// `MergeTurns` as a reference: the macros of Swift Testing can't call a mutating method of a variable.
private final class Turns {
    private var turns: MergeTurns

    init(maximum: Int, dividesSlices: Bool = false) {
        turns = MergeTurns(maximum: maximum, dividesSlices: dividesSlices)
    }

    func begin() { turns.begin() }

    func next(_ now: ContinuousClock.Instant) -> MergeTurns.Run? { turns.next(now) }

    func merged(_ run: MergeTurns.Run, events: Int, in duration: Duration, _ now: ContinuousClock.Instant) -> Bool {
        turns.merged(run, events: events, in: duration, now)
    }

    func failed(_ run: MergeTurns.Run, after duration: Duration, _ now: ContinuousClock.Instant) -> Bool {
        turns.failed(run, after: duration, now)
    }

    func suspect(_ apps: [MergeTurns.App]) { turns.suspect(apps) }

    func takeChanges() -> [MergeTurns.Change] { turns.takeChanges() }
}

@Suite struct MergeTurnsTests {
    private let shop = MergeTurns.App(id: 1, name: "shop")
    private let news = MergeTurns.App(id: 2, name: "news")
    private let start = ContinuousClock.now

    @Test func `batches that can't be merged together are halved down to one, and the number grows again`() {
        var plan = MergePlan(maximum: 10)
        let less = (0..<5).map { _ in
            plan.failed()
            return plan.limit
        }
        #expect(less == [5, 2, 1, 1, 1])
        let more = (0..<5).map { _ in
            plan.succeeded()
            return plan.limit
        }
        #expect(more == [2, 4, 8, 10, 10])
    }

    @Test func `all apps are merged together until nothing waits, and again after the next wake`() throws {
        let turns = Turns(maximum: 100)
        let run = try #require(turns.next(start))
        #expect(run.apps == .all(except: []))
        #expect(turns.merged(run, events: 100, in: .milliseconds(5), start) == false)
        #expect(turns.next(start)?.apps == .all(except: []))
        #expect(turns.merged(run, events: 0, in: .milliseconds(1), start) == false)
        #expect(turns.next(start) == nil)
        turns.begin()
        #expect(turns.next(start)?.apps == .all(except: []))
    }

    @Test func `after a full run slices are merged side by side, in turn with other batches, until fewer wait`() throws
    {
        let turns = Turns(maximum: 100, dividesSlices: true)
        func take(_ batches: MergeTurns.Batches, merging events: Int) throws {
            let run = try #require(turns.next(start))
            #expect(run.batches == batches)
            #expect(turns.merged(run, events: events, in: .milliseconds(5), start) == false)
        }
        try take(.all, merging: 99)
        try take(.all, merging: 100)
        try take(.ofOneSlice, merging: 200)
        try take(.ofSeveralSlices, merging: 0)
        try take(.ofOneSlice, merging: 150)
        try take(.ofSeveralSlices, merging: 100)
        try take(.ofOneSlice, merging: 99)
        try take(.all, merging: 100)
        try take(.ofOneSlice, merging: 0)
        try take(.all, merging: 0)
        #expect(turns.next(start) == nil)
    }

    @Test func `a failed or slow run of slices is followed by one of all batches`() throws {
        let turns = Turns(maximum: 100, dividesSlices: true)
        for isSlow in [false, true] {
            turns.begin()
            let full = try #require(turns.next(start))
            #expect(turns.merged(full, events: 100, in: .milliseconds(5), start) == false)
            let run = try #require(turns.next(start))
            #expect(run.batches == .ofOneSlice)
            if isSlow {
                #expect(turns.merged(run, events: 100, in: .seconds(3), start))
            } else {
                #expect(turns.failed(run, after: .seconds(1), start))
            }
            turns.begin()
            #expect(turns.next(start)?.batches == .all)
        }
    }

    @Test func `many events in a long run are not slow, and few are`() throws {
        let turns = Turns(maximum: 50_000)
        let run = try #require(turns.next(start))
        #expect(turns.merged(run, events: 50_000, in: .seconds(9), start) == false)
        #expect(turns.merged(run, events: 5000, in: .seconds(1.9), start) == false)
        #expect(turns.merged(run, events: 5000, in: .seconds(2.1), start))
    }

    @Test func `an app that is slow alone is merged apart, with smaller runs, and at most half of the time`() throws {
        let turns = Turns(maximum: 1000)
        var now = start
        try findSlow(shop, turns, now)
        #expect(turns.takeChanges() == [.isApart(shop)])
        // The others come first, and go on while the app rests as long as its run took.
        var othersRuns = 0
        var run = try #require(turns.next(now))
        while run.apps == .all(except: [shop.id]) {
            now += .seconds(1)
            othersRuns += 1
            _ = turns.merged(run, events: 10, in: .seconds(1), now)
            run = try #require(turns.next(now))
        }
        #expect(othersRuns == 5)
        #expect(run.apps == .one(shop))
        // Its run of 100 events took 5 s, and should take 1 s.
        #expect(run.limit == 20)
        // When the others have nothing, it goes on at once.
        #expect(turns.merged(run, events: 20, in: .seconds(5), now) == false)
        let others = try #require(turns.next(now))
        #expect(others.apps == .all(except: [shop.id]))
        _ = turns.merged(others, events: 0, in: .milliseconds(1), now)
        #expect(turns.next(now)?.apps == .one(shop))
    }

    @Test func `an app stays apart while its events are slow, however short its runs are`() throws {
        let turns = Turns(maximum: 1000)
        try findSlow(shop, turns, start)
        for second in [30, 62, 120, 190] {
            let now = start + .seconds(second)
            let others = try #require(turns.next(now))
            _ = turns.merged(others, events: 0, in: .milliseconds(1), now)
            let own = try #require(turns.next(now))
            #expect(own.apps == .one(shop))
            // A run of all with a thousand of its events would take five minutes.
            _ = turns.merged(own, events: 3, in: .milliseconds(900), now)
        }
        #expect(turns.takeChanges() == [.isApart(shop)])
    }

    @Test func `an app joins the others again a minute after its last slow run`() throws {
        let turns = Turns(maximum: 1000)
        try findSlow(shop, turns, start)
        for second in [10, 59, 61] {
            let now = start + .seconds(second)
            let others = try #require(turns.next(now))
            #expect(others.apps == .all(except: [shop.id]))
            _ = turns.merged(others, events: 0, in: .milliseconds(1), now)
            let own = try #require(turns.next(now))
            #expect(own.apps == .one(shop))
            _ = turns.merged(own, events: 50, in: .milliseconds(50), now)
        }
        #expect(turns.takeChanges() == [.isApart(shop), .isTogether(shop)])
        #expect(turns.next(start + .seconds(61))?.apps == .all(except: []))
    }

    @Test func `an app whose runs fail pauses longer each time, and may take longer`() throws {
        let turns = Turns(maximum: 1000)
        let all = try #require(turns.next(start))
        #expect(turns.failed(all, after: .seconds(1), start))
        turns.suspect([shop])
        var now = start
        var pauses: [Int] = []
        var timeouts: [Duration] = []
        var run = try #require(turns.next(now))
        for _ in 0..<8 {
            #expect(run.apps == .one(shop))
            timeouts.append(run.timeout)
            #expect(turns.failed(run, after: .milliseconds(1), now) == false)
            var pause = 0
            while true {
                turns.begin()
                let others = try #require(turns.next(now))
                #expect(others.apps == .all(except: [shop.id]))
                _ = turns.merged(others, events: 0, in: .milliseconds(1), now)
                if let own = turns.next(now) {
                    run = own
                    break
                }
                now += .seconds(1)
                pause += 1
            }
            pauses.append(pause)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(timeouts.prefix(5) == [.seconds(10), .seconds(20), .seconds(40), .seconds(80), .seconds(90)])
        #expect(turns.takeChanges() == [.isApart(shop)])
    }

    @Test func `a run of all that fails although each app merges well is tried with fewer events`() throws {
        let turns = Turns(maximum: 1000)
        let all = try #require(turns.next(start))
        #expect(turns.failed(all, after: .seconds(1), start))
        turns.suspect([news, shop])
        for app in [shop, news] {
            let check = try #require(turns.next(start))
            #expect(check.apps == .one(app))
            #expect(check.isCheck)
            _ = turns.merged(check, events: 100, in: .milliseconds(5), start)
        }
        let next = try #require(turns.next(start))
        #expect(next.apps == .all(except: []))
        #expect(next.limit == 500)
        #expect(turns.takeChanges() == [])
    }

    /// A slow run of all, after which one of the apps that wait is found to be slow.
    private func findSlow(_ app: MergeTurns.App, _ turns: Turns, _ now: ContinuousClock.Instant) throws {
        let all = try #require(turns.next(now))
        #expect(turns.merged(all, events: 100, in: .seconds(5), now))
        turns.suspect([app, news])
        let good = try #require(turns.next(now))
        #expect(good.apps == .one(news))
        #expect(turns.merged(good, events: 100, in: .milliseconds(5), now) == false)
        let slow = try #require(turns.next(now))
        #expect(slow.apps == .one(app))
        #expect(slow.limit == 100)
        #expect(turns.merged(slow, events: 100, in: .seconds(5), now) == false)
    }
}
