public import Foundation

/// An event as a device, a provider's server or the simulator posts it.
///
/// Nothing is validated here: the collector rejects what is invalid and says why. Absent fields are left out of the JSON.
public struct IngestEvent: Sendable, Hashable, Codable {
    /// The idempotency key. A retry sends the same id with the same content, and the collector stores it once.
    public var eventID: UUID
    /// The kind of the event. Optional if ``actionIdentifier`` implies it.
    public var kind: EventKind?
    /// The identifier of the action, as the platform reports it.
    public var actionIdentifier: String?
    /// The text that the person typed, at most 4 KiB of UTF-8.
    public var userText: String?
    /// The notification. Optional if the receipt names it, or if the kind is about the device alone.
    public var notificationID: String?
    /// The device. Optional if the receipt names it.
    public var deviceID: String?
    /// The time of the event by the device's clock.
    public var occurredAt: Timestamp
    /// The id of the campaign that the notification belongs to.
    public var campaignID: String?
    /// The identifier of the notification's category.
    public var categoryID: String?
    /// The variant of the campaign.
    public var variant: String?
    /// The version of the category that the device had registered.
    public var categoryVersion: Int32?
    /// The signed receipt from the payload.
    public var receipt: String?
    /// The platform of the device.
    public var platform: Platform?
    /// The place where the notification was shown, such as `banner` or `lock_screen`.
    public var surface: String?
    /// The trigger that made the system show the notification.
    public var trigger: Trigger?
    /// The state of the app: `active`, `inactive` or `background`.
    public var appState: String?
    /// The version of the app, such as `2.4.0`.
    public var appVersion: String?
    /// The version of the operating system, such as `18.1`.
    public var osVersion: String?
    /// The locale as a language tag, such as `de-DE`.
    public var locale: String?
    /// The difference between local time and UTC in minutes, positive east of Greenwich.
    public var utcOffsetMinutes: Int32?
    /// The cause of a dismissal, on platforms that also report dismissals by the system.
    public var dismissCause: String?
    /// The part of the app that handled the response.
    public var handling: Handling?
    /// The reason of a failure, for `failed` and the kinds that end in `_failed`.
    public var reason: String?
    /// The name of the goal, for `converted`.
    public var name: String?
    /// The value of the conversion, with at most six decimals.
    public var value: Decimal?
    /// The currency of ``value``, three letters of ISO 4217.
    public var currency: String?
    /// The other data of the app, at most 4 KiB of JSON.
    public var properties: [String: JSONValue]?

    public init(
        eventID: UUID, kind: EventKind?, notificationID: String?, deviceID: String?, occurredAt: Timestamp
    ) {
        self.eventID = eventID
        self.kind = kind
        self.notificationID = notificationID
        self.deviceID = deviceID
        self.occurredAt = occurredAt
    }

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

/// The platform that showed a notification. Raw values are the words on the wire.
public enum Platform: String, Sendable, Hashable, Codable, CaseIterable {
    case iOS = "ios"
    case macOS = "macos"
    case watchOS = "watchos"
    case visionOS = "visionos"
    case android
    case web
}

/// The trigger that made the system show a notification. Raw values are the words on the wire.
public enum Trigger: String, Sendable, Hashable, Codable, CaseIterable {
    case push
    case timeInterval = "time_interval"
    case calendar
    case location

    /// A Boolean value that says whether the app scheduled the notification itself, so that no server knows of it.
    public var isLocal: Bool { self != .push }
}

/// The part of the app that handled a response. Raw values are the words on the wire.
public enum Handling: String, Sendable, Hashable, Codable, CaseIterable {
    /// The app handled it.
    case app
    /// The content extension handled it alone.
    case `extension`
    /// The content extension recorded it and forwarded it to the app.
    case forwarded
}

/// The body of `POST /v1/events`.
public struct IngestRequest: Sendable, Hashable, Codable {
    /// The time of sending by the device's clock. The collector corrects the times of the events by its error.
    public var sentAt: Timestamp?
    /// The events, at most 5,000.
    public var events: [IngestEvent]

    public init(sentAt: Timestamp? = nil, events: [IngestEvent]) {
        self.sentAt = sentAt
        self.events = events
    }

    enum CodingKeys: String, CodingKey {
        case sentAt = "sent_at"
        case events
    }
}
