package import Events
package import Foundation

/// A key as it is listed: everything but the key.
package struct Key: Sendable {
    package let id: Int32
    package let app: String
    package let scope: Scope
    /// Its last four characters.
    package let hint: String
    package let createdAt: Date
    package let revokedAt: Date?
}
