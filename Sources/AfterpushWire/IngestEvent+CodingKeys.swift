extension IngestEvent {
    /// The fields' names on the wire.
    enum CodingKeys: String, CodingKey {
        case eventID = "event_id"
        case kind
        case actionIdentifier = "action_identifier"
        case userText = "user_text"
        case notificationID = "notification_id"
        case deviceID = "device_id"
        case occurredAt = "occurred_at"
        case campaignID = "campaign_id"
        case categoryID = "category_id"
        case variant
        case categoryVersion = "category_version"
        case receipt
        case platform
        case surface
        case trigger
        case appState = "app_state"
        case appVersion = "app_version"
        case osVersion = "os_version"
        case locale
        case utcOffsetMinutes = "utc_offset_minutes"
        case dismissCause = "dismiss_cause"
        case handling
        case reason
        case name
        case value
        case currency
        case properties
    }
}
