import Testing

@testable import Storage

struct StoragePlanTests {
    @Test func `events are assumed to be new while every guess is right`() {
        var plan = StoragePlan()
        for _ in 0..<100 {
            let assumesNew = plan.startGroup()
            #expect(assumesNew)
            plan.recordRightGuess()
        }
    }

    @Test func `a wrong guess makes the next eight groups careful, and each further wrong guess doubles the number`() {
        var plan = StoragePlan()
        for expected in [8, 16, 32, 64, 128, 256, 512, 1_024, 1_024] {
            let assumesNew = plan.startGroup()
            #expect(assumesNew)
            plan.recordWrongGuess()
            let groups = careful(&plan)
            #expect(groups == expected)
        }
    }

    @Test func `right guesses shorten the next careful period`() {
        var plan = StoragePlan()
        for _ in 0..<4 {
            plan.recordWrongGuess()
            _ = careful(&plan)
        }
        for _ in 0..<20 { plan.recordRightGuess() }
        plan.recordWrongGuess()
        let groups = careful(&plan)
        #expect(groups == 8)
    }

    /// The number of groups that are stored carefully until the next guess.
    private func careful(_ plan: inout StoragePlan) -> Int {
        var count = 0
        var next = plan
        while !next.startGroup() {
            count += 1
            plan = next
        }
        return count
    }
}
