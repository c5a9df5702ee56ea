/// The fields of an event that have a meaning of their own.
enum FieldName: UInt8, Sendable, CaseIterable {
    case eventID, kind, actionIdentifier, userText, notificationID, deviceID, occurredAt
    case campaignID, categoryID, variant, categoryVersion, receipt
    case platform, surface, trigger, appState, appVersion, osVersion, locale, utcOffsetMinutes
    case dismissCause, handling, reason, name, value, currency, properties
    /// Any other field; it goes into the properties.
    case unknown

    var bit: UInt64 { 1 << UInt64(rawValue) }

    /// The field's name on the wire. Unknown ones are named after where they go: what they are called could be anything.
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
