import EventSamples
import Events
import Ingest
import Testing

/// Tests what becomes of events that are more than once in a group.
@Suite struct EventGroupTests {
    /// Returns a request of copies of one event, which differ in their properties.
    private func copies(_ properties: [String]) throws -> PendingSubmission {
        let events = properties.map { Sample.event(["properties": $0]) }
        let body = "[\(events.joined(separator: ","))]"
        return PendingSubmission(try Submission.read(Array(body.utf8), as: .json), Sample.context())
    }

    @Test func `copies that say something else than the first are conflicts`() throws {
        let first = try copies([#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, #"{"a":1,"b":3}"#, #"{"a":1,"b":2.0}"#])
        let second = try copies([#"{"a":1,"b":3}"#, #"{"a":1,"b":2}"#])
        let group = EventGroup([first, second])
        #expect(group.events.map(\.properties) == [#"{"a":1,"b":2}"#])
        #expect(group.repeats[7]?.duplicates == 5 && group.repeats[7]?.conflicts == 2)
        #expect(group.results.map(\.accepted) == [1, 0] && group.results.map(\.duplicates) == [3, 2])
    }

    @Test func `comparing copies takes no longer than reading them did`() throws {
        let members = (1..<80).map { "\"member \($0)\":\"a text of the member\"" }.joined(separator: ",")
        let properties = (0..<200).map { "{\(members),\"i\":\($0)}" }
        let read = try copies(properties)
        #expect(EventGroup([read]).repeats[7]?.conflicts == 199)
        let ratio = try ProcessorTime.ratio {
            _ = EventGroup([read])
        } to: {
            _ = try copies(properties)
        }
        print("comparing copies takes \(ratio) times as long as reading them")
        #expect(ratio < 3)
    }
}
