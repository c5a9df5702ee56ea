import AfterpushWire
import Foundation
import HTTPTransport
import Ingest
import LocalPostgres
import Logging
import Postgres
import Receipts
import Reports
import Server
import ServiceLifecycle
import Spool
import Storage
import Tuning
import UnixSignals

/// Everything that runs while events are taken, put together.
struct Collector {
    private let session: DatabaseSession
    private let committer: GroupCommitter
    private let drainer: SpoolDrainer
    private let spoolReporter: SpoolReporter
    private let worker: RollupWorker
    private let server: CollectorServer
    private let readiness: ReadinessWorker
    private let reloader: CertificateReloader?
    private let databaseHealth: DatabaseHealthWorker
    private let partitions: PartitionWorker
    private let suppressionList: SuppressionListWorker
    private let erasures: ErasureWorker
    private let retention: RetentionWorker
    private let live: LiveService
    /// Of addresses that begin a session of the dashboard.
    let loginTokens = LoginTokens()
    private let stopRequests: AsyncStream<Void>
    private let stopRequest: AsyncStream<Void>.Continuation

    /// - Parameter spool: nil if it is switched off.
    init(
        _ session: DatabaseSession, _ settings: Settings, spool: Spool?, suppressionList: SuppressionListWorker,
        reportsDirectory: String? = nil
    ) {
        var configuration = settings.server
        configuration.limits.connections = min(configuration.limits.connections, DescriptorLimit.raise())
        configuration.charts = settings.charts.read(session.logger)
        self.session = session
        (stopRequests, stopRequest) = AsyncStream.makeStream()
        let database = session.database
        let logger = session.logger
        var metrics = CollectorMetrics()
        if let spool { metrics.spool = { await spool.reading } }
        // Of another's server, which may be on another machine, no process is ours to slow down.
        let ownsServer = session.cluster != nil
        let worker = RollupWorker(pool: database.worker, metrics: metrics.rollup, logger: logger) {
            pid, yieldsPriority in
            if ownsServer { ProcessPriority.setNice(yieldsPriority ? 10 : 0, ofProcess: pid) }
        }
        let databaseHealth = DatabaseHealthWorker(pool: database.worker, logger: logger)
        let breaker = CircuitBreaker(logger: logger)
        let sink = PostgresSink(
            pool: database.ingest, limits: settings.names, metrics: metrics.sink, logger: logger)
        let committer = GroupCommitter(
            sink: FallbackSink(sink, spool: spool, breaker: breaker, logger: logger), metrics: metrics.ingest,
            isBehind: { databaseHealth.reading?.isBehind ?? false }, onStored: { worker.call() })
        let readiness = ReadinessWorker(pool: database.ingest, breaker: breaker, spool: spool, logger: logger)
        let catalogue = ReportService.catalogue(directory: reportsDirectory)
        for problem in catalogue.problems {
            logger.error("a report file is invalid", metadata: ["error": "\(problem)"])
        }
        self.worker = worker
        self.committer = committer
        self.drainer = SpoolDrainer(
            sink, spool: spool, breaker: breaker, logger: logger,
            suppressionList: { try await suppressionList.recent() }
        ) { worker.call() }
        self.spoolReporter = SpoolReporter(
            spool, store: PostgresSpoolStatusStore(pool: database.ingest), breaker: breaker, logger: logger)
        self.readiness = readiness
        reloader = configuration.identity.map { CertificateReloader(identity: $0, logger: logger) }
        self.databaseHealth = databaseHealth
        self.partitions = PartitionWorker(pool: database.worker, logger: logger)
        self.suppressionList = suppressionList
        erasures = ErasureWorker(session.eraser, logger: logger)
        retention = RetentionWorker(
            Retention(pool: database.owner, settings.retention) { worker.call() }, pool: database.owner, logger: logger)
        let broadcaster = LiveBroadcaster()
        live = LiveService(
            broadcaster: broadcaster, feed: LiveFeed(pool: database.live), breaker: breaker, logger: logger)
        self.server = CollectorServer(
            configuration: configuration,
            keys: APIKeyCache(metrics: metrics.ingest) { hash in
                // A key that is known stays good if the answer doesn't come.
                try await breaker.run(within: .seconds(2)) { try await Registry.findKey(hash, in: database.ingest) }
            },
            committer: committer,
            receipts: ReceiptSecretCache { app in
                try await breaker.run(within: .seconds(2)) {
                    try await Registry.receiptSecrets(ofApp: app, in: database.ingest)
                }
            },
            declareSends: { sends, app in
                try await breaker.run(within: .seconds(8)) {
                    try await Registry.declareSends(sends, app: app, in: database.ingest, limits: settings.names)
                }
            },
            suppressionList: { suppressionList.current }, devices: session.deviceStore(suppressionList),
            declarations: RegistryDeclarationStore(registry: session.registry),
            reports: session.reportService(catalogue: catalogue), exports: session.exportService,
            sessions: session.sessionStore(breaker, lifetime: settings.sessionLifetime), tokens: loginTokens,
            live: broadcaster,
            clock: { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) },
            readyState: { await readiness.state },
            metrics: metrics.server,
            families: { [metrics] in await metrics.families(database, committer, readiness, databaseHealth) })
    }

    /// Takes events until a signal, or `stop`; returns when what was taken is stored.
    func run(onRunning: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        let application = server.application(logger: session.logger, onRunning: onRunning)
        // Stopped in reverse: the clock is set, then streams end, since the server waits for all its answers, then nothing
        // new is taken, then what was taken is stored.
        let reloaders: [any Service] = reloader.map { [$0] } ?? []
        let services: [any Service] =
            reloaders + [
                suppressionList, drainer, spoolReporter, CommitService(committer: committer), worker, erasures,
                retention,
                partitions,
                databaseHealth, readiness, application, live, StopService(requests: stopRequests), HardDeadline(),
            ]
        // At debug it writes out services with all that is in them.
        var logger = session.logger
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
            Terminal.note(
                "afterpush: shutdown took more than 10 s and was cut short; unacknowledged requests may not be stored")
            exit(1)
        }
    }
}
