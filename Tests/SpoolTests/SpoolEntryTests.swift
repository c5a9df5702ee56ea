import AfterpushWire
import EventSamples
import Foundation
import SeededRandom
import Testing

@testable import Events
@testable import Ingest
@testable import Spool

/// Tests that the spool returns what was added.
@Suite struct SpoolEntryTests {
    private static let hostile = [
        "gr\u{FC}\u{DF}e", "e\u{301}", "\u{E9}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{202E}abc",
        "\u{FEFF}x",
        "\u{FFFD}", "\u{FFFF}\u{10FFFF}", "\u{FF}apspool", "'; drop table events; --", "=cmd()",
        "\\u0001\\u001f\\u007f",
        "a\\nb\\tc\\\"d\\\\e", "\u{2028}\u{2029}", "\\ud83d\\ude00", String(repeating: "\u{1F600}", count: 60), " ",
        "0",
    ]
    private static let texts = [
        "campaign_id", "category_id", "variant", "surface", "app_state", "app_version", "os_version", "locale",
        "dismiss_cause", "reason", "name", "x_unknown",
    ]
    private static let words = [
        "platform": Platform.allCases.map(\.rawValue), "trigger": Trigger.allCases.map(\.rawValue),
        "handling": Handling.allCases.map(\.rawValue), "currency": ["EUR", "USD"],
    ]

    /// Generates a request with random events, most of them valid.
    private func body(_ random: inout SeededGenerator) -> String {
        let events = (0..<Int.random(in: 0...12, using: &random)).map { _ in event(&random) }
        let sentAt = Bool.random(using: &random) ? #""sent_at":"2026-11-21T12:34:56.789Z","# : ""
        return "{\(sentAt)\"events\":[\(events.joined(separator: " , "))]}"
    }

    private func event(_ random: inout SeededGenerator) -> String {
        func text(_ random: inout SeededGenerator) -> String {
            Sample.quoted(Self.hostile.randomElement(using: &random) ?? "")
        }
        var changes: [String: String?] = [
            "event_id": Sample.quoted(UUID(high: random.next(), low: random.next()).uuidString),
            "notification_id": text(&random), "device_id": text(&random),
        ]
        for name in Self.texts where Bool.random(using: &random) { changes[name] = text(&random) }
        for (name, words) in Self.words.sorted(by: { $0.key < $1.key }) where Bool.random(using: &random) {
            changes[name] = words.randomElement(using: &random).map(Sample.quoted)
        }
        if Bool.random(using: &random) {
            changes["utc_offset_minutes"] = "\(Int.random(in: -1_080...1_080, using: &random))"
        }
        if Bool.random(using: &random) { changes["category_version"] = "\(Int.random(in: 1...99, using: &random))" }
        if Bool.random(using: &random) { changes["value"] = "-12345.678901" }
        if Bool.random(using: &random) { changes["properties"] = "{\"a\":[1,null,{\"b\":\(text(&random))}]}" }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            changes["kind"] = nil as String?
            changes["action_identifier"] = text(&random)
            changes["user_text"] = text(&random)
        case 1:
            changes["receipt"] = Sample.quoted("good")
            changes["notification_id"] = nil as String?
            changes["device_id"] = nil as String?
        case 2: changes["kind"] = Sample.quoted("app_opened")
        case 3: changes["event_id"] = text(&random)
        case 4: changes["occurred_at"] = Sample.quoted("1900-02-29T00:00:00Z")
        default: changes["kind"] = EventKind.allCases.randomElement(using: &random).map { Sample.quoted($0.rawValue) }
        }
        return Sample.event(changes)
    }

    private func pending(_ body: String, _ scope: Scope = .send) throws -> PendingSubmission {
        try PendingSubmission(
            Submission.read(Array(body.utf8), as: .json), Sample.context(scope, verifier: StubVerifier()))
    }

    /// Returns all stored properties of a value, so that fields added later are compared, too.
    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        // Details are objects, and their identity does not matter.
        return text.replacing(/#[0-9]+/, with: "")
    }

    private func entries(_ group: EventGroup, limit: Int) throws -> [SpoolEntry] {
        try group.packed(limit: limit).map { try SpoolEntry($0.bytes[...]) }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `random requests are returned with every field unchanged`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let requests = try (0..<4).map { _ in try pending(body(&random), Bool.random(using: &random) ? .send : .ingest)
        }
        let group = EventGroup(requests)
        let limit = Int.random(in: 100...60_000, using: &random)
        let entries = try entries(group, limit: limit)
        let replayed = EventGroup(try entries.map { try PendingSubmission($0) })
        #expect(dumped(replayed.events) == dumped(group.events))
        #expect(dumped(replayed.refusals) == dumped(group.refusals))
        #expect(replayed.results.reduce(0) { $0 + $1.duplicates } == 0)
        #expect(group.packed(limit: limit).map(\.events) == entries.map(\.events.count))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `an event that the database refuses at replay is kept as it was received`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let request = try pending(body(&random))
        var direct = EventGroup([request])
        var replayed = EventGroup(try entries(direct, limit: 60_000).map { try PendingSubmission($0) })
        for place in direct.events.indices {
            let one = direct.refuse(at: place, .storageRefused, "no")
            let other = replayed.refuse(at: place, .storageRefused, "no")
            #expect(one.rejection.submittedEvent == other.rejection.submittedEvent)
            #expect(one.rejection.eventID == other.rejection.eventID)
            #expect(one.receivedAt == other.receivedAt && one.appID == other.appID)
        }
    }

    @Test func `an event that appears twice in a group is kept once`() throws {
        let body = "[\(Sample.event()),\(Sample.event())]"
        let group = EventGroup([try pending(body), try pending(body)])
        #expect(group.packed(limit: 60_000).map(\.events) == [1])
    }

    @Test func `an event with the deepest allowed nesting is replayed`() throws {
        let depth = Limits().depth - 1
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let request = try pending(Sample.event(["x": deep]))
        #expect(request.validated.rejections == [])
        let entry = try #require(try entries(EventGroup([request]), limit: 60_000).first)
        #expect(try PendingSubmission(entry).validated.events.count == 1)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a broken entry does not crash the program`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let packed = EventGroup([try pending(body(&random))]).packed(limit: 2_000)
        for entry in packed {
            for _ in 0..<200 {
                var bytes = entry.bytes
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
                _ = (try? SpoolEntry(bytes[...])).map { try? PendingSubmission($0) }
            }
        }
    }

    @Test func `an entry of a newer version is distinguished from a broken one`() throws {
        #expect(throws: BinaryFormatError.unknownVersion(2)) { try SpoolEntry([2, 0, 0]) }
        #expect(throws: BinaryFormatError.malformed) { try SpoolEntry([1, 0, 0]) }
        #expect(throws: BinaryFormatError.malformed) { try SpoolEntry([]) }
    }
}
