import Crypto
import Foundation

/// A key that erased devices are hashed with, so that their list does not tell who they were.
package struct DeviceKey: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// HMAC-SHA-256 of a device's id, as the database's `device_hash` makes it.
    package func hash(of device: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(device.utf8), using: SymmetricKey(data: bytes)))
    }
}
