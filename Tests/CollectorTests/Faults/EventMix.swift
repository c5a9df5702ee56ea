import Foundation
import SeededRandom

/// Generates the requests of one sender: single events and batches, a few of them invalid.
struct EventMix {
    private var random: SeededGenerator
    private var number = 0
    private let prefix: String
    private let start: Int
    /// Senders share devices and notifications, so that they write to the same deliveries.
    private let span: Int

    init(seed: UInt64, sender: Int, span: Int = 400) {
        random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(sender))
        prefix = String(format: "%08X-%04X-4000-8000-", UInt32(truncatingIfNeeded: seed), sender)
        start = Int(Date().timeIntervalSince1970) * 1_000_000
        self.span = span
    }

    /// The events of one request; the caller adds duplicates.
    mutating func request() -> [LedgerEvent] {
        let isBatch = random.next() % 2 == 0
        let count = isBatch ? random.number(2...40) : 1
        return (0..<count).map { _ in event() }
    }

    mutating func chance(_ share: Double) -> Bool {
        random.happens(share)
    }

    mutating func pick(below count: Int) -> Int {
        random.number(0...count - 1)
    }

    private static let kinds = [
        "sent", "delivered", "displayed", "opened", "action", "text_input", "dismissed", "read",
    ]

    private mutating func event() -> LedgerEvent {
        number += 1
        let id = UUID(uuidString: prefix + String(format: "%012X", number)) ?? UUID()
        if chance(0.01) { return wrong(id) }
        let kind = Self.kinds[pick(below: Self.kinds.count)]
        let time = start - pick(below: 86_400) * 1_000_000
        let delivery = pick(below: span)
        let action = kind == "action" || kind == "text_input" ? "book" : ""
        let mark = "\(String(random.next(), radix: 36)) ü\u{1F600}"
        let content = [
            kind, "n\(delivery)", "d\(delivery % 50)", String(time), action, kind == "sent" ? "spring" : "", "ios",
            mark,
        ]
        var members = [
            #""event_id":"\#(id.uuidString)""#, #""kind":"\#(kind)""#, #""notification_id":"n\#(delivery)""#,
            #""device_id":"d\#(delivery % 50)""#, #""occurred_at":"\#(Self.text(time))""#, #""platform":"ios""#,
            #""properties":{"mark":"\#(mark)"}"#,
        ]
        if !action.isEmpty { members.append(#""action_identifier":"book""#) }
        if kind == "text_input" { members.append(#""user_text":"at eight""#) }
        if kind == "sent" { members.append(#""campaign_id":"spring""#) }
        return LedgerEvent(
            id: id, json: "{\(members.joined(separator: ","))}", content: content.joined(separator: "|"),
            hasText: kind == "text_input", code: nil)
    }

    private mutating func wrong(_ id: UUID) -> LedgerEvent {
        let kinds = [
            (#""kind":"telepathy","occurred_at":"2026-11-20T10:00:00Z""#, "kind_unknown"),
            (#""kind":"read","occurred_at":"2999-01-01T00:00:00Z""#, "occurred_at_out_of_range"),
            (#""kind":"read","occurred_at":"soon""#, "occurred_at_invalid"),
            (#""kind":"read","occurred_at":"2026-11-20T10:00:00Z","locale":"\u0000""#, "text_invalid"),
        ]
        let (members, code) = kinds[pick(below: kinds.count)]
        let json = #"{"event_id":"\#(id.uuidString)","notification_id":"n","device_id":"d",\#(members)}"#
        return LedgerEvent(id: id, json: json, content: "", hasText: false, code: code)
    }

    private static func text(_ microseconds: Int) -> String {
        Date(timeIntervalSince1970: Double(microseconds / 1_000_000)).formatted(.iso8601)
    }
}
