public import Foundation

/// One event as a device, a provider's server or a simulator posts it.
///
/// Nothing here is checked; the collector answers what is wrong. Absent fields are left out of the JSON.
public struct IngestEvent: Sendable, Hashable, Codable {
    /// The idempotency key: whoever sends the event again sends the same id and the same content.
    public var eventID: UUID
    /// May be absent if `actionIdentifier` implies it.
    public var kind: EventKind?
    /// As the platform gives it.
    public var actionIdentifier: String?
    /// What the person typed, at most 4 KiB of UTF-8.
    public var userText: String?
    /// May be absent if the receipt has it, or the kind is about the device alone.
    public var notificationID: String?
    /// May be absent if the receipt has it.
    public var deviceID: String?
    /// By the device's clock.
    public var occurredAt: Timestamp
    public var campaignID: String?
    public var categoryID: String?
    public var variant: String?
    public var categoryVersion: Int32?
    /// The signed receipt from the payload.
    public var receipt: String?
    public var platform: Platform?
    public var surface: String?
    public var trigger: Trigger?
    public var appState: String?
    public var appVersion: String?
    public var osVersion: String?
    public var locale: String?
    /// Minutes that the device's local time is ahead of UTC.
    public var utcOffsetMinutes: Int32?
    public var dismissCause: String?
    public var handling: Handling?
    /// Why, for `failed` and the kinds that end in `_failed`.
    public var reason: String?
    /// What was achieved, for `converted`.
    public var name: String?
    /// What it was worth, for `converted`: at most six decimals.
    public var value: Decimal?
    /// Three letters of ISO 4217, for `value`.
    public var currency: String?
    /// Anything else, at most 4 KiB of JSON.
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
}
