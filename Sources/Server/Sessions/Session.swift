package import AfterpushWire
package import Ingest

/// A signed-in browser: what its key grants, and until when.
package struct Session: Sendable {
    package let grant: APIKeyGrant
    package let endsAt: Timestamp

    package init(grant: APIKeyGrant, endsAt: Timestamp) {
        self.grant = grant
        self.endsAt = endsAt
    }
}
