package import AfterpushWire
import Events
package import Ingest
package import Postgres
import SQLFiles
package import Spool

extension Registry {
    /// Begins a session of a key, identified by the SHA-256 of the session's token.
    ///
    /// - Parameter pool: The pool of the ingest role.
    /// - Returns: The time when the session ends, or `nil` if the key is invalid.
    package static func beginSession(
        _ hash: [UInt8], of grant: APIKeyGrant, lifetime: Duration, in pool: ConnectionPool
    ) async throws -> AfterpushWire.Timestamp? {
        try await pool.withConnection(of: grant.appID) { connection in
            let seconds = Double(lifetime.components.seconds)
            let rows = try await connection.query(
                SQLFiles.beginSession.text, [.bytea(hash), .int4(grant.keyID), .float8(seconds)])
            return try rows.first.map { try AfterpushWire.Timestamp(microseconds: $0.decode(Int64.self)) }
        }
    }

    /// Returns what the sessions with these token hashes grant and when they end, without those that don't exist.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package static func findSessions(
        _ hashes: [[UInt8]], of app: Int32? = nil, in pool: ConnectionPool
    ) async throws -> [[UInt8]: Session] {
        try await pool.withConnection(of: app) { connection in
            var sessions: [[UInt8]: Session] = [:]
            for row in try await connection.query(SQLFiles.findSessions.text, [.byteaArray(hashes)], prepared: true) {
                let (hash, id, app, name, scope, requiresReceipt, end) = try row.decode(
                    Bytes.self, Int32.self, Int32.self, String.self, String.self, Bool.self, Int64.self)
                guard let scope = Scope(rawValue: scope) else { continue }
                let grant = APIKeyGrant(
                    keyID: id, appID: app, appName: name, scope: scope, requiresReceipt: requiresReceipt)
                sessions[hash.bytes] = Session(grant: grant, endsAt: AfterpushWire.Timestamp(microseconds: end))
            }
            return sessions
        }
    }

    /// Ends the session with this token hash, if it exists.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package static func endSession(_ hash: [UInt8], of app: Int32, in pool: ConnectionPool) async throws {
        _ = try await pool.withConnection(of: app) { connection in
            try await connection.execute(SQLFiles.endSession.text, [.bytea(hash)])
        }
    }
}

/// A store of browser sessions in the database.
///
/// Short time limits keep requests from waiting for a database that doesn't respond.
package struct PostgresSessionStore: SessionStore {
    package let lifetime: Duration
    private let pool: ConnectionPool
    private let breaker: CircuitBreaker

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - pool: The pool of the ingest role.
    ///   - lifetime: The time after which a session ends.
    package init(pool: ConnectionPool, breaker: CircuitBreaker, lifetime: Duration) {
        self.pool = pool
        self.breaker = breaker
        self.lifetime = lifetime
    }

    package func begin(_ hash: [UInt8], of grant: APIKeyGrant) async throws -> AfterpushWire.Timestamp? {
        try await breaker.run(within: .seconds(4)) {
            try await Registry.beginSession(hash, of: grant, lifetime: lifetime, in: pool)
        }
    }

    package func find(_ hashes: [[UInt8]], of app: Int32?) async throws -> [[UInt8]: Session] {
        try await breaker.run(within: .seconds(2)) { try await Registry.findSessions(hashes, of: app, in: pool) }
    }

    package func end(_ hash: [UInt8], of app: Int32) async throws {
        try await breaker.run(within: .seconds(4)) { try await Registry.endSession(hash, of: app, in: pool) }
    }
}
