package import AfterpushWire
package import Events

/// A rejection as `rejected_events` keeps it.
package struct StoredRejection: Sendable {
    package let appID: Int32
    package let receivedAt: Timestamp
    package let rejection: Rejection
}
