import Testing

@testable import Alerts

@Suite struct DeliveryLanesTests {
    /// Starts as many attempts of an app as it may have, and returns how many.
    private func fill(_ app: Int32, _ lanes: inout DeliveryLanes) -> Int {
        var count = 0
        while lanes.hasFreeLane, !lanes.excluded.contains(app) {
            lanes.begin(app)
            count += 1
        }
        return count
    }

    @Test func `apps whose destinations hang leave lanes to others, each fewer than the one before`() {
        var lanes = DeliveryLanes()
        let counts = (1...8).map { fill($0, &lanes) }
        #expect(counts.first == 7 && zip(counts, counts.dropFirst()).allSatisfy { $0 >= $1 }, "\(counts)")
        #expect(lanes.hasFreeLane && !lanes.excluded.contains(9))
    }

    @Test func `an attempt that ends makes room for the next one of its app`() {
        var lanes = DeliveryLanes()
        _ = fill(1, &lanes)
        #expect(lanes.excluded == [1])
        lanes.end(1)
        #expect(lanes.excluded == [])
        #expect(fill(1, &lanes) == 1)
    }

    @Test func `apps take turns, and old turns are forgotten`() {
        var lanes = DeliveryLanes()
        for app: Int32 in [1, 2, 1, 3] {
            lanes.begin(app)
            lanes.end(app)
        }
        #expect(lanes.turns.sorted { $0.value < $1.value }.map(\.key) == [2, 1, 3])
        for app: Int32 in 10..<5_000 {
            lanes.begin(app)
            lanes.end(app)
        }
        #expect(lanes.turns.count <= 1_000 && lanes.turns[1] == nil)
    }
}
