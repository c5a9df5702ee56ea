import Foundation

extension ModelEvent {
    /// The event with details that only `health`, `failures`, `replies`, `value` and `heatmap` use.
    ///
    /// They are derived from its id instead of the scenario's generator, so that everything else stays the same for a
    /// seed.
    var detailed: ModelEvent {
        var event = self
        let id = eventID.uuid
        // A device's version seldom changes, and the provider hardly ever knows it.
        let version = deviceID.text.utf8.count % 2 == 0 ? "17.5" : "18.0"
        if id.0 % 3 > 0, kind != .sent || id.1 % 4 == 0 {
            event.osVersion = id.2 % 8 == 0 ? "18.1" : Identifier(version)
        }
        // Some devices travel, and some never state their offset.
        if id.9 % 3 > 0, kind != .sent, deviceID.text.utf8.count % 4 > 0 {
            event.utcOffset = Self.offsets[Int(id.10) % Self.offsets.count]
        }
        switch kind {
        case .failed: event.reason = Self.failures[Int(id.3) % Self.failures.count]
        case .token_failed: event.reason = id.3 % 2 == 0 ? "NoNetwork" : "Denied"
        case .attachment_failed: event.reason = id.3 % 2 == 0 ? "404" : "Timeout"
        case .converted where id.5 % 4 > 0:
            // A tenth are refunds.
            event.value = (Int(id.6) * 256 + Int(id.7)) % 20_000 - 2_000
            event.currency = Self.currencies[Int(id.8) % Self.currencies.count]
        default: break
        }
        if userText != nil { event.userText = Self.replies[Int(id.4) % Self.replies.count] }
        return event
    }

    private static let failures: [Identifier] = ["BadDeviceToken", "Unregistered", "Unregistered", "TooManyRequests"]
    private static let offsets = [60, 60, 120, -480, 330, 345, 0]
    private static let currencies: [Identifier?] = ["EUR", "EUR", "EUR", "EUR", "USD", "USD", nil]
    private static let replies = [
        "Yes", " yes ", "YES\u{A0}", "yes\n", "No", "no", "Caf\u{E9}", "CAFE\u{301}", "later  today", "Later\ttoday",
        "\u{1F389}",
        "  ", "only once",
    ]
}
