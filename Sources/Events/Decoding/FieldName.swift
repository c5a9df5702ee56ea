import JSON

/// A field of an event that has a meaning of its own.
enum FieldName: UInt8, Sendable, CaseIterable {
    case eventID, kind, actionIdentifier, userText, notificationID, deviceID, occurredAt
    case campaignID, categoryID, variant, categoryVersion, receipt
    case platform, surface, trigger, appState, appVersion, osVersion, locale, utcOffsetMinutes
    case dismissCause, handling, reason, name, value, currency, properties
    /// A field without a meaning of its own, which becomes one of the properties.
    case unknown

    var bit: UInt64 { 1 << UInt64(rawValue) }

    /// The field's name in JSON. An unknown field, whose own name could be anything, is called `properties`.
    var name: StaticString {
        switch self {
        case .eventID: "event_id"
        case .kind: "kind"
        case .actionIdentifier: "action_identifier"
        case .userText: "user_text"
        case .notificationID: "notification_id"
        case .deviceID: "device_id"
        case .occurredAt: "occurred_at"
        case .campaignID: "campaign_id"
        case .categoryID: "category_id"
        case .variant: "variant"
        case .categoryVersion: "category_version"
        case .receipt: "receipt"
        case .platform: "platform"
        case .surface: "surface"
        case .trigger: "trigger"
        case .appState: "app_state"
        case .appVersion: "app_version"
        case .osVersion: "os_version"
        case .locale: "locale"
        case .utcOffsetMinutes: "utc_offset_minutes"
        case .dismissCause: "dismiss_cause"
        case .handling: "handling"
        case .reason: "reason"
        case .name: "name"
        case .value: "value"
        case .currency: "currency"
        case .properties, .unknown: "properties"
        }
    }
}

extension FieldName {
    /// Finds the field that a key names. The key's length leaves at most four candidates to compare.
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
