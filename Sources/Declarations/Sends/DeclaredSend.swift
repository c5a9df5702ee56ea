package import AfterpushWire
package import Foundation

/// Totals of a campaign that were sent without an event for each device.
package struct DeclaredSend: Sendable {
    /// The idempotency key.
    package var id: UUID
    package var campaign: String
    package var category: String?
    /// Nil takes the one in force when they were sent.
    package var categoryVersion: Int32?
    package var variant: String?
    package var platform: Platform?
    /// Notifications that the provider accepted.
    package var count: Int64
    /// Notifications that the provider refused.
    package var failed: Int64
    package var sentAt: Timestamp
}
