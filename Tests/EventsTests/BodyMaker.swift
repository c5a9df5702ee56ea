import EventSamples
import SeededRandom

/// Generates plausible events and breaks them in critical places.
struct BodyMaker {
    var generator: SeededGenerator

    private static let values = [
        "1", "-0.5e3", "true", "null", "\"\"", "\"text\"", "\"2026-11-21T09:59:00Z\"", "[]", "{}",
        "[1,{\"a\":[\"b\"]}]",
        "\"gr\u{F6}\u{DF}e \u{1F600}\"", "\"\\u00e9\\ud83d\\ude00\\n\"", "{\"a\":{\"b\":null},\"c\":1.5}",
        "\"6f9619ff-8b86-4d01-b42d-00c04fc964ff\"", "\"opened\"",
    ]
    private static let names = [
        "event_id", "kind", "user_text", "user\\u005ftext", "properties", "value", "receipt", "events", "sent_at", "x",
        "category_version", "occurred_at", "platform",
    ]
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\u0000", "\\ud800", "\\udc00", "\\q", "\u{1}", "\n", " ",
        "-",
        "0", "1e9", ".5", "NaN", "null", "tru", "\"a\":1,", ",{}", "{\"a\":", "\u{E9}", "\"user_text\":\"secret\",",
        "\u{0}", "'", "/", "e", "+",
    ]

    mutating func event() -> String {
        var changes: [String: String?] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            changes[Self.names.randomElement(using: &generator) ?? ""] = Self.values.randomElement(using: &generator)
        }
        return Sample.event(changes)
    }

    /// Breaks a text by up to three changes; it may remain valid.
    mutating func broken(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            let position = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, position + Int.random(in: 0...3, using: &generator))
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes.removeSubrange(position..<end)
            case 1: bytes.insert(contentsOf: bytes[position..<end], at: position)
            case 2: bytes[position] = UInt8.random(in: 0...255, using: &generator)
            default:
                let piece = Self.pieces.randomElement(using: &generator) ?? ""
                bytes.replaceSubrange(position..<end, with: Array(piece.utf8))
            }
        }
        return bytes
    }
}
