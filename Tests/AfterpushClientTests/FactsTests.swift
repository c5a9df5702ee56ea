import Foundation
import Testing

@testable import AfterpushClient

struct FactsTests {
    @Test func `a forwarded response is consumed once, and old ones expire`() throws {
        let directory = try TestDirectory()
        let facts = Facts(place: directory.place)
        facts.noteForwarding(of: "n1\nbook")
        #expect(!facts.takeForwarding(of: "n1\nlater"))
        #expect(facts.takeForwarding(of: "n1\nbook") && !facts.takeForwarding(of: "n1\nbook"))
        facts.noteForwarding(of: "n2\nbook")
        let files = FileManager.default
        let note = try #require(try files.contentsOfDirectory(atPath: directory.place.path).first)
        try files.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: "\(directory.place.path)/\(note)")
        facts.noteForwarding(of: "n3\nbook")
        #expect(try files.contentsOfDirectory(atPath: directory.place.path).count == 1)
        #expect(!facts.takeForwarding(of: "n2\nbook"), "the person did it once more")
        #expect(facts.takeForwarding(of: "n3\nbook"))
    }
}
