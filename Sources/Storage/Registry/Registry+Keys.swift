import Declarations
package import Events
package import Foundation
package import Ingest
package import Postgres
import Receipts
import SQLFiles

extension Registry {
    /// The most valid keys of an app.
    private static let mostKeys = 10_000

    /// Creates a key and returns it. Only its hash is stored, so it can't be shown again.
    package func createKey(app: App, scope: Scope) async throws -> String {
        try await makeKey(app: app, scope: scope).key
    }

    /// Creates a key and returns it with its description.
    ///
    /// - Throws: `DeclarationError` if the app has too many valid keys.
    func makeKey(app: App, scope: Scope) async throws -> (key: String, description: Key) {
        let key = "ap_\(scope.rawValue)_\(Self.random())"
        let hint = String(key.suffix(4))
        return try await self.pool.withConnection(of: app.id) { connection in
            try await connection.transaction { connection in
                _ = try connection.query(SQLFiles.lockApp.text, [.int4(app.id)])
                let row = try connection.query(
                    SQLFiles.createKey.text,
                    [
                        .int4(app.id), .bytea(APIKeyCache.hash(of: key)), .text(scope.rawValue), .text(hint),
                        .int8(Self.mostKeys),
                    ]
                ).first
                guard let (id, created) = try row?.decode(Int32.self, Date.self) else {
                    throw DeclarationError(
                        .entry(.limitExceeded),
                        "an app has at most \(Self.mostKeys) keys that are not revoked; revoke some first")
                }
                return (
                    key,
                    Key(id: id, app: app.name, scope: scope, hint: hint, createdAt: created, revokedAt: nil)
                )
            }
        }
    }

    /// Returns the keys of an app, or of all apps if `app` is `nil`, oldest first: all valid ones, and of each app the
    /// thousand that were revoked last.
    package func keys(app: App?) async throws -> [Key] {
        try await self.pool.withConnection(of: app?.id) { connection in
            let rows = try await connection.query(SQLFiles.listKeys.text, [.int4(app?.id)])
            return try rows.map { row in
                let (id, app, scope, hint, created, revoked) = try row.decode(
                    Int32.self, String.self, String.self, String.self, Date.self, Date?.self)
                return Key(
                    id: id, app: app, scope: Scope(rawValue: scope) ?? .ingest, hint: hint, createdAt: created,
                    revokedAt: revoked)
            }
        }
    }

    /// Revokes a key; has no effect if it is revoked already.
    package func revokeKey(_ id: Int32) async throws {
        let affected = try await self.pool.withConnection { connection in
            try await connection.execute(SQLFiles.revokeKey.text, [.int4(id)])
        }
        if affected == 0 { throw RegistryError.noSuchKey(id) }
    }

    /// Returns what the keys with these SHA-256 hashes grant, without keys that don't exist or were revoked.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package static func findKeys(
        _ hashes: [[UInt8]], of app: Int32? = nil, in pool: ConnectionPool
    ) async throws -> [[UInt8]: APIKeyGrant] {
        try await pool.withConnection(of: app) { connection in
            var grants: [[UInt8]: APIKeyGrant] = [:]
            for row in try await connection.query(SQLFiles.findKeys.text, [.byteaArray(hashes)], prepared: true) {
                let (hash, id, app, name, scope, requiresReceipt) = try row.decode(
                    Bytes.self, Int32.self, Int32.self, String.self, String.self, Bool.self)
                grants[hash.bytes] = Scope(rawValue: scope).map {
                    APIKeyGrant(
                        keyID: id, appID: app, appName: name, scope: $0, requiresReceipt: requiresReceipt,
                        eventIDKey: EventIDKey(row.bytes(6) ?? []))
                }
            }
            return grants
        }
    }

    /// Returns the key of an app's event IDs that are derived from content.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package static func eventIDKey(ofApp id: Int32, in pool: ConnectionPool) async throws -> EventIDKey {
        try await pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.findEventIDKey.text, [.int4(id)])
            return EventIDKey(rows.first?.bytes(0) ?? [])
        }
    }

    /// Returns 32 random bytes as base64url.
    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Base64URL.encode(bytes)
    }
}

/// The description of an API key, without the key itself.
package struct Key: Sendable {
    package let id: Int32
    package let app: String
    package let scope: Scope
    /// The last four characters of the key.
    package let hint: String
    package let createdAt: Date
    package let revokedAt: Date?
}
