import Foundation
import SeededRandom

/// Generates JSON that resembles valid input, with hostile values in places where they may do harm.
struct Grammar {
    var random: SeededGenerator

    /// Returns one of the choices, of which there is at least one.
    mutating func one<T>(of choices: [T]) -> T { choices[below(choices.count)] }
    mutating func below(_ count: Int) -> Int { random.number(0...max(0, count - 1)) }
    mutating func chance(_ share: Double) -> Bool { random.happens(share) }

    static let names = [
        "event_id", "kind", "action_identifier", "user_text", "notification_id", "device_id", "occurred_at",
        "campaign_id", "category_id", "variant", "category_version", "receipt", "platform", "surface", "trigger",
        "app_state", "app_version", "os_version", "locale", "utc_offset_minutes", "dismiss_cause", "handling", "reason",
        "name", "value", "currency", "properties", "sent_at", "events", "x", "schema", "",
    ]
    static let kinds = [
        "sent", "failed", "delivered", "displayed", "read", "opened", "action", "text_input", "dismissed", "converted",
        "replaced", "media_played", "token_registered", "token_failed", "permission_granted", "app_opened", "Opened",
        "com.apple.UNNotificationDefaultActionIdentifier", "com.apple.UNNotificationDismissActionIdentifier",
    ]
    static let words = [
        "ios", "android", "web", "push", "location", "calendar", "app", "extension", "EUR", "eur", "XXX", "de_DE",
        "{}", "null", "NULL", "\\N", "'; drop table x; --", "{\"a\":1}", "{1,2,NULL}", "-", "+1", "=1+1",
    ]
    static let numbers = [
        "0", "-0", "1", "-1", "0.1", "1.5e3", "1E+2", "9007199254740993", "2147483647", "2147483648", "-2147483649",
        "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e400", "1e-400", "1e131071", "4e308",
        "0.000001", "0.0000001", "999999999999999.999999", "1e15", "1e16", "0e999", "00", "01", "1.", ".1", "-", "+1",
        "NaN", "Infinity", "1e", "1e+", "0x10", "1_000",
    ]
    static let times = [
        "2026-11-20T10:00:00Z", "2026-11-20T10:00:00.123456789+05:30", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
        "0000-01-01T00:00:00Z", "1582-10-10T00:00:00Z", "2026-02-30T00:00:00Z", "2024-02-29T23:59:60Z",
        "2026-11-20T24:00:00Z", "2026-11-20t10:00:00z", "2026-11-20 10:00:00Z", "294277-01-01T00:00:00Z",
        "-0001-01-01T00:00:00Z", "1970-01-01T00:00:00+99:99", "2026-11-20T10:00:00", "infinity", "now",
    ]
    static let escapes = [
        #"\u0000"#, #"\ud800"#, #"\udc00"#, #"\ud83d\ude00"#, #"\ude00\ud83d"#, #"\uD83D"#, #"\u00e9"#, #"\n"#, #"\/"#,
        #"\""#, #"\\"#, #"\q"#, #"\u12"#, #"\u"#, #"\b\f\r\t"#, #"\uFEFF"#, #"\uFFFF"#, "\u{1F468}\u{200D}\u{1F469}",
        "é",
        "e\u{301}", "\u{7F}", "\u{85}", "\u{2028}", "\t", "\u{1}",
    ]
    /// Bytes that are not UTF-8.
    static let broken: [[UInt8]] = [
        [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
        [0x80], [0x00], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF],
    ]

