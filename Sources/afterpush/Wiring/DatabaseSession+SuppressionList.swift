import Postgres
import Server
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

    /// Returns the store with which the HTTP server erases and exports devices.
    func deviceStore(_ suppressionList: SuppressionListWorker) -> DeviceStore {
        let (eraser, owner) = (eraser, database.owner)
        return DeviceStore(
            erase: { device, app in
                let job = try await eraser.request(device, app: app)
                // From now on, this collector rejects its events, and the suppression file contains it.
                try await suppressionList.refresh()
                return job
            },
            erasure: { try await eraser.job($0, app: $1) },
            export: { device, app in
                let records = try await DeviceRecords.open(device, app: app, pool: owner)
                return { try await records.next() }
            })
    }

    /// Merges waiting batches into the rollups, for commands that may run without a collector.
    func mergeOnce() async throws {
        try await RollupWorker(pool: database.worker, logger: logger).rollUp()
    }
}
