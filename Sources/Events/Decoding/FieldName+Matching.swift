import JSON

extension FieldName {
    /// The field that a key names. The key's length leaves at most four to compare.
    init(key: Span<UInt8>) {
        switch key.count {
        case 4: self = Self.match(key, .kind, .name)
        case 5: self = Self.match(key, .value)
        case 6: self = Self.match(key, .locale, .reason)
        case 7: self = Self.match(key, .variant, .surface, .trigger, .receipt)
        case 8: self = Self.match(key, .eventID, .platform, .handling, .currency)
        case 9: self = Self.match(key, .deviceID, .userText, .appState)
        case 10: self = Self.match(key, .osVersion, .properties)
        case 11: self = Self.match(key, .occurredAt, .appVersion, .campaignID, .categoryID)
        case 13: self = Self.match(key, .dismissCause)
        case 15: self = Self.match(key, .notificationID)
        case 16: self = Self.match(key, .categoryVersion)
        case 17: self = Self.match(key, .actionIdentifier)
        case 18: self = Self.match(key, .utcOffsetMinutes)
        default: self = .unknown
        }
    }

    private static func match(
        _ key: Span<UInt8>, _ first: FieldName, _ second: FieldName = .unknown, _ third: FieldName = .unknown,
        _ fourth: FieldName = .unknown
    ) -> FieldName {
        if key.equals(first.name) { return first }
        if second != .unknown, key.equals(second.name) { return second }
        if third != .unknown, key.equals(third.name) { return third }
        if fourth != .unknown, key.equals(fourth.name) { return fourth }
        return .unknown
    }
}
