import Postgres
import Server
import Spool
import Storage

extension DatabaseSession {
    /// Where devices are erased.
    var eraser: Eraser { Eraser(worker: database.worker, owner: database.owner) }

    /// Reads the suppression list, and restores entries that the database has lost.
    func openExclusions(_ settings: Settings) async throws -> SuppressionListWorker {
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

    /// What the HTTP server can do with all that is stored of a device.
    func deviceStore(_ suppressionList: SuppressionListWorker) -> DeviceStore {
        let (eraser, owner) = (eraser, database.owner)
        return DeviceStore(
            erase: { device, app in
                let job = try await eraser.request(device, app: app)
                // From here on this collector takes nothing of it, and the list beside the spool names it.
                try await suppressionList.refresh()
                return job
            },
            erasure: { try await eraser.job($0, app: $1) },
            export: { device, app in
                let records = try await DeviceRecords.open(device, app: app, pool: owner)
                return { try await records.next() }
            })
    }

    /// Has what waits merged, from a command that can't count on a collector to do it.
    func mergeOnce() async throws {
        try await RollupWorker(pool: database.worker, logger: logger).rollUp()
    }
}
