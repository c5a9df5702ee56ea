import Reports
import Storage

extension DatabaseSession {
    /// Returns a service that runs reports. It reads the token of each app once.
    func reportService(catalogue: ReportCatalogue) -> ReportService {
        let tokens = TokenCache(registry: registry)
        return ReportService(catalogue: catalogue, pool: database.report) { app in try await tokens.token(app) }
    }

    /// A new service that exports rows.
    var exportService: ExportService {
        let tokens = TokenCache(registry: registry)
        return ExportService(pool: database.export) { app in try await tokens.token(app) }
    }

    /// A new eraser of devices.
    var eraser: Eraser { Eraser(worker: database.worker, owner: database.owner) }

    /// Merges waiting batches into the rollups, for commands that may run without a collector.
    func mergeOnce() async throws {
        try await RollupWorker(pool: database.worker, logger: logger).rollUp()
    }
}

/// The report tokens of apps, which never change.
private actor TokenCache {
    private let registry: Registry
    private var tokens: [Int32: String] = [:]

    init(registry: Registry) {
        self.registry = registry
    }

    func token(_ app: Int32) async throws -> String {
        if let token = tokens[app] { return token }
        let token = try await registry.reportToken(ofApp: app)
        tokens[app] = token
        return token
    }
}
