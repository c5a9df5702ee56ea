package import Dialects
package import Postgres
import SQLFiles

extension Registry: DialectConfigurationStore {
    package func put(_ configuration: DialectConfiguration, app: Int32) async throws {
        try await self.pool.withConnection(of: app) { connection in
            _ = try await connection.execute(
                SQLFiles.putDialectSettings.text, [.int4(app), .text(configuration.json)])
        }
    }

    package func dialectConfiguration(app: Int32) async throws -> DialectConfiguration {
        try await Self.dialectConfiguration(app: app, in: self.pool)
    }

    /// Returns what an app has set for dialects, or the defaults.
    ///
    /// Settings that this program can't read, such as those of a newer one, count as the defaults.
    package static func dialectConfiguration(
        app: Int32, in pool: ConnectionPool
    ) async throws -> DialectConfiguration {
        try await pool.withConnection(of: app) { connection in
            let row = try await connection.query(SQLFiles.findDialectSettings.text, [.int4(app)], prepared: true).first
            guard let text = try row?.decode(String.self, column: 0) else { return DialectConfiguration() }
            return (try? DialectConfiguration(Array(text.utf8))) ?? DialectConfiguration()
        }
    }
}
