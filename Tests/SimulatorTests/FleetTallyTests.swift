import AfterpushWire
import Testing

@testable import Simulator

@Suite struct FleetTallyTests {
    @Test func `a collector that counts more than a number can hold does not end the simulation`() {
        let answer = IngestResponse(accepted: .max, duplicates: .max, rejected: [], durability: .committed)
        var tally = FleetTally()
        for _ in 0..<2 { tally.add(answer) }
        tally.add(tally)
        #expect(tally.accepted == .max && tally.duplicates == .max)
    }
}
