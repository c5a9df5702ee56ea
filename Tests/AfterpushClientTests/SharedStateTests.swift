import Foundation
import Testing

@testable import AfterpushClient

struct SharedStateTests {
    @Test func `a forwarded response is consumed once, and old ones expire`() throws {
        let directory = try TestDirectory()
        let state = SharedState(location: directory.location)
        state.markForwarded("n1\nbook")
        #expect(!state.consumeForwarded("n1\nlater"))
        #expect(state.consumeForwarded("n1\nbook") && !state.consumeForwarded("n1\nbook"))
        state.markForwarded("n2\nbook")
        let files = FileManager.default
        let note = try #require(try files.contentsOfDirectory(atPath: directory.location.path).first)
        try files.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: "\(directory.location.path)/\(note)")
        state.markForwarded("n3\nbook")
        #expect(try files.contentsOfDirectory(atPath: directory.location.path).count == 1)
        #expect(!state.consumeForwarded("n2\nbook"), "the person did it once more")
        #expect(state.consumeForwarded("n3\nbook"))
    }
}
