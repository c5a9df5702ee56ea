import AfterpushWire
import Foundation
import Ingest
import LocalPostgres
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
    private let drainer: SpoolDrainer
    private let teller: SpoolTeller
    private let worker: RollupWorker
    private let server: CollectorServer
    private let readiness: Readiness
    private let reloader: CertificateReloader?
    private let watch: DatabaseWatch
    private let partitions: PartitionKeeper
    private let exclusions: ExclusionKeeper
    private let erasures: ErasureWorker
    private let retention: RetentionKeeper
    private let live: LiveService
    /// Of addresses that begin a session of the dashboard.
    let loginTokens = LoginTokens()
    private let stopRequests: AsyncStream<Void>
    private let stopRequest: AsyncStream<Void>.Continuation

    /// - Parameter spool: nil if it is switched off.
    init(
        _ workspace: Workspace, _ settings: Settings, spool: Spool?, exclusions: ExclusionKeeper,
        reportsDirectory: String? = nil
    ) {
        var configuration = settings.server
        configuration.limits.connections = min(configuration.limits.connections, DescriptorLimit.raise())
        configuration.charts = settings.charts.read(workspace.logger)
        self.workspace = workspace
        (stopRequests, stopRequest) = AsyncStream.makeStream()
        let database = workspace.database
        let logger = workspace.logger
        var metrics = CollectorMetrics()
        if let spool { metrics.spool = { await spool.reading } }
        // Of another's server, which may be on another machine, no process is ours to slow down.
        let ownsServer = workspace.cluster != nil
        let worker = RollupWorker(pool: database.worker, metrics: metrics.rollup, logger: logger) { pid, givesWay in
            if ownsServer { LocalCluster.setNice(givesWay ? 10 : 0, ofProcess: pid) }
        }
        let watch = DatabaseWatch(pool: database.worker, logger: logger)
        let gate = DatabaseGate(logger: logger)
        let sink = PostgresSink(
            pool: database.ingest, limits: settings.names, metrics: metrics.sink, logger: logger)
        let committer = GroupCommitter(
            sink: FallbackSink(sink, spool: spool, gate: gate, logger: logger), metrics: metrics.ingest,
            isBehind: { watch.reading?.isBehind ?? false }, onStored: { worker.call() })
        let readiness = Readiness(pool: database.ingest, gate: gate, spool: spool, logger: logger)
        let catalogue = ReportDesk.catalogue(directory: reportsDirectory)
        for problem in catalogue.problems { logger.error("a report can't be used", metadata: ["error": "\(problem)"]) }
        self.worker = worker
        self.committer = committer
        self.drainer = SpoolDrainer(
            sink, spool: spool, gate: gate, logger: logger, exclusions: { try await exclusions.recent() }
        ) { worker.call() }
        self.teller = SpoolTeller(spool, pool: database.ingest, gate: gate, logger: logger)
        self.readiness = readiness
        reloader = configuration.identity.map { CertificateReloader(identity: $0, logger: logger) }
        self.watch = watch
        self.partitions = PartitionKeeper(pool: database.worker, logger: logger)
        self.exclusions = exclusions
        erasures = ErasureWorker(workspace.eraser, logger: logger)
        retention = RetentionKeeper(
            Retention(pool: database.owner, settings.retention) { worker.call() }, pool: database.owner, logger: logger)
        let board = LiveBoard()
        live = LiveService(board: board, feed: LiveFeed(pool: database.live), gate: gate, logger: logger)
        self.server = CollectorServer(
            configuration: configuration,
            keys: KeyRing(metrics: metrics.ingest) { hash in
                // A key that is known stays good if the answer doesn't come.
                try await gate.ask(within: .seconds(2)) { try await Registry.findKey(hash, in: database.ingest) }
            },
            committer: committer,
            receipts: ReceiptRing { app in
                try await gate.ask(within: .seconds(2)) {
                    try await Registry.receiptSecrets(ofApp: app, in: database.ingest)
                }
            },
            declareSends: { sends, app in
                try await gate.ask(within: .seconds(8)) {
                    try await Registry.declareSends(sends, app: app, in: database.ingest, limits: settings.names)
                }
            },
            exclusions: { exclusions.current }, devices: workspace.deviceDesk(exclusions),
            declarations: RegistryDeclarations(registry: workspace.registry),
            desk: workspace.reportDesk(catalogue: catalogue), exports: workspace.exportDesk,
            sessions: workspace.sessionDesk(gate, lifetime: settings.sessionLifetime), tokens: loginTokens, live: board,
            clock: { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) },
            readyState: { await readiness.state },
            metrics: metrics.server,
            families: { [metrics] in await metrics.families(database, committer, readiness, watch) })
    }

    /// Takes events until a signal, or `stop`; returns when what was taken is stored.
    func run(onRunning: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        let application = server.application(logger: workspace.logger, onRunning: onRunning)
        // Stopped in reverse: the clock is set, then streams end, since the server waits for all its answers, then nothing
        // new is taken, then what was taken is stored.
        let reloaders: [any Service] = reloader.map { [$0] } ?? []
        let services: [any Service] =
            reloaders + [
                exclusions, drainer, teller, CommitService(committer: committer), worker, erasures, retention,
                partitions,
                watch, readiness, application, live, StopService(requests: stopRequests), HardDeadline(),
            ]
        // At debug it writes out services with all that is in them.
        var logger = workspace.logger
        logger.logLevel = max(logger.logLevel, .info)
        var configuration = ServiceGroupConfiguration(
            services: services.map { service in
                .init(
                    service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(8)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Ends `run` in good order.
    func stop() {
        stopRequest.yield()
    }
}

/// Stores groups until the group of services stops, and then what still waits.
private struct CommitService: Service {
    let committer: GroupCommitter

    func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await committer.run()
        } onCancelOrGracefulShutdown: {
            // The handler can't wait for the actor; `run` returns once it has come there.
            Task { await committer.close() }
        }
    }
}

/// Ends, and with it all services, when it is asked to.
private struct StopService: Service {
    let requests: AsyncStream<Void>

    func run() async throws {
        for await _ in requests.cancelOnGracefulShutdown() { return }
    }
}

/// The program must not hang for ever because something in it does: unfinished requests were not acknowledged.
private struct HardDeadline: Service {
    func run() async throws {
        try? await gracefulShutdown()
        // Outlives its service on purpose; ends with the program.
        Task.detached {
            try await Task.sleep(for: .seconds(10))
            Terminal.note("afterpush: stopping took more than 10 s; what was not acknowledged is not stored")
            exit(1)
        }
    }
}
