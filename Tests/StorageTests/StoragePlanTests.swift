import Testing

@testable import Storage

struct StoragePlanTests {
    @Test func `events are taken for new ones as long as they are`() {
        var plan = StoragePlan()
        for _ in 0..<100 {
            let takesForNew = plan.takesForNew()
            #expect(takesForNew)
            plan.wasRight()
        }
    }

    @Test func `a wrong guess makes the next eight groups careful, and each further one twice as many`() {
        var plan = StoragePlan()
        for expected in [8, 16, 32, 64, 128, 256, 512, 1_024, 1_024] {
            let takesForNew = plan.takesForNew()
            #expect(takesForNew)
            plan.wasWrong()
            let groups = careful(&plan)
            #expect(groups == expected)
        }
    }

    @Test func `right guesses make the next stretch shorter again`() {
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

    /// How many groups are stored the careful way, leaving the guess for the next one open.
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
