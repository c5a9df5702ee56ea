package import AfterpushWire

/// Keeps the sessions of browsers, by the SHA-256 of their tokens.
package protocol SessionStore: Sendable {
    /// The time after which a session ends.
    var lifetime: Duration { get }
    /// Begins a session and returns its end, or `nil` if the key is unknown or revoked.
    func begin(_ hash: [UInt8], keyID: Int32) async throws -> Timestamp?
    /// Returns the sessions by their hash, without those that are unknown or expired, or whose key was revoked.
    func find(_ hashes: [[UInt8]]) async throws -> [[UInt8]: Session]
    /// Ends the session, if there is one.
    func end(_ hash: [UInt8]) async throws
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
