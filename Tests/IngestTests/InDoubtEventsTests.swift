import EventSamples
import Foundation
import Testing

@testable import Events
@testable import Ingest

@Suite struct InDoubtEventsTests {
    private let now = ContinuousClock.now

    private func request(_ ids: UUID...) throws -> PendingSubmission {
        let body = "[" + ids.map { Sample.event(["event_id": "\"\($0.uuidString)\""]) }.joined(separator: ",") + "]"
        return PendingSubmission(try Submission.read(Array(body.utf8), as: .json), Sample.context())
    }

    private func includes(_ inDoubt: InDoubtEvents, _ request: PendingSubmission, after seconds: Int = 0) -> Bool {
        var inDoubt = inDoubt
        inDoubt.removeExpired(at: now + .seconds(seconds))
        return inDoubt.contains(request)
    }

    @Test func `a request that shares an event with a failed group is recognized`() throws {
        var inDoubt = InDoubtEvents(capacity: 10)
        let (one, other, new) = (UUID(), UUID(), UUID())
        inDoubt.insert([try request(one), try request(other)], at: now)
        #expect(includes(inDoubt, try request(new, other)))
        #expect(!includes(inDoubt, try request(new)))
    }

    @Test func `an event is forgotten between 15 and 30 seconds after its last failure`() throws {
        var inDoubt = InDoubtEvents(capacity: 10)
        let (early, late) = try (request(UUID()), request(UUID()))
        inDoubt.insert([early], at: now)
        inDoubt.insert([late], at: now + .seconds(14))
        for seconds in [0, 14, 15, 29] { #expect(includes(inDoubt, late, after: seconds)) }
        for request in [early, late] { #expect(!includes(inDoubt, request, after: 31)) }
    }

    @Test func `events over the capacity are treated as new`() throws {
        var inDoubt = InDoubtEvents(capacity: 1)
        let (first, second) = try (request(UUID()), request(UUID()))
        inDoubt.insert([first, second], at: now)
        #expect(includes(inDoubt, first))
        #expect(!includes(inDoubt, second))
    }
}
