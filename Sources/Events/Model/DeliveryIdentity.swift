import Crypto
package import Foundation

/// The id of what events are about: the same for everyone who knows the same names.
package enum DeliveryIdentity {
    /// The id of a delivery, or of the device itself without a notification.
    ///
    /// SHA-256 over the names, each after its length, cut to a UUID of version 8 (RFC 9562).
    package static func id(appID: Int32, notificationID: String?, deviceID: String) -> UUID {
        var hash = SHA256()
        var bytes = [UInt8]()
        bytes.reserveCapacity(16 + (notificationID?.utf8.count ?? 0) + deviceID.utf8.count)
        append(UInt32(4), to: &bytes)
        append(UInt32(bitPattern: appID), to: &bytes)
        // Lengths keep ("ab", "c") and ("a", "bc") apart, and a device's own id from that of a delivery.
        if let notificationID { append(notificationID, to: &bytes) }
        append(deviceID, to: &bytes)
        hash.update(data: bytes)
        return uuid(hash.finalize())
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(UInt32(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func uuid(_ digest: SHA256Digest) -> UUID {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (position, byte) in digest.prefix(16).enumerated() {
            if position < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        }
        return UUID(high: high & ~0xF000 | 0x8000, low: low & ~(0xC0 << 56) | 0x80 << 56)
    }
}
