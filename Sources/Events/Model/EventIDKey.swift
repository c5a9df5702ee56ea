import Crypto
package import Foundation

/// The secret key of an app's event IDs that are derived from content.
///
/// Without it, anyone who knows the content could store another event under the ID first.
package struct EventIDKey: Sendable, Hashable {
    private let bytes: [UInt8]
    /// The code of no content yet. Each ID goes on from it, so the key is hashed once rather than for each event.
    private let start: HMAC<SHA256>

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        start = HMAC(key: SymmetricKey(data: bytes))
    }

    /// Returns the ID of an event with this content: an HMAC-SHA-256, truncated to a UUID of version 8 (RFC 9562).
    package func id(of content: [UInt8]) -> UUID {
        var code = start
        code.update(data: content)
        return UUID(version8: code.finalize())
    }

    package static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension EventIDKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "a key of event IDs" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