    /// A valid id.
    mutating func plainID() -> String {
        let digits = String(format: "%016lX%016lX", UInt(random.next()), UInt(random.next()))
        let parts = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)]
        return parts.map { String(digits.dropFirst($0.0).prefix($0.1 - $0.0)) }.joined(separator: "-")
    }

    mutating func uuid() -> String {
        let text = plainID()
        switch below(20) {
        case 0: return String(text.dropLast())
        case 1: return text.replacing("-", with: "")
        case 2: return "{\(text)}"
        case 3: return text.lowercased()
        default: return text
        }
    }

    mutating func text() -> String {
        var text = ""
        for _ in 0..<below(4) {
            switch below(6) {
            case 0: text += one(of: Self.escapes)
            case 1:
                text += String(
                    repeating: one(of: ["x", "é", #"\u00e9"#, " "]),
                    count: one(of: [1, 60, 255, 256, 257, 4_096, 5_000]))
            default: text += one(of: Self.words)
            }
        }
        // The mutations produce what would end the string early.
        return "\"" + text.replacing(#"{"a":1}"#, with: "{}") + "\""
    }

    mutating func value(depth: Int = 0) -> String {
        switch below(depth > 6 ? 6 : 9) {
        case 0: return one(of: Self.numbers)
        case 1: return one(of: ["true", "false", "null", "nul", "True"])
        case 2: return "\"" + one(of: Self.times) + "\""
        case 3: return "\"" + one(of: Self.words).replacing("\"", with: "'") + "\""
        case 4, 5: return text()
        case 6: return "[" + (0..<below(5)).map { _ in value(depth: depth + 1) }.joined(separator: ",") + "]"
        case 7:
            return "{"
                + (0..<below(5)).map { _ in "\"\(one(of: Self.names))\":\(value(depth: depth + 1))" }.joined(
                    separator: ",")
                + "}"
        default:
            let count = one(of: [1, 31, 32, 33, 512, 513, 20_000])
            let (left, right) = one(of: [("[", "]"), (#"{"a":"#, "}")])
            guard chance(0.02) else { return "[]" }
            return String(repeating: left, count: count) + (left == "[" ? "" : "1")
                + String(repeating: right, count: count)
        }
    }

    /// An event that is likely to be accepted, with texts at their limits.
    private mutating func tameEvent() -> String {
        var members = [
            "\"event_id\":\"\(plainID())\"", "\"notification_id\":\(tameText())", "\"device_id\":\(tameText())",
            "\"occurred_at\":\"\(one(of: Array(Self.times.prefix(2))))\"",
        ]
        let kind = one(of: ["read", "opened", "action", "converted", "app_opened", "text_input"])
        members.append("\"kind\":\"\(kind)\"")
        if kind == "action" || kind == "text_input" { members.append("\"action_identifier\":\(tameText())") }
        if kind == "text_input" { members.append("\"user_text\":\(tameText())") }
        if kind == "converted" {
            members.append("\"value\":\(one(of: ["0", "-0", "1.5e3", "0.1", "1e15", "0.000001"]))")
        }
        for name in ["campaign_id", "variant", "category_id", "locale", "reason", "surface", "unheard_of"]
        where chance(0.3) { members.append("\"\(name)\":\(tameText())") }
        if chance(0.4) {
            let name = tameText()
            members.append("\"properties\":{\(name):\(chance(0.5) ? value(depth: 5) : tameText()),\(name):1}")
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private mutating func tameText() -> String {
        let unit = one(of: [
            "x", "\u{E9}", #"\u00e9"#, #"\ud83d\ude00"#, "\u{1F600}", #"\n"#, " ", "'", "{", "\u{FEFF}", "\u{FFFF}",
        ])
        return "\"" + String(repeating: unit, count: 1 + below(chance(0.1) ? 256 : 8)) + "\""
    }

    mutating func event() -> String {
        if chance(0.5) { return tameEvent() }
        var members: [String] = []
        func add(_ name: String, _ value: String) { members.append("\"\(name)\":\(value)") }
        if chance(0.97) { add("event_id", "\"\(uuid())\"") }
        if chance(0.9) { add("kind", "\"\(one(of: Self.kinds))\"") }
        if chance(0.95) { add("notification_id", chance(0.8) ? "\"n\(below(9))\"" : text()) }
        if chance(0.95) { add("device_id", chance(0.8) ? "\"d\(below(9))\"" : text()) }
        if chance(0.95) { add("occurred_at", "\"\(chance(0.7) ? Self.times[0] : one(of: Self.times))\"") }
        for _ in 0..<below(5) { add(one(of: Self.names), value()) }
        if chance(0.3) { add("properties", "{\"a\":\(value(depth: 1)),\"b\":\(value(depth: 1))}") }
        if chance(0.2) { add("value", one(of: Self.numbers)) }
        if chance(0.2) { members.shuffle(using: &random) }
        return "{" + members.joined(separator: chance(0.1) ? " ,\n" : ",") + "}"
    }

    /// A body in one of the forms of the contract.
    mutating func body() -> [UInt8] {
        let count = chance(0.001) ? one(of: [4_999, 5_000, 5_001]) : below(8)
        let events = (0..<count).map { _ in count > 100 ? "{}" : event() }
        switch below(5) {
        case 0: return Array((events.first ?? "").utf8)
        case 1: return Array("[\(events.joined(separator: ","))]".utf8)
        case 2: return Array(events.joined(separator: chance(0.3) ? "\r\n" : "\n").utf8)
        default:
            let sent = chance(0.5) ? "\"sent_at\":\"\(one(of: Self.times))\"," : ""
            return Array("{\(sent)\"events\":[\(events.joined(separator: ","))]}".utf8)
        }
    }
}
