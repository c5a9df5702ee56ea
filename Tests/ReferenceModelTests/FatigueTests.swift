import ReferenceModel
import Testing

@Suite struct FatigueTests {
    private let week = 7 * 24 * 3_600_000_000

    /// A delivery of a device long before the others, so that these are not in its first seven days.
    private func beginning(_ device: Identifier = "d1") -> ModelEvent {
        event(.sent, "beginning", at: clock(10, 30) - 4 * week) { $0.deviceID = device }
    }

    private func classes(
        _ events: [ModelEvent], _ change: (inout Selection) -> Void = { _ in }
    ) throws -> [[Int?]] {
        fatigueReport(events: events, declarations: Declarations(), selection: try selection(change))
            .map { $0.counts("recent_from", "base_n", "responded") }
    }

    @Test func `a delivery is grouped by the number of deliveries to its device in the week before`() throws {
        let events = (0..<4).map { event(.sent, Identifier("n\($0)"), at: clock(10, $0)) } + [event(.opened, "n3")]
        #expect(try classes([beginning()] + events) == [[0, 1, 0], [1, 1, 0], [2, 1, 0], [3, 1, 1]])
    }

    @Test func `a week is exactly 168 hours, and deliveries of the same moment don't count`() throws {
        let first = [beginning(), event(.sent, "n1")]
        #expect(try classes(first + [event(.sent, "n2", at: clock(10, 30) + week)]) == [[0, 1, 0], [1, 1, 0]])
        #expect(try classes(first + [event(.sent, "n2", at: clock(10, 30) + week + 1)]) == [[0, 2, 0]])
        #expect(try classes(first + [event(.sent, "n2")]) == [[0, 2, 0]])
    }

    @Test func `deliveries to other devices and failed deliveries don't count`() throws {
        let other = event(.sent, "n1", at: clock(9)) { $0.deviceID = "d2" }
        let failed = event(.failed, "n2", at: clock(9))
        let beginnings = [beginning(), beginning("d2")]
        #expect(try classes(beginnings + [other, failed, event(.sent, "n3")]) == [[0, 2, 0]])
    }

    @Test func `deliveries outside the selection count as earlier deliveries`() throws {
        let events =
            [beginning(), event(.sent, "n1", at: clock(9))] + [event(.sent, "n2") { $0.campaign = "spring" }]
        #expect(try classes(events) { $0.campaign = "spring" } == [[1, 1, 0]])
        #expect(try classes(events) { $0.from = clock(10) } == [[1, 1, 0]])
    }

    @Test func `the first seven days of a device are left out, whatever the selection`() throws {
        let first = event(.sent, "n1")
        #expect(try classes([first, event(.sent, "n2", at: clock(10, 30) + week - 1)]) == [])
        #expect(try classes([first, event(.sent, "n2", at: clock(10, 30) + week)]) == [[1, 1, 0]])
        #expect(
            try classes([first, event(.sent, "n2", at: clock(10, 30) + week)]) { $0.from = clock(11) + week / 2 }
                == [[1, 1, 0]])
    }
}
