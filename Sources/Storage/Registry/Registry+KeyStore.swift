import AfterpushWire
package import Events
import Foundation
package import Ingest
import Postgres
import SQLFiles

extension Registry: KeyStore {
    package func keys(ofApp id: Int32) async throws -> [APIKeyRecord] {
        try await keys(app: try await app(id)).map { APIKeyRecord($0) }
    }

    package func createKey(ofApp id: Int32, scope: Scope) async throws -> (key: String, record: APIKeyRecord) {
        let (key, description) = try await makeKey(app: try await app(id), scope: scope)
        return (key, APIKeyRecord(description))
    }

    package func revokeKey(_ number: Int32, appID: Int32) async throws -> Bool {
        try await self.pool.withConnection(of: appID) { connection in
            try await connection.execute(SQLFiles.revokeAppKey.text, [.int4(number), .int4(appID)])
        } > 0
    }
}

extension APIKeyRecord {
    fileprivate init(_ key: Key) {
        self.init(
            number: key.id, scope: key.scope, hint: key.hint, createdAt: Self.time(key.createdAt),
            revokedAt: key.revokedAt.map(Self.time))
    }

    private static func time(_ date: Date) -> AfterpushWire.Timestamp {
        AfterpushWire.Timestamp(microseconds: Int64(date.timeIntervalSince1970 * 1_000_000))
    }
}
