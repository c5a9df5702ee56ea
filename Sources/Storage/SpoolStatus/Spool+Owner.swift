import Crypto
import Foundation
package import Postgres
import SQLFiles
package import Spool

extension Spool {
    /// Returns a short identifier of the database that survives dump and restore: a hash of its schema's creation time.
    ///
    /// Another database may use the same app numbers, so events that were spooled for one must not be replayed into another
    /// after the collector's database was changed.
    ///
    /// - Parameter connection: A connection of the login that migrates, because the roles can't read the migrations.
    package static func owner(on connection: Connection) async throws -> String {
        let rows = try await connection.query(SQLFiles.findSchemaTime.text, format: .text)
        let moment = rows.first?.text(0)
        return SHA256.hash(data: Data((moment ?? "").utf8)).prefix(4).map { String(format: "%02x", $0) }.joined()
    }
}
