package import Foundation

/// What makes two events the same one.
///
/// metrics.md: "An event's identity is (delivery, or device for kinds about the device alone; `event_id`; `occurred_at` as
/// sent)."
package struct EventIdentity: Hashable, Sendable {
    package let app: Identifier
    package let notificationID: Identifier?
    package let deviceID: Identifier
    package let eventID: UUID
    package let occurredAt: Int

    package init(_ event: ModelEvent) {
        app = event.app
        notificationID = event.kind.isAboutDeviceAlone ? nil : event.notificationID
        deviceID = event.deviceID
        eventID = event.eventID
        occurredAt = event.occurredAt
    }
}
