import Crypto
package import Foundation

/// Derives the ID of a delivery from its names, so that everyone who knows the names gets the same ID.
package enum DeliveryIdentity {
    /// Returns the ID of a delivery or, without a notification, of the device.
    ///
    /// It is the SHA-256 of the names, each preceded by its length, truncated to a UUID of version 8 (RFC 9562). The low
    /// seven bits of a delivery's ID are the bucket of its device, so that SQL finds it there.
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
        return UUID(version8: hash.finalize(), lastBits: notificationID == nil ? nil : deviceBucket(deviceID))
    }

    /// Returns the bucket of a device, 0 to 127: the cluster to which reports assign all its deliveries.
    ///
    /// It is the 64-bit FNV-1a hash of the name with the last steps of MurmurHash3's finalizer, because the hash alone
    /// spreads names that end in a number unevenly. No secret depends on it.
    package static func deviceBucket(_ deviceID: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in deviceID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        return (hash ^ hash >> 33) & 0x7F
    }

    /// The number of slices into which devices are divided, so that several workers can merge events side by side.
    package static let slices = 4

    /// Returns the slice, from 0, to which all events with an ID belong: two bits of the bucket of a delivery's device.
    /// SQL computes it, too (function `device_slice`).
    package static func slice(of id: UUID) -> Int {
        Int(id.uuid.15) % slices
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(UInt32(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }
}
