package import AfterpushWire

/// Keeps the sessions of browsers, by the SHA-256 of their tokens.
package protocol SessionStore: Sendable {
    /// The time after which a session ends.
    var lifetime: Duration { get }
    /// Begins a session and returns its end, or `nil` if the key is unknown or revoked.
    func begin(_ hash: [UInt8], of grant: APIKeyGrant) async throws -> Timestamp?
    /// Returns the sessions by their hash, without those that are unknown or expired, or whose key was revoked.
    ///
    /// - Parameter app: The app that asks, if it is known.
    func find(_ hashes: [[UInt8]], of app: Int32?) async throws -> [[UInt8]: Session]
    /// Ends the session of an app, if there is one.
    func end(_ hash: [UInt8], of app: Int32) async throws
}

/// A browser's session: what its key grants, and when it ends.
package struct Session: Sendable {
    package let grant: APIKeyGrant
    package let endsAt: Timestamp

    package init(grant: APIKeyGrant, endsAt: Timestamp) {
        self.grant = grant
        self.endsAt = endsAt
    }
}
