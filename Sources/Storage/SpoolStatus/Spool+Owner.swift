import Crypto
import Foundation
package import Postgres
import SQLFiles
package import Spool

extension Spool {
    /// A short name of the database that outlives dump and restore: of the moment in which its schema was made.
    ///
    /// Apps are numbered alike in every database, so what is spooled for one must not get into another, should the
    /// collector be pointed there.
    ///
    /// - Parameter connection: of the login that migrates: the roles don't see the migrations.
    package static func owner(on connection: Connection) async throws -> String {
        let rows = try await connection.query(SQLFiles.findSchemaTime.text, format: .text)
        let moment = rows.first?.text(0)
        return SHA256.hash(data: Data((moment ?? "").utf8)).prefix(4).map { String(format: "%02x", $0) }.joined()
    }
}
