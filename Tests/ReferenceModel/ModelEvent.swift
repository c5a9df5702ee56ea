package import Foundation

/// An event as it is posted; once it is believed, as it counts. It is rejected for its receipt or not at all.
package struct ModelEvent: Hashable, Sendable {
    package var app: Identifier
    /// Absent only for kinds about the device alone.
    package var notificationID: Identifier?
    package var deviceID: Identifier
    package var eventID: UUID
    package var kind: ModelKind
    package var actionIdentifier: Identifier?
    package var userText: String?
    /// Microseconds since the Unix epoch, as sent.
    package var occurredAt: Int
    package var campaign: Identifier?
    package var variant: Identifier?
    package var category: Identifier?
    package var categoryVersion: Int?
    package var platform: Identifier?
    package var appVersion: Identifier?
    package var osVersion: Identifier?
    package var reason: Identifier?
    package var trigger: String?
    package var receipt: ModelReceipt?
    /// Posted with the send key; once it is believed, also vouched for by its receipt.
    package var verified: Bool
    /// Whether the wire object says the kind, where the action identifier implies it.
    package var statesKind = true
    /// Whether the wire object has the ids, where the receipt has them.
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
