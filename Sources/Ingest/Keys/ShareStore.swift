package import AfterpushWire
import Events

/// Keeps the links that share one view of the dashboard, by the SHA-256 of their tokens.
package protocol ShareStore: Sendable {
    /// Stores a link, or returns `nil` if its app has as many as it may have.
    func create(_ share: NewShare) async throws -> Share?
    /// Returns the links of an app that have not ended, oldest first.
    func shares(ofApp id: Int32) async throws -> [Share]
    /// Ends a link of an app, if `keyID` is `nil` or created it. Returns whether there was one.
    func revoke(_ id: Int32, ofApp app: Int32, createdBy keyID: Int32?) async throws -> Bool
    /// Returns the links by their hash, without those that are unknown or have ended.
    ///
    /// - Parameter app: The app that asks, if it is known.
    func find(_ hashes: [[UInt8]], of app: Int32?) async throws -> [[UInt8]: SharedAccess]
}

/// A link to create.
package struct NewShare: Sendable {
    /// The most links of an app that have not ended.
    package static let limit = 100
    /// The shortest and the longest time after which a link ends, in seconds.
    package static let lifetimes: ClosedRange<Int64> = 300...90 * 86_400

    package let appID: Int32
    package let app: String
    /// The key that creates the link, or `nil` for the command line. The link ends with its key.
    package let keyID: Int32?
    /// The SHA-256 of the token.
    package let hash: [UInt8]
    package let name: String
    /// The address of the page with its filters.
    package let view: String
    package let seconds: Int64

    package init(
        appID: Int32, app: String, keyID: Int32?, hash: [UInt8], name: String, view: String, seconds: Int64
    ) {
        self.appID = appID
        self.app = app
        self.keyID = keyID
        self.hash = hash
        self.name = name
        self.view = view
        self.seconds = seconds
    }
}

/// A link as those see it who list links, without its token.
package struct Share: Sendable {
    package let id: Int32
    package let keyID: Int32?
    package let app: String
    package let name: String
    package let view: String
    package let createdAt: Timestamp
    package let endsAt: Timestamp

    package init(
        id: Int32, keyID: Int32?, app: String, name: String, view: String, createdAt: Timestamp, endsAt: Timestamp
    ) {
        self.id = id
        self.keyID = keyID
        self.app = app
        self.name = name
        self.view = view
        self.createdAt = createdAt
        self.endsAt = endsAt
    }
}

/// What a link grants: the link, and its app as a grant that only reports and the description of the link accept.
package struct SharedAccess: Sendable {
    package let share: Share
    package let grant: APIKeyGrant

    package init(share: Share, appID: Int32) {
        self.share = share
        // Numbers of keys are positive, so a link has a share of its own in what is divided among keys.
        grant = APIKeyGrant(
            keyID: -share.id, appID: appID, appName: share.app, scope: .read, sharedView: share.view)
    }
}
