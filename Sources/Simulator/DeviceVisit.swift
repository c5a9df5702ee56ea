import AfterpushWire

/// A device records some events and gets to post them.
struct DeviceVisit: Sendable, Equatable {
    /// Its place in the fleet.
    let device: Int
    /// When, by the true time: all of the fleet posts in this order.
    let due: Timestamp
    let entries: [DeviceEventLog.Entry]
}
