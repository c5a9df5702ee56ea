package import AfterpushWire
import Events
package import Ingest
package import Postgres
import SQLFiles

extension Registry {
    /// Begins a session of a key, by the SHA-256 of its token.
    ///
    /// - Parameter pool: of the role that finds keys.
    /// - Returns: when it ends; nil if the key is not good.
    package static func beginSession(
        _ hash: [UInt8], keyID: Int32, lifetime: Duration, in pool: ConnectionPool
    ) async throws -> AfterpushWire.Timestamp? {
        try await pool.withConnection { connection in
            let seconds = Double(lifetime.components.seconds)
            let rows = try await connection.query(
                SQLFiles.beginSession.text, [.bytea(hash), .int4(keyID), .float8(seconds)])
            return try rows.first.map { try AfterpushWire.Timestamp(microseconds: $0.decode(Int64.self)) }
        }
    }

    /// Returns what the session with this token hash grants, and when it ends; nil if there is no such session.
    ///
    /// - Parameter pool: of the role that finds keys.
    package static func findSession(
        _ hash: [UInt8], in pool: ConnectionPool
    ) async throws -> (grant: APIKeyGrant, endsAt: AfterpushWire.Timestamp)? {
        try await pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.findSession.text, [.bytea(hash)], prepared: true)
            guard let row = rows.first else { return nil }
            let (id, app, name, scope, requiresReceipt, end) = try row.decode(
                Int32.self, Int32.self, String.self, String.self, Bool.self, Int64.self)
            guard let scope = Scope(rawValue: scope) else { return nil }
            let grant = APIKeyGrant(
                keyID: id, appID: app, appName: name, scope: scope, requiresReceipt: requiresReceipt)
            return (grant, AfterpushWire.Timestamp(microseconds: end))
        }
    }

    /// Ends a session, if there is one.
    ///
    /// - Parameter pool: of the role that finds keys.
    package static func endSession(_ hash: [UInt8], in pool: ConnectionPool) async throws {
        _ = try await pool.withConnection { connection in
            try await connection.execute(SQLFiles.endSession.text, [.bytea(hash)])
        }
    }
}
