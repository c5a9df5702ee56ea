import Events
package import Postgres
package import Receipts
import SQLFiles

extension Registry {
    /// Returns the bytes of the app's current receipt secret, and creates one if the app has no secret.
    package func receiptSecret(of app: App) async throws -> [UInt8] {
        try await self.pool.withConnection(of: app.id) { connection in
            try await connection.transaction { connection in
                try Self.lock(app, connection)
                let rows = try connection.query(SQLFiles.findCurrentReceiptSecret.text, [.int4(app.id)])
                if let row = rows.first { return row.bytes(0) ?? [] }
                return try Self.newSecret(app, connection)
            }
        }
    }

    /// Creates a new receipt secret and returns its bytes.
    ///
    /// The previous secret stays valid for `ReceiptLifetime.overlap`; `atOnce` retires all older secrets now.
    package func rotateReceiptSecret(of app: App, atOnce: Bool = false) async throws -> [UInt8] {
        try await self.pool.withConnection(of: app.id) { connection in
            try await connection.transaction { connection in
                try Self.lock(app, connection)
                let overlap = atOnce ? 0 : Double(ReceiptLifetime.overlap.components.seconds)
                try connection.execute(SQLFiles.retireReceiptSecrets.text, [.int4(app.id), .float8(overlap)])
                let verifying = try connection.query(
                    SQLFiles.countRetiredReceiptSecrets.text, [.int4(app.id)]
                ).first?.decode(Int64.self, column: 0)
                guard verifying ?? 0 < ReceiptLifetime.secrets else {
                    throw RegistryError.tooManySecrets(limit: ReceiptLifetime.secrets)
                }
                return try Self.newSecret(app, connection)
            }
        }
    }

    package func setReceiptPolicy(_ policy: ReceiptPolicy, of app: App) async throws {
        try await self.pool.withConnection(of: app.id) { connection in
            _ = try await connection.execute(
                SQLFiles.setReceiptPolicy.text, [.int4(app.id), .text(policy.rawValue)])
        }
    }

    /// Returns the valid receipt secrets of an app; the first one is used to sign.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package static func receiptSecrets(ofApp id: Int32, in pool: ConnectionPool) async throws -> [[UInt8]] {
        try await pool.withConnection(of: id) { connection in
            try await connection.query(SQLFiles.findReceiptSecrets.text, [.int4(id)], prepared: true)
                .compactMap { $0.bytes(0) }
        }
    }

    /// Locks the app, so that concurrent rotations run one after another.
    private static func lock(_ app: App, _ connection: isolated Connection) throws {
        _ = try connection.query(SQLFiles.lockApp.text, [.int4(app.id)])
    }

    private static func newSecret(_ app: App, _ connection: isolated Connection) throws -> [UInt8] {
        let rows = try connection.query(SQLFiles.createReceiptSecret.text, [.int4(app.id)])
        return rows.first?.bytes(0) ?? []
    }
}
