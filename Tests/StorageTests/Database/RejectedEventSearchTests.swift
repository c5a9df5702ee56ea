import Foundation
import Postgres
import SeededRandom
import TestSupport
import Testing

@testable import Events
@testable import Storage

/// Compares the search for devices in rejected events with others in SQL.
@Suite struct RejectedEventSearchTests {
    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    @Test func `every text that can be a device is found`() async throws {
        try await RejectedEventOracle.install(app)
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var maker = HostileEvents(SeededGenerator(seed: seed))
        for _ in 0..<20 {
            let events = (0..<100).map { _ in maker.next() }
            let rows = try await app.database.owner.withConnection { connection in
                try await connection.query(
                    """
                    select place, device
                    from unnest($1::text[]) with ordinality as given (event, place)
                    cross join unnest(oracle.rejected_event_devices(given.event)) as named (device)
                    where octet_length(device) between 1 and 256
                    """, [.textArray(events)])
            }
            let found = events.map { RejectedEventTexts($0).texts }
            for row in rows {
                let (place, device) = try row.decode(Int64.self, String.self)
                let event = events[Int(place) - 1]
                let names = [device, device.trimmingCharacters(in: .whitespacesAndNewlines)]
                #expect(
                    found[Int(place) - 1].contains { text in
                        let text = String(decoding: text, as: UTF8.self)
                        return names.contains(text)
                            || names.contains(text.trimmingCharacters(in: .whitespacesAndNewlines))
                    }, "\(device.debugDescription) of \(event.debugDescription)")
            }
        }
    }

    @Test func `a collector leaves to the database every event in which it finds a device`() async throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var maker = HostileEvents(SeededGenerator(seed: seed))
        let devices = HostileEvents.devices + ["hs-7", "0", "lonely.device_1@x"]
        var (found, passed) = (0, 0)
        for _ in 0..<10 {
            let events = (0..<100).map { _ in maker.next() }
            let rows = try await app.database.owner.withConnection { connection in
                try await connection.query(
                    """
                    select e.place, d.device, afterpush.says_id(e.content, d.device)
                    from (
                        select place, afterpush.rejected_event_content(event) as content
                        from unnest($1::text[]) with ordinality as given (event, place)
                    ) as e
                    cross join unnest($2::text[]) as d (device)
                    """, [.textArray(events), .textArray(devices)])
            }
            for row in rows {
                let (place, device, isSaid) = try row.decode(Int64.self, String.self, Bool?.self)
                let event = events[Int(place) - 1]
                let isPossible = DeviceMentions(of: [device]).isPossible(in: event)
                if isSaid == true {
                    found += 1
                    #expect(isPossible, "\(device.debugDescription) of \(event.debugDescription)")
                } else if !isPossible {
                    passed += 1
                }
            }
        }
        #expect(found > 500 && passed > 3_000, "\(found) found, \(passed) passed over")
    }

    /// Percent-encoding of bytes that encode no character, and base64 with control characters in it.
    private static let garbled: [String] = {
        let escapes = [
            "%00", "%80", "%FF", "%bf", "%C0%80", "%c1%BF", "%C3", "%E2%82", "%e0%80%80", "%ED%A0%80", "%F0%80%80%80",
            "%F4%90%80%80", "%F5%80%80%80", "%F0%9F%92",
        ]
        let encoded = Data(#"{"x":"lonely-7","y":12345678}"#.utf8).base64EncodedString()
        let middle = encoded.index(encoded.startIndex, offsetBy: 13)
        let spaces = ["\u{1C}", "\u{1D}", "\u{1E}", "\u{1F}", "\\u001c", "\\u001F", "%1D"]
        return escapes.flatMap { [#"{"a":"x=\#($0)lonely%2D7"}"#, #"{"a":"x=%6conely-7&y=%41\#($0)%42"}"#] }
            + spaces.map { #"{"a":"\#(encoded[..<middle])\#($0)\#(encoded[middle...])"}"# }
    }()

    @Test(arguments: garbled)
    func `a device is found behind bytes that encode no character, and in base64 with control characters in it`(
        event: String
    ) async throws {
        let rows = try await app.database.owner.withConnection { connection in
            try await connection.query(
                "select afterpush.says_id(afterpush.rejected_event_content($1), $2)", [.text(event), .text("lonely-7")])
        }
        #expect(try rows.first?.decode(Bool.self, column: 0) == true)
        #expect(DeviceMentions(of: ["lonely-7"]).isPossible(in: event))
    }

    /// An ID can have such percent-encoding in it, which is none then.
    @Test(arguments: [("50%de", "a%2F50%de"), ("50%def", "a%2F50%def"), ("80d1", "x=%80%641"), ("00", "%2F%00")])
    func `a device whose id looks like percent-encoding is found`(device: String, event: String) async throws {
        let rows = try await app.database.owner.withConnection { connection in
            try await connection.query(
                "select afterpush.says_id(afterpush.rejected_event_content($1), $2)", [.text(event), .text(device)])
        }
        #expect(try rows.first?.decode(Bool.self, column: 0) == true)
        #expect(DeviceMentions(of: [device]).isPossible(in: event))
    }

    @Test func `an event with more texts than are hashed is not taken for searched`() {
        let texts = (0..<RejectedEventTexts.limit + 1).map { "\"x\($0)\"" }.joined(separator: ",")
        #expect(RejectedEventTexts("[\(texts)]").isIncomplete)
        #expect(!RejectedEventTexts("[\"a\",\"b\"]").isIncomplete)
    }
}

/// Makes texts of rejected events that name devices in many ways, and damages them.
private struct HostileEvents {
    private var random: SeededGenerator
    static let devices = [
        "d1", "d-1", "gerät/1", #"a"b\c"#, "100", "-1.5e3", "\u{1F4A3}", " d1 ", "{d1}", "sub", "50%de",
        "0b7f9a52-3b1e-4a41-8a94-b2f3f2a4e6c1",
    ]
    private static let rubble =
        Array(#"\\\""{}[]:,%=+/ .-_09aeud'"#).map(String.init) + [
            "é", "\n", "\\u", "\\\"", "%22", "%00", "%80", "%C0%80", "%E2%82", "%f5", "\u{1C}", "\u{1F}",
        ]

    init(_ random: SeededGenerator) {
        self.random = random
    }

    mutating func next() -> String {
        var event = document(depth: 0)
        for _ in 0..<random.one(of: 0, 0, 1, 2, 8) { event = damaged(event) }
        return event
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func document(depth: Int) -> String {
        if depth == 0, chance(10) { return string() + value(depth: 3) }
        let members = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            "\(name()):\(chance(10) ? " " : "")\(value(depth: depth + 1))"
        }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func name() -> String {
        random.one(
            of: #""device_id""#, #""device_id""#, #""device""#, #""sub""#, #""receipt""#, #""device\u005fid""#, #""a""#,
            "'d'")
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where depth < 4: return document(depth: depth)
        case 1 where depth < 4: return "[\(value(depth: depth + 1)),\(value(depth: depth + 1))]"
        case 2: return random.one(of: "1", "100", "-0", "1.50", "1e2", "-2.5E-3", "0.0", "null", "true")
        case 3, 4: return "\"\(receipt())\""
        default: return string()
        }
    }

    private mutating func device() -> String { Self.devices[Int.random(in: Self.devices.indices, using: &random)] }

    private mutating func string() -> String {
        let text = device()
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            let units = text.utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }
            return "\"\(units.joined())\""
        case 1: return "\"\(text)\""
        case 2: return "\"" + (text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text) + "\""
        default: return escaped(text)
        }
    }

    private func escaped(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }

    private mutating func receipt() -> String {
        let claims = chance(20) ? #"{"sub":\#(value(depth: 4))}"# : #"{"iss":"x","sub": \#(string()),"n":1}"#
        var text = Data(claims.utf8).base64EncodedString()
        if chance(50) { text = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") }
        if chance(60) { text = "eyJhbGciOiJIUzI1NiJ9.\(text).c2ln" }
        if chance(20) { text = random.one(of: "Bearer", "Bearer ", "https://x/?r=", "x") + text }
        if chance(20) { text = text.replacing(".", with: "%2E") }
        if chance(20) {
            let space = random.one(of: " ", "\\n", "\u{200B}", "\\ufeff", "\u{1C}", "\\u001f", "\u{A0}", "\\u0085")
            text.insert(contentsOf: space, at: text.index(text.startIndex, offsetBy: text.count / 2))
        }
        if chance(20) { text = String(text.dropFirst(Int.random(in: 1...7, using: &random))) }
        return text
    }

    private mutating func damaged(_ event: String) -> String {
        var characters = Array(event.unicodeScalars)
        guard !characters.isEmpty else { return "{" }
        let place = Int.random(in: 0..<characters.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: characters.remove(at: place)
        case 1: characters.removeSubrange(max(0, characters.count - 3)...)
        default:
            let rubble = Self.rubble[Int.random(in: Self.rubble.indices, using: &random)]
            characters.insert(contentsOf: rubble.unicodeScalars, at: place)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: characters)
        return String(text)
    }
}
