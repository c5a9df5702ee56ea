import Postgres
import Spool
import Storage

extension DatabaseSession {
    /// Opens the spool, which keeps events while PostgreSQL is unavailable. Returns nil if it is disabled.
    func openSpool(_ settings: Settings) async throws -> Spool? {
        guard settings.spoolBytes > 0 else { return nil }
        var configuration = Spool.Configuration(directory: settings.spoolDirectory)
        configuration.capacity = settings.spoolBytes
        let connection = try await Connection.open(PostgresConfiguration(conninfo: conninfo), logger: logger)
        configuration.owner = try await Spool.owner(on: connection)
        await connection.close()
        return try await Spool.open(configuration, logger: logger)
    }

    /// Reads the suppression list, and restores entries that the database has lost.
    func openSuppressionList(_ settings: Settings) async throws -> SuppressionListWorker {
        var file: SuppressionFile?
        if settings.spoolBytes > 0 {
            let connection = try await Connection.open(PostgresConfiguration(conninfo: conninfo), logger: logger)
            file = SuppressionFile(directory: settings.spoolDirectory, owner: try await Spool.owner(on: connection))
            await connection.close()
        }
        let worker = SuppressionListWorker(
            pool: database.ingest, restoring: database.worker, file: file, logger: logger)
        try await worker.refresh()
        return worker
    }
}
