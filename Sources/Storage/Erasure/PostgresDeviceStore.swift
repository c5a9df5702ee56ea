package import Ingest
package import Postgres

/// A store of devices' data in the database.
package struct PostgresDeviceStore: DeviceStore {
    private let eraser: Eraser
    private let owner: ConnectionPool
    private let suppressionList: SuppressionListWorker

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - owner: The pool of the owner role, which reads a device's data.
    ///   - suppressionList: The list that is refreshed before `erase` returns.
    package init(eraser: Eraser, owner: ConnectionPool, suppressionList: SuppressionListWorker) {
        self.eraser = eraser
        self.owner = owner
        self.suppressionList = suppressionList
    }

    package func erase(_ device: String, appID: Int32) async throws -> ErasureJob {
        let job = try await eraser.request(device, app: appID)
        // From now on, this collector rejects the device's events, and the suppression file contains it.
        try await suppressionList.refresh()
        return job
    }

    package func erasure(_ device: String, appID: Int32) async throws -> ErasureJob? {
        try await eraser.job(device, app: appID)
    }

    package func export(_ device: String, appID: Int32) async throws -> any DeviceExport {
        try await DeviceRecords.open(device, app: appID, pool: owner)
    }
}
