package import Foundation

/// An event as it is posted or, once validated, as it counts. Only its receipt can make it invalid.
package struct ModelEvent: Hashable, Sendable {
    package var app: Identifier
    /// Absent only for kinds about the device only.
    package var notificationID: Identifier?
    package var deviceID: Identifier
    package var eventID: UUID
    package var kind: ModelKind
    package var actionIdentifier: Identifier?
    /// The action that it counts for in its delivery, if that differs from its identifier (decision D62).
    var countedAction: Identifier?
    package var userText: String?
    /// In microseconds since the Unix epoch, as sent.
    package var occurredAt: Int
    package var campaign: Identifier?
    package var variant: Identifier?
    package var category: Identifier?
    package var categoryVersion: Int?
    package var platform: Identifier?
    package var appVersion: Identifier?
    package var osVersion: Identifier?
    package var reason: Identifier?
    /// The name of a conversion or outcome, empty if it has none; "purchase" if nil.
    package var name: Identifier?
    /// The value of a conversion, in hundredths.
    package var value: Int?
    package var currency: Identifier?
    package var trigger: String?
    /// The offset of the device's local time from UTC, in minutes.
    package var utcOffset: Int?
    package var receipt: ModelReceipt?
    /// The kinds of the names that are left out because they were past their limit, as the report `health` calls them.
    package var namesPastLimit: Set<Identifier> = []
    /// Whether it is posted with the send key or, once validated, verified by its receipt (decision D60).
    package var verified: Bool
    /// Whether the JSON object contains the kind if the action identifier implies it.
    package var statesKind = true
    /// Whether the JSON object contains the ids if the receipt has them.
    package var statesIDs = true

    package init(
        app: Identifier,
        notificationID: Identifier?,
        deviceID: Identifier,
        eventID: UUID,
        kind: ModelKind,
        occurredAt: Int,
        verified: Bool
    ) {
        self.app = app
        self.notificationID = notificationID
        self.deviceID = deviceID
        self.eventID = eventID
        self.kind = kind
        self.occurredAt = occurredAt
        self.verified = verified
    }
}

extension ModelEvent {
    /// "`converted` may name no notification: then it is an *outcome* of the device alone."
    package var isAboutDeviceAlone: Bool {
        kind.isAboutDeviceAlone || kind == .converted && notificationID == nil
    }
}

/// The identity of an event: two events with the same identity are the same event.
///
/// metrics.md: "An event's identity is (delivery, or device for kinds about the device alone; `event_id`; `occurred_at`
/// as sent)."
package struct EventIdentity: Hashable, Sendable {
    package let app: Identifier
    package let notificationID: Identifier?
    package let deviceID: Identifier
    package let eventID: UUID
    package let occurredAt: Int

    package init(_ event: ModelEvent) {
        app = event.app
        notificationID = event.isAboutDeviceAlone ? nil : event.notificationID
        deviceID = event.deviceID
        eventID = event.eventID
        occurredAt = event.occurredAt
    }
}
