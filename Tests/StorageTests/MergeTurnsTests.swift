import Testing

@testable import Storage

/// `MergeTurns` as a reference: the macros of Swift Testing can't call a mutating method of a variable.
private final class Turns {
    private var turns: MergeTurns
    /// The present time, which tests set.
    var now = ContinuousClock.now

    init(maximum: Int, dividesSlices: Bool = false) {
        turns = MergeTurns(maximum: maximum, dividesSlices: dividesSlices)
    }

    func begin() { turns.begin() }

    func next() -> MergeTurns.Run? { turns.next() }

    func needsSuspects() -> Bool { turns.needsSuspects(now) }

    func merged(
        _ run: MergeTurns.Run, events: Int, in duration: Duration, reading reads: Int? = nil
    ) -> MergeTurns.Finding {
        turns.merged(run, MergeCost.Outcome(events: events, reads: reads, duration: duration), now)
    }

    func failed(_ run: MergeTurns.Run, isTimeout: Bool = false) -> MergeTurns.Finding {
        turns.failed(run, isTimeout: isTimeout)
    }

    func suspect(_ apps: [MergeTurns.App]) { turns.suspect(apps) }
}

@Suite struct MergeTurnsTests {
    private let shop = MergeTurns.App(id: 1, name: "shop")
    private let news = MergeTurns.App(id: 2, name: "news")
    private let mail = MergeTurns.App(id: 3, name: "mail")

    @Test func `batches that can't be merged together are halved down to one, and the number grows again`() {
        var plan = MergePlan(maximum: 10, first: 10)
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
        let run = try #require(turns.next())
        #expect(run.apps == .together)
        #expect(turns.merged(run, events: 20, in: .milliseconds(5)) == .nothing)
        #expect(turns.next()?.apps == .together)
        #expect(turns.merged(run, events: 0, in: .milliseconds(1)) == .nothing)
        #expect(turns.next() == nil)
        turns.begin()
        #expect(turns.next()?.apps == .together)
    }

    @Test func `after a full run slices are merged side by side, in turn with other batches, until fewer wait`() throws
    {
        let turns = Turns(maximum: 100, dividesSlices: true)
        func take(_ batches: MergeTurns.Batches, merging events: Int) throws {
            let run = try #require(turns.next())
            #expect(run.batches == batches)
            #expect(turns.merged(run, events: events, in: .milliseconds(5)) == .nothing)
        }
        try take(.all, merging: 19)
        try take(.all, merging: 20)
        try take(.ofOneSlice, merging: 80)
        try take(.ofSeveralSlices, merging: 0)
        try take(.ofOneSlice, merging: 150)
        try take(.ofSeveralSlices, merging: 100)
        try take(.ofOneSlice, merging: 99)
        try take(.all, merging: 100)
        try take(.ofOneSlice, merging: 0)
        try take(.all, merging: 0)
        #expect(turns.next() == nil)
    }

    @Test func `a failed or long run of slices is followed by one of all batches`() throws {
        let turns = Turns(maximum: 100, dividesSlices: true)
        for isLong in [false, true] {
            turns.begin()
            let full = try #require(turns.next())
            #expect(turns.merged(full, events: 100, in: .milliseconds(5)) == .nothing)
            let run = try #require(turns.next())
            #expect(run.batches == .ofOneSlice)
            if isLong {
                #expect(turns.merged(run, events: 100, in: .seconds(3)) == .isLong)
            } else {
                #expect(turns.failed(run) == .isLong)
            }
            turns.begin()
            #expect(turns.next()?.batches == .all)
        }
    }

    @Test func `a run takes long if its events are few for its time`() throws {
        let turns = Turns(maximum: 50_000)
        let run = try #require(turns.next())
        #expect(turns.merged(run, events: 50_000, in: .seconds(9)) == .nothing)
        #expect(turns.merged(run, events: 5000, in: .seconds(1.9)) == .nothing)
        #expect(turns.merged(run, events: 5000, in: .seconds(2.1)) == .isLong)
    }

    @Test func `a full run that takes long is followed by smaller ones, until they are short`() throws {
        let turns = Turns(maximum: 50_000)
        var limits: [Int] = []
        for (events, seconds) in [(100, 9.0), (10_000, 4), (2_500, 1), (2_500, 0.7), (5_000, 0.5), (10_000, 2)] {
            let run = try #require(turns.next())
            limits.append(run.limit)
            _ = turns.merged(run, events: events, in: .seconds(seconds))
            turns.begin()
        }
        #expect(limits == [10_000, 10_000, 2_500, 2_500, 5_000, 10_000])
        #expect(turns.next()?.limit == 5_000)
    }

    @Test func `a flood begins with a fifth of the longest run, and grows after full runs that are short`()
        throws
    {
        let turns = Turns(maximum: 50_000)
        var limits: [Int] = []
        // Twice nothing waits in the end, also after runs that were reduced.
        let runs = [
            (9_999, 0.3), (10_000, 0.3), (20_000, 0.6), (40_000, 1.2), (39_999, 0.1), (10_000, 10), (9, 0.1), (1, 0.1),
        ]
        for (events, seconds) in runs {
            let run = try #require(turns.next())
            limits.append(run.limit)
            _ = turns.merged(run, events: events, in: .seconds(seconds))
            turns.begin()
        }
        #expect(limits == [10_000, 10_000, 20_000, 40_000, 40_000, 10_000, 1_000, 2_000])
        #expect(turns.next()?.limit == 4_000)
    }

