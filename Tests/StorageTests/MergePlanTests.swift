import Testing

@testable import Storage

@Suite struct MergePlanTests {
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
}
