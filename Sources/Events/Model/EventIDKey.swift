import Crypto
package import Foundation

/// The secret key of an app's event IDs that are derived from content.
///
/// Without it, anyone who knows the content could store another event under the ID first.
package struct EventIDKey: Sendable, Hashable {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the ID of an event with this content: an HMAC-SHA-256, truncated to a UUID of version 8 (RFC 9562).
    package func id(of content: String) -> UUID {
        let code = HMAC<SHA256>.authenticationCode(for: Data(content.utf8), using: SymmetricKey(data: bytes))
        return UUID(version8: code)
    }
}

extension EventIDKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "a key of event IDs" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
