import Foundation
import Testing

@testable import Ingest

@Suite struct UnsettledEventsTests {
    private let now = ContinuousClock.now

    private func request(_ ids: UUID...) throws -> PendingSubmission {
        let body = "[" + ids.map { Sample.event(["event_id": "\"\($0.uuidString)\""]) }.joined(separator: ",") + "]"
        return PendingSubmission(try Submission.read(Array(body.utf8), as: .json), Sample.context())
    }

    private func includes(_ unsettled: UnsettledEvents, _ request: PendingSubmission, after seconds: Int = 0) -> Bool {
        var unsettled = unsettled
        return unsettled.include(request, at: now + .seconds(seconds))
    }

    @Test func `a request that shares an event with a group that failed is known`() throws {
        var unsettled = UnsettledEvents(capacity: 10)
        let (one, other, new) = (UUID(), UUID(), UUID())
        unsettled.add([try request(one), try request(other)], at: now)
        #expect(includes(unsettled, try request(new, other)))
        #expect(!includes(unsettled, try request(new)))
    }

    @Test func `it is forgotten between 15 and 30 seconds after its last failure`() throws {
        var unsettled = UnsettledEvents(capacity: 10)
        let (early, late) = try (request(UUID()), request(UUID()))
        unsettled.add([early], at: now)
        unsettled.add([late], at: now + .seconds(14))
        for seconds in [0, 14, 15, 29] { #expect(includes(unsettled, late, after: seconds)) }
        for request in [early, late] { #expect(!includes(unsettled, request, after: 31)) }
    }

    @Test func `what exceeds the capacity is taken for new`() throws {
        var unsettled = UnsettledEvents(capacity: 1)
        let (first, second) = try (request(UUID()), request(UUID()))
        unsettled.add([first, second], at: now)
        #expect(includes(unsettled, first))
        #expect(!includes(unsettled, second))
    }
}
