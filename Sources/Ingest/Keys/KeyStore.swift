package import AfterpushWire
package import Events

/// Creates, lists and revokes the API keys of an app.
package protocol KeyStore: Sendable {
    /// Returns the keys of an app, oldest first, with those that are revoked.
    func keys(ofApp id: Int32) async throws -> [APIKeyRecord]
    /// Creates a key and returns it with its record. Only its hash is stored, so it can't be read again.
    func createKey(ofApp id: Int32, scope: Scope) async throws -> (key: String, record: APIKeyRecord)
    /// Revokes a key of an app, and returns whether it has this key. A revoked key stays as it is.
    func revokeKey(_ number: Int32, appID: Int32) async throws -> Bool
}

/// What is known of an API key, without the key itself.
package struct APIKeyRecord: Sendable, Equatable {
    package let number: Int32
    package let scope: Scope
    /// The last four characters of the key.
    package let hint: String
    package let createdAt: Timestamp
    package let revokedAt: Timestamp?

    package init(number: Int32, scope: Scope, hint: String, createdAt: Timestamp, revokedAt: Timestamp?) {
        self.number = number
        self.scope = scope
        self.hint = hint
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}
