import Storage
import Testing

@testable import Archives

/// Tests counting the events of an archive.
@Suite struct ArchivedEventsTests {
    private static let delivery = "0e9a4c1d-2b3f-5a6b-8c7d-9e0f1a2b3c4d"

    private func line(_ id: String) -> String {
        #"{"batch_id":9223372036854775807,"delivery_id":"\#(Self.delivery)","event_id":"\#(id)","kind":"sent"}"# + "\n"
    }

    private func count(_ text: String, pieces size: Int = .max) -> (EventCount, isComplete: Bool) {
        var events = ArchivedEvents()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(size, max(1, bytes.count))) {
            events.read(Array(bytes[start...].prefix(size)))
        }
        return (events.count, events.isComplete)
    }

    @Test(arguments: [1, 7, 1_000]) func `ids are read however the text is cut into pieces`(size: Int) {
        let ids = ["00000000-0000-0001-0000-000000000002", "ffffffff-ffff-ffff-0000-000000000000"]
        let (events, isComplete) = count(ids.map(line).joined(), pieces: size)
        #expect(events == EventCount(events: 2, checksum: ~3))
        #expect(isComplete)
    }

    @Test func `no text has no events`() {
        #expect(count("") == (EventCount(), true))
    }

    @Test func `what is no complete export of events is not complete`() {
        let good = line("00000000-0000-0001-0000-000000000002")
        let wrong = [
            String(good.dropLast()), good + "\n", good + "{}\n", good.replacing("event_id", with: "event"),
            line("00000000-0000-0001-0000-00000000000g"), line("00000000-0000-0001-0000"), "x\n",
        ]
        for text in wrong { #expect(!count(text).isComplete, "\(text)") }
    }

    @Test func `folders of apps have safe names`() {
        let names = [
            "shop": "shop", "a.b": "a.b", "..": "%2E.", "a/../b": "a%2F..%2Fb", "Ä ": "%C3%84%20", "\u{0}": "%00",
        ]
        for (name, folder) in names { #expect(EventArchive.folder(ofApp: name) == folder) }
        #expect(EventArchive.folder(ofApp: String(repeating: "/", count: 256)).utf8.count == 200)
    }
}
