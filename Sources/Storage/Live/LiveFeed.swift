package import Postgres
import SQLFiles

/// Reads what of each app became visible since it was read last: of all collectors that use the database.
package actor LiveFeed {
    /// More events in a second are extrapolated from these.
    private static let counted = 10_000
    private static let latest = 12

    private let pool: ConnectionPool
    private var cursors: [Int32: LiveCursor] = [:]

    /// - Parameter pool: of the role that writes deliveries and rollups, for short questions.
    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// A JSON object about the time since this was asked last; about nothing the first time.
    package func summary(ofApp id: Int32) async throws -> String {
        let cursor = self.cursors[id] ?? LiveCursor()
        let parameters: [Parameter] = [
            .int4(id), .int8(cursor.floor), .int8Array(cursor.told.sorted()), .int8(Self.counted), .int8(Self.latest),
        ]
        let (text, batches, last) = try await self.pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.readLive.text, parameters)
            return try rows[0].decode(String.self, [Int64].self, Int64.self)
        }
        var next = cursor
        next.take(batches, last: last)
        self.cursors[id] = next
        return text
    }

    /// Forgets the apps without listeners.
    package func keep(_ apps: [Int32]) {
        self.cursors = self.cursors.filter { apps.contains($0.key) }
    }
}