    @Test func `after a long run each app that waits is merged on its own, to find those that are slow or fail`() throws
    {
        let turns = Turns(maximum: 1000)
        let all = try #require(turns.next())
        #expect(turns.merged(all, events: 100, in: .seconds(5)) == .isLong)
        turns.suspect([mail, news, shop])
        for (app, finding) in [(mail, MergeTurns.Finding.nothing), (news, .isApart(news)), (shop, .isApart(shop))] {
            let check = try #require(turns.next())
            #expect(check.apps == .one(app))
            // It is small and short, because the others wait.
            #expect(check.limit == 100)
            #expect(check.timeout == .seconds(4))
            switch app {
            case mail: #expect(turns.merged(check, events: 100, in: .milliseconds(5)) == finding)
            case news: #expect(turns.merged(check, events: 100, in: .seconds(3), reading: 1_000_000) == finding)
            default: #expect(turns.failed(check) == finding)
            }
        }
        #expect(turns.next()?.apps == .together)
    }

    @Test func `an app is not blamed for a busy machine, unless it takes too long even with few events`() throws {
        let turns = Turns(maximum: 50_000)
        let all = try #require(turns.next())
        #expect(turns.merged(all, events: 100, in: .seconds(5)) == .isLong)
        turns.suspect([shop, news, mail])
        // It reads what its events need.
        let first = try #require(turns.next())
        #expect(turns.merged(first, events: 300, in: .seconds(2.3), reading: 6_000) == .nothing)
        // With fewer events it is fast enough.
        let second = try #require(turns.next())
        #expect(second.apps == .one(news) && second.limit == 5_000)
        #expect(turns.failed(second, isTimeout: true) == .nothing)
        let again = try #require(turns.next())
        #expect(again == MergeTurns.Run(apps: .one(news), limit: 500, timeout: .seconds(4)))
        #expect(turns.merged(again, events: 500, in: .seconds(1), reading: 9_000) == .nothing)
        let third = try #require(turns.next())
        #expect(third.apps == .one(mail))
        #expect(turns.failed(third, isTimeout: true) == .nothing)
        #expect(turns.failed(try #require(turns.next()), isTimeout: true) == .isApart(mail))
        #expect(turns.next()?.apps == .together)
    }

    @Test func `after a run that read far too much, each app is merged on its own until the reason is found`() throws {
        let turns = Turns(maximum: 1_000)
        #expect(turns.merged(try #require(turns.next()), events: 1, in: .seconds(0.4), reading: 900_000) == .nothing)
        #expect(!turns.needsSuspects())
        // The app whose event it was has nothing that waits now.
        #expect(turns.merged(try #require(turns.next()), events: 1, in: .seconds(3), reading: 3_000_000) == .isLong)
        turns.suspect([shop])
        for _ in 0..<3 {
            #expect(!turns.needsSuspects())
            let run = try #require(turns.next())
            #expect(run.apps == .one(shop))
            #expect(turns.merged(run, events: 5, in: .milliseconds(20), reading: 90) == .nothing)
            #expect(turns.needsSuspects())
            turns.suspect([shop])
        }
        _ = turns.next()
        turns.suspect([news])
        let run = try #require(turns.next())
        #expect(turns.merged(run, events: 1, in: .seconds(0.9), reading: 3_000_000) == .isApart(news))
        // If none waits, or there is only one app, all are merged.
        turns.suspect([])
        #expect(!turns.needsSuspects())
        #expect(turns.merged(try #require(turns.next()), events: 0, in: .milliseconds(5), reading: 90) == .nothing)
        #expect(turns.next() == nil && !turns.needsSuspects())
        turns.begin()
        #expect(turns.needsSuspects())
        turns.now += .seconds(61)
        #expect(!turns.needsSuspects() && turns.next()?.apps == .together)
    }

    @Test func `each app is merged on its own for longer if a run reads too much again`() {
        var (watch, now) = (MergeWatch(), ContinuousClock.now)
        var periods: [Int] = []
        for pause in [1, 1, 1, 600, 10_000, 1, 1] {
            watch.begin(now)
            periods.append((1...4_000).first { !watch.isOn(now + .seconds($0)) } ?? 0)
            now += .seconds(periods.last ?? 0) + .seconds(pause)
        }
        #expect(periods == [60, 120, 240, 480, 960, 60, 120])
    }

    @Test func `if no app is to blame, the next long runs look for none, and one that fails does`() throws {
        let turns = Turns(maximum: 1000)
        func merge() throws -> MergeTurns.Finding {
            turns.begin()
            return turns.merged(try #require(turns.next()), events: 100, in: .seconds(5))
        }
        for _ in 0..<2 {
            #expect(try merge() == .isLong)
            turns.suspect([shop])
            #expect(turns.merged(try #require(turns.next()), events: 100, in: .seconds(1)) == .nothing)
            for _ in 0..<10 { #expect(try merge() == .nothing) }
        }
        #expect(try merge() == .isLong)
        turns.suspect([shop])
        #expect(turns.merged(try #require(turns.next()), events: 100, in: .seconds(1)) == .nothing)
        turns.begin()
        #expect(turns.failed(try #require(turns.next())) == .isLong)
    }

    @Test func `a run of all that fails is tried with fewer events and more time, and one that succeeds resets both`()
        throws
    {
        let turns = Turns(maximum: 1000)
        var runs: [MergeTurns.Run] = []
        for _ in 0..<6 {
            turns.begin()
            let run = try #require(turns.next())
            runs.append(run)
            #expect(turns.failed(run) == .isLong)
            #expect(turns.next() == nil)
        }
        #expect(runs.map(\.limit) == [200, 100, 50, 25, 12, 6])
        #expect(runs.map(\.timeout) == [10, 20, 40, 60, 60, 60].map { .seconds($0) })
        turns.begin()
        let run = try #require(turns.next())
        #expect(turns.merged(run, events: 2, in: .seconds(0.5)) == .nothing)
        #expect(turns.next() == MergeTurns.Run(apps: .together, limit: 6, timeout: .seconds(10)))
    }
}
