import Crypto
package import Foundation

/// Derives the ID of a delivery from its names, so that everyone who knows the names gets the same ID.
package enum DeliveryIdentity {
    /// Returns the ID of a delivery or, without a notification, of the device.
    ///
    /// It is the SHA-256 of the names, each preceded by its length, truncated to a UUID of version 8 (RFC 9562).
    package static func id(appID: Int32, notificationID: String?, deviceID: String) -> UUID {
        var hash = SHA256()
        var bytes = [UInt8]()
        bytes.reserveCapacity(16 + (notificationID?.utf8.count ?? 0) + deviceID.utf8.count)
        append(UInt32(4), to: &bytes)
        append(UInt32(bitPattern: appID), to: &bytes)
        // Lengths distinguish ("ab", "c") from ("a", "bc"), and a device's ID from that of a delivery.
        if let notificationID { append(notificationID, to: &bytes) }
        append(deviceID, to: &bytes)
        hash.update(data: bytes)
        return UUID(version8: hash.finalize())
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(UInt32(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }
}
