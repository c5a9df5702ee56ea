import AfterpushWire
import Foundation
import Ingest
import Logging
import Postgres
import Reports
import Server
import ServiceLifecycle
import Storage
import UnixSignals

/// Everything that runs while events are taken, put together.
struct Collector {
    private let workspace: Workspace
    private let committer: GroupCommitter
    private let worker: RollupWorker
    private let server: CollectorServer
    private let readiness: Readiness

    init(_ workspace: Workspace, _ configuration: CollectorServer.Configuration, reportsDirectory: String? = nil) {
        self.workspace = workspace
        let database = workspace.database
        let logger = workspace.logger
        let worker = RollupWorker(pool: database.worker, logger: logger)
        let committer = GroupCommitter(sink: PostgresSink(pool: database.ingest, logger: logger)) { worker.call() }
        let readiness = Readiness(pool: database.ingest)
        let catalogue = ReportDesk.catalogue(directory: reportsDirectory)
        for problem in catalogue.problems { logger.error("a report can't be used", metadata: ["error": "\(problem)"]) }
        self.worker = worker
        self.committer = committer
        self.readiness = readiness
        self.server = CollectorServer(
            configuration: configuration,
            keys: KeyRing { hash in try await Registry.findKey(hash, in: database.ingest) },
            committer: committer,
            desk: workspace.reportDesk(catalogue: catalogue),
            clock: { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) },
            isReady: { await readiness.isReady })
    }

    /// Takes events until a signal or a cancellation; returns when what was taken is stored.
    ///
    /// - Parameter signals: that end it in good order.
    func run(
        endedBy signals: [UnixSignal] = [.sigterm, .sigint],
        onRunning: @escaping @Sendable (_ port: Int) async -> Void
    ) async throws {
        let application = server.application(logger: workspace.logger, onRunning: onRunning)
        // Stopped in reverse: first nothing new is taken, then what was taken is stored.
        let services: [any Service] = [CommitService(committer: committer), worker, readiness, application]
        var configuration = ServiceGroupConfiguration(
            services: services.map { service in
                .init(
                    service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            },
            gracefulShutdownSignals: signals, logger: workspace.logger)
        configuration.maximumGracefulShutdownDuration = .seconds(8)
        configuration.maximumCancellationDuration = .seconds(2)
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// Stores groups until the group of services stops, and then what still waits.
private struct CommitService: Service {
    let committer: GroupCommitter

    func run() async throws {
        await withGracefulShutdownHandler {
            await committer.run()
        } onGracefulShutdown: {
            // The handler can't wait for the actor; `run` returns once it has come there.
            Task { await committer.close() }
        }
    }
}
