import SeededRandom
import Testing

@testable import Server

/// Tests how time is divided among holders that wait for it.
struct FairTurnsTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `holders that wait get equal parts of the time, however long their turns are`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var turns = FairTurns<Int>()
        let lengths = (0..<Int.random(in: 2...8, using: &random)).map { _ in Int.random(in: 1...2_000, using: &random) }
        // Some wait from the beginning, and the others join after the first have used up much.
        let early = Int.random(in: 1..<lengths.count, using: &random)
        for holder in 0..<early { for _ in 0..<3 { turns.wait(holder) } }
        var used: [Int: Int] = [:]
        for round in 0..<4_000 {
            if round == 1_000 {
                used = [:]
                for holder in early..<lengths.count { for _ in 0..<3 { turns.wait(holder) } }
            }
            let next = turns.next()
            let holder = try #require(next)
            let length = Int.random(in: 1...lengths[holder], using: &random)
            used[holder, default: 0] += length
            turns.charge(.milliseconds(length), to: holder)
            turns.wait(holder)
            let waiting = round < 1_000 ? 0..<early : lengths.indices
            let times = waiting.map { used[$0, default: 0] }
            let longest = try #require(waiting.map { lengths[$0] }.max())
            // One turn for the difference at which the holders met, and one for that between them now.
            #expect(times.max()! - times.min()! <= 2 * longest, "seed \(seed), round \(round): \(used), \(lengths)")
        }
    }

    @Test func `a short turn waits for at most the turn in progress, whatever the others have in line`() {
        var turns = FairTurns<String>()
        for _ in 0..<100 { turns.wait("flood") }
        for _ in 0..<10 {
            let first = turns.next()
            #expect(first == "flood")
            turns.wait("device")
            turns.charge(.seconds(5), to: "flood")
            let second = turns.next()
            #expect(second == "device")
            turns.charge(.milliseconds(1), to: "device")
        }
    }

    @Test func `who did not wait has not saved up time`() {
        var turns = FairTurns<String>()
        for _ in 0..<50 {
            turns.wait("busy")
            _ = turns.next()
            turns.charge(.seconds(1), to: "busy")
        }
        for _ in 0..<10 {
            turns.wait("busy")
            turns.wait("idle")
        }
        var order: [String] = []
        while let holder = turns.next() {
            order.append(holder)
            turns.charge(.seconds(1), to: holder)
        }
        #expect(order.prefix(8).filter { $0 == "busy" }.count >= 3, "\(order)")
        #expect(turns.isEmpty)
    }

    @Test func `little is remembered of many holders that come once`() {
        var turns = FairTurns<Int>()
        for holder in 0..<10_000 {
            turns.wait(holder)
            _ = turns.next()
            turns.charge(.milliseconds(1), to: holder)
            // One that waits always moves the time on.
            turns.wait(-1)
            _ = turns.next()
            turns.charge(.milliseconds(1), to: -1)
        }
        #expect(turns.remembered < 200)
    }
}
