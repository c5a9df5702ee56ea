import AfterpushWire
package import Ingest
package import Postgres
import SQLFiles
package import Spool

extension Registry {
    /// Stores a link that shares a view, or returns `nil` if its app has as many as it may have, or its key is revoked.
    package func createShare(_ share: NewShare) async throws -> Share? {
        try await self.pool.withConnection(of: share.appID) { connection in
            try await connection.transaction { connection in
                _ = try connection.query(SQLFiles.lockApp.text, [.int4(share.appID)])
                try connection.execute(SQLFiles.deleteEndedShares.text, [.int4(share.appID)])
                let rows = try connection.query(
                    SQLFiles.createShare.text,
                    [
                        .int4(share.appID), .int4(share.keyID), .bytea(share.hash), .text(share.name),
                        .text(share.view), .float8(Double(share.seconds)), .int8(Int64(NewShare.limit)),
                    ])
                return try rows.first.map { row in
                    let (id, created, end) = try row.decode(Int32.self, Int64.self, Int64.self)
                    return Share(
                        id: id, keyID: share.keyID, app: share.app, name: share.name, view: share.view,
                        createdAt: AfterpushWire.Timestamp(microseconds: created),
                        endsAt: AfterpushWire.Timestamp(microseconds: end))
                }
            }
        }
    }

    /// Returns the links of an app that have not ended, or those of all apps if `app` is `nil`, oldest first.
    package func shares(app: Int32?) async throws -> [Share] {
        try await self.pool.withConnection(of: app) { connection in
            try await connection.query(SQLFiles.listShares.text, [.int4(app)]).map { row in
                let (id, app, key, name, view, created, end) = try row.decode(
                    Int32.self, String.self, Int32?.self, String.self, String.self, Int64.self, Int64.self)
                return Share(
                    id: id, keyID: key, app: app, name: name, view: view,
                    createdAt: AfterpushWire.Timestamp(microseconds: created),
                    endsAt: AfterpushWire.Timestamp(microseconds: end))
            }
        }
    }

    /// Ends a link. Returns whether there was one that fits.
    package func revokeShare(_ id: Int32, app: Int32? = nil, createdBy keyID: Int32? = nil) async throws -> Bool {
        try await self.pool.withConnection(of: app) { connection in
            try await connection.execute(SQLFiles.revokeShare.text, [.int4(id), .int4(app), .int4(keyID)])
        } > 0
    }

    /// Returns the links with these token hashes, without those that don't exist or have ended.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package static func findShares(
        _ hashes: [[UInt8]], of app: Int32? = nil, in pool: ConnectionPool
    ) async throws -> [[UInt8]: SharedAccess] {
        try await pool.withConnection(of: app) { connection in
            var found: [[UInt8]: SharedAccess] = [:]
            for row in try await connection.query(SQLFiles.findShares.text, [.byteaArray(hashes)], prepared: true) {
                let (hash, id, appID, app, name, view, created, end) = try row.decode(
                    Bytes.self, Int32.self, Int32.self, String.self, String.self, String.self, Int64.self, Int64.self)
                let share = Share(
                    id: id, keyID: nil, app: app, name: name, view: view,
                    createdAt: AfterpushWire.Timestamp(microseconds: created),
                    endsAt: AfterpushWire.Timestamp(microseconds: end))
                found[hash.bytes] = SharedAccess(share: share, appID: appID)
            }
            return found
        }
    }
}

/// A store of shared links in the database.
package struct PostgresShareStore: ShareStore {
    private let registry: Registry
    private let pool: ConnectionPool
    private let breaker: CircuitBreaker

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - registry: Changes and lists links, as the owner.
    ///   - pool: The pool of the ingest role, which finds links.
    package init(registry: Registry, pool: ConnectionPool, breaker: CircuitBreaker) {
        self.registry = registry
        self.pool = pool
        self.breaker = breaker
    }

    package func create(_ share: NewShare) async throws -> Share? {
        try await registry.createShare(share)
    }

    package func shares(ofApp id: Int32) async throws -> [Share] { try await registry.shares(app: id) }

    package func revoke(_ id: Int32, ofApp app: Int32, createdBy keyID: Int32?) async throws -> Bool {
        try await registry.revokeShare(id, app: app, createdBy: keyID)
    }

    package func find(_ hashes: [[UInt8]], of app: Int32?) async throws -> [[UInt8]: SharedAccess] {
        try await breaker.run(within: .seconds(2)) { try await Registry.findShares(hashes, of: app, in: pool) }
    }
}
