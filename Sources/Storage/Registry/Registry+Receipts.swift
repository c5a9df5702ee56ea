import Events
package import Postgres
package import Receipts
import SQLFiles

extension Registry {
    /// The bytes of the app's current receipt secret; made if there is none.
    package func receiptSecret(of app: App) async throws -> [UInt8] {
        try await self.pool.withConnection { connection in
            try await connection.transaction { connection in
                try Self.lock(app, connection)
                let rows = try connection.query(
                    "select secret from afterpush.receipt_secrets where app_id = $1 and retired_at is null",
                    [.int4(app.id)])
                if let row = rows.first { return row.bytes(0) ?? [] }
                return try Self.newSecret(app, connection)
            }
        }
    }

    /// Makes a new receipt secret and returns its bytes.
    ///
    /// The one before goes on verifying for `ReceiptLifetime.overlap`; `atOnce` ends it and all older ones now.
    package func rotateReceiptSecret(of app: App, atOnce: Bool = false) async throws -> [UInt8] {
        try await self.pool.withConnection { connection in
            try await connection.transaction { connection in
                try Self.lock(app, connection)
                try connection.execute(
                    """
                    update afterpush.receipt_secrets
                    set retired_at = now() + make_interval(secs => $2)
                    where app_id = $1 and (retired_at is null or $2 = 0 and retired_at > now())
                    """, [.int4(app.id), .float8(atOnce ? 0 : Double(ReceiptLifetime.overlap.components.seconds))])
                let verifying = try connection.query(
                    "select count(*) from afterpush.receipt_secrets where app_id = $1 and retired_at > now()",
                    [.int4(app.id)]
                ).first?.decode(Int64.self, column: 0)
                guard verifying ?? 0 < ReceiptLifetime.secrets else {
                    throw RegistryError.tooManySecrets(limit: ReceiptLifetime.secrets)
                }
                return try Self.newSecret(app, connection)
            }
        }
    }

    package func setReceiptPolicy(_ policy: ReceiptPolicy, of app: App) async throws {
        try await self.pool.withConnection { connection in
            _ = try await connection.execute(
                "update afterpush.apps set receipt_policy = $2 where app_id = $1",
                [.int4(app.id), .text(policy.rawValue)])
        }
    }

    /// The secrets that receipts of an app verify with, the one to sign with first.
    ///
    /// - Parameter pool: of the role that takes events.
    package static func receiptSecrets(ofApp id: Int32, in pool: ConnectionPool) async throws -> [[UInt8]] {
        try await pool.withConnection { connection in
            try await connection.query(SQLFiles.findReceiptSecrets.text, [.int4(id)], prepared: true)
                .compactMap { $0.bytes(0) }
        }
    }

    /// Two that rotate at the same moment take turns.
    private static func lock(_ app: App, _ connection: isolated Connection) throws {
        _ = try connection.query("select from afterpush.apps where app_id = $1 for update", [.int4(app.id)])
    }

    private static func newSecret(_ app: App, _ connection: isolated Connection) throws -> [UInt8] {
        let rows = try connection.query(
            "insert into afterpush.receipt_secrets (app_id) values ($1) returning secret", [.int4(app.id)])
        return rows.first?.bytes(0) ?? []
    }
}
