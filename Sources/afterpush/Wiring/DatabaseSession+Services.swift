import Reports
import Storage

extension DatabaseSession {
    /// Returns a service that runs reports.
    func reportService(catalogue: ReportCatalogue) -> ReportService {
        ReportService(catalogue: catalogue, pool: database.reportReads)
    }

    /// A new service that exports rows.
    var exportService: ExportService { ExportService(pool: database.exportReads) }

    /// A new service that inspects ids.
    var inspectionService: InspectionService {
        InspectionService(reports: database.report, requests: database.requests)
    }

    /// A new eraser of devices.
    var eraser: Eraser { Eraser(worker: database.background, owner: database.owner) }

    /// Merges waiting batches into the rollups, and recounts some conversions, for commands that may run without a
    /// collector.
    func mergeOnce() async throws {
        let worker = RollupWorker(pool: database.worker, logger: logger)
        try await worker.rollUp()
        try await worker.recountOnce()
    }
}
