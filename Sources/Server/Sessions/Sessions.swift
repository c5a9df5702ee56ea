import Ingest

/// The sessions of browsers. One is known by a token in a cookie, of which only a hash is stored.
struct Sessions: Sendable {
    private let desk: SessionDesk
    /// Remembers them as keys are remembered, so that not every request asks the database.
    let ring: KeyRing

    init(_ desk: SessionDesk) {
        self.desk = desk
        // Not for as long as keys: while the database is away there is nothing to read.
        ring = KeyRing(patience: .seconds(60)) { hash in try await desk.find(hash)?.grant }
    }

    var lifetime: Duration { desk.lifetime }

    /// The token of a new session; nil if the key is not good any more.
    func begin(_ grant: KeyGrant) async throws -> String? {
        let token = RandomToken.make()
        return try await desk.begin(KeyRing.hash(of: token), grant.keyID) == nil ? nil : token
    }

    /// The session itself, asked of the database.
    func session(_ token: String) async throws -> Session? {
        let session = try await desk.find(KeyRing.hash(of: token))
        if session == nil { ring.forget(token) }
        return session
    }

    /// From its return on the session is good for nothing here, and within two seconds with other collectors.
    func end(_ token: String) async throws {
        try await desk.end(KeyRing.hash(of: token))
        ring.forget(token)
    }
}
