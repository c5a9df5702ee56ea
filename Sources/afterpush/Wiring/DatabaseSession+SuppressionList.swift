import Postgres
import Spool
import Storage

extension DatabaseSession {
    /// A new eraser of devices.
    var eraser: Eraser { Eraser(worker: database.worker, owner: database.owner) }

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

    /// Merges waiting batches into the rollups, for commands that may run without a collector.
    func mergeOnce() async throws {
        try await RollupWorker(pool: database.worker, logger: logger).rollUp()
    }
}
