package import AfterpushWire
package import Foundation

/// One thing that happened, believed: only the validating initialiser makes one, and nobody checks it again.
///
/// What is rarely stated is grouped in `details`, so that an event is cheap to move through queues.
package struct Event: Sendable {
    package let appID: Int32
    /// What it happened to: (app, notification, device), or (app, device) for a kind about the device alone.
    package let deliveryID: UUID
    package let eventID: UUID
    package let kind: EventKind
    /// As the platform gave it.
    package let actionIdentifier: String?
    /// What the person typed; for `replies` alone.
    package let userText: String?
    /// Never nil unless the kind is about the device alone.
    package let notificationID: String?
    package let deviceID: String
    /// By the device's clock, as sent.
    package let deviceTime: Timestamp
    /// Corrected by how far the device's clock was off when it sent.
    package let occurredAt: Timestamp
    /// What was added to `deviceTime`; 0 for less than a minute, nil if the request does not state `sent_at`.
    package let skewMilliseconds: Int64?
    package let campaignID: String?
    package let variant: String?
    package let categoryID: String?
    package let categoryVersion: Int32?
    package let platform: Platform?
    /// Whether a receipt bound to the device, or the key of a server, vouches for it.
    package let verified: Bool
    package let receiptIssuedAt: Timestamp?
    /// Nil if nothing of it was stated.
    package let details: EventDetails?
}
