import Testing

@testable import Storage

struct StoragePlanTests {
    @Test func `events are assumed to be new as long as they are`() {
        var plan = StoragePlan()
        for _ in 0..<100 {
            let takesForNew = plan.takesForNew()
            #expect(takesForNew)
            plan.wasRight()
        }
    }

    @Test func `a wrong guess makes the next eight groups careful, and each further wrong guess doubles the number`() {
        var plan = StoragePlan()
        for expected in [8, 16, 32, 64, 128, 256, 512, 1_024, 1_024] {
            let takesForNew = plan.takesForNew()
            #expect(takesForNew)
            plan.wasWrong()
            let groups = careful(&plan)
            #expect(groups == expected)
        }
    }

    @Test func `right guesses shorten the next careful period`() {
        var plan = StoragePlan()
        for _ in 0..<4 {
            plan.wasWrong()
            _ = careful(&plan)
        }
        for _ in 0..<20 { plan.wasRight() }
        plan.wasWrong()
        let groups = careful(&plan)
        #expect(groups == 8)
    }

    /// The number of groups that are stored carefully until the next guess.
    private func careful(_ plan: inout StoragePlan) -> Int {
        var count = 0
        var next = plan
        while !next.takesForNew() {
            count += 1
            plan = next
        }
        return count
    }
}
