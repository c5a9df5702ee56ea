import AfterpushWire
import Alerts
import Dialects
import Foundation
import HTTPTransport
import Ingest
import LocalPostgres
import Logging
import Logs
import Postgres
import Receipts
import Reports
import Server
import ServiceLifecycle
import Spool
import Storage
import Tuning
import UnixSignals

/// A running collector: all its services, and how they depend on each other.
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
    private let backupHealth: BackupHealthWorker?
    private let replica: ReplicaWorker?
    private let partitions: PartitionWorker
    private let reportSessions: ReportSessionWorker
    private let suppressionList: SuppressionListWorker
    private let erasures: ErasureWorker
    private let retention: RetentionWorker
    private let alerts: AlertWorker
    private let dialectCounts: DialectCountWorker
    private let live: LiveService
    private let logs: LogQueue?
    /// The tokens in addresses that start a session of the dashboard.
    let loginTokens = LoginTokens()
    private let stopRequests: AsyncStream<Void>
    private let stopRequest: AsyncStream<Void>.Continuation

    /// Creates the services. `run` starts them.
    ///
    /// - Parameters:
    ///   - spool: The spool, or nil if it is disabled.
    ///   - logs: The queue of log lines, or nil if they are written at once.
    init(
        _ session: DatabaseSession, _ settings: Settings, spool: Spool?, suppressionList: SuppressionListWorker,
        reportsDirectory: String? = nil, logs: LogQueue? = nil
    ) {
        var configuration = settings.server
        configuration.limits.connections = min(configuration.limits.connections, DescriptorLimit.raise())
        configuration.charts = settings.charts.read(session.logger)
        self.session = session
        self.logs = logs
        (stopRequests, stopRequest) = AsyncStream.makeStream()
        let database = session.database
        let logger = session.logger
        var directories: [MachineMetrics.Directory: String] = [.data: settings.dataDirectory]
        if spool != nil { directories[.spool] = settings.spoolDirectory }
        var metrics = CollectorMetrics(
            machine: MachineMetrics(directories: directories, identity: configuration.identity))
        metrics.logs = logs
        if let spool { metrics.spool = { await spool.reading } }
        // Another server may run on another machine, so only the program's own server has processes to slow down.
        let ownsServer = session.cluster != nil
        let worker = RollupWorker(pool: database.worker, metrics: metrics.rollup, logger: logger) {
            pid, yieldsPriority in
            if ownsServer { ProcessPriority.setNice(yieldsPriority ? 10 : 0, ofProcess: pid) }
        }
        let databaseHealth = DatabaseHealthWorker(pool: database.background, logger: logger)
        backupHealth = session.cluster.map { _ in BackupHealthWorker(settings.cluster, logger: logger) }
        metrics.backups = backupHealth
        replica = database.replica.map { ReplicaWorker($0, primary: database.live, logger: logger) }
        let breaker = CircuitBreaker(logger: logger)
        let sink = PostgresSink(
            pool: database.ingest, limits: settings.names, metrics: metrics.sink, logger: logger,
            suppressionList: { suppressionList.current })
        let committer = GroupCommitter(
            sink: FallbackSink(sink, spool: spool, breaker: breaker, logger: logger), metrics: metrics.ingest,
            countNewNames: { sink.countNewNames(in: $0) }, isBehind: { databaseHealth.reading?.isBehind ?? false },
            onStored: { worker.wake() })
        let bodyMemory = BodyMemory(configuration.limits)
        let spoolShares = spool.map { _ in
            SpoolShares(
                capacity: settings.spoolBytes, largestBody: configuration.limits.bodyBytes,
                size: { Spool.size(of: $0) }, isSpooling: { breaker.isOpen })
        }
        let readiness = ReadinessWorker(
            pool: database.ingest, breaker: breaker, spool: spool, bodyMemory: bodyMemory, logger: logger)
        let catalogue = ReportService.catalogue(directory: reportsDirectory)
        for problem in catalogue.problems {
            logger.error("a report file is invalid", metadata: ["error": "\(problem)"])
        }
        self.worker = worker
        self.committer = committer
        self.drainer = SpoolDrainer(
            sink, spool: spool, breaker: breaker, logger: logger,
            suppressionList: { try await suppressionList.recent() }, onEmpty: { spoolShares?.reset() }
        ) { worker.wake() }
        self.spoolReporter = SpoolReporter(
            spool, store: PostgresSpoolStatusStore(pool: database.requests), breaker: breaker, logger: logger)
        self.readiness = readiness
        reloader = configuration.identity.map { CertificateReloader(identity: $0, logger: logger) }
        self.databaseHealth = databaseHealth
        self.partitions = PartitionWorker(pool: database.background, logger: logger)
        self.reportSessions = ReportSessionWorker(
            pool: database.logins, rescue: ConnectionRescue(conninfo: session.conninfo, logger: logger), logger: logger)
        self.suppressionList = suppressionList
        erasures = ErasureWorker(session.eraser, logger: logger)
        retention = RetentionWorker(
            Retention(pool: database.owner, owner: Database.backgroundOwner, settings.retention) { worker.wake() },
            pool: database.owner, logger: logger)
        var declarations = session.registry
        // The worker counts conversions again if the campaign's window changed.
        declarations.onCampaignPut = { worker.wake() }
        let reports = session.reportService(catalogue: catalogue)
        alerts = AlertWorker(
            store: AlertStore(pool: database.background),
            reports: ReportService(catalogue: catalogue, pool: ReadPool(database.alerts), cancelsStatements: true),
            sender: AlertSender(settings.alerts), metrics: metrics.alerts,
            logger: logger)
        let broadcaster = LiveBroadcaster()
        live = LiveService(
            broadcaster: broadcaster, feed: LiveFeed(pool: database.liveReads), breaker: breaker, logger: logger)
        let dialectCounter = DialectCounter()
        dialectCounts = DialectCountWorker(dialectCounter, pool: database.requests, breaker: breaker, logger: logger)
        self.server = CollectorServer(
            configuration: configuration,
            keys: APIKeyCache(metrics: metrics.ingest) { hashes, app in
                // If the database doesn't respond, cached keys stay valid.
                try await breaker.run(within: .seconds(2)) {
                    try await Registry.findKeys(hashes, of: app, in: database.requests)
                }
            },
            committer: committer,
            receipts: ReceiptSecretCache { app in
                try await breaker.run(within: .seconds(2)) {
                    try await Registry.receiptSecrets(ofApp: app, in: database.requests)
                }
            },
            sends: PostgresSendStore(pool: database.requests, breaker: breaker, limits: settings.names),
            suppressionList: { suppressionList.current },
            devices: PostgresDeviceStore(
                eraser: session.eraser, owner: database.owner, suppressionList: suppressionList),
            declarations: declarations, keyStore: session.registry, alerts: AlertStore(pool: database.owner),
            dialectConfigurations: session.registry,
            dialectSettings: DialectConfigurationCache { app in
                try await breaker.run(within: .seconds(2)) {
                    try await Registry.dialectConfiguration(app: app, in: database.requests)
                }
            },
            dialectCounter: dialectCounter,
            arrivals: PostgresArrivalStore(pool: database.requests, breaker: breaker),
            reports: reports, exports: session.exportService, inspections: session.inspectionService,
            sessions: PostgresSessionStore(
                pool: database.requests, breaker: breaker, lifetime: settings.sessionLifetime),
            shares: PostgresShareStore(registry: session.registry, pool: database.requests, breaker: breaker),
            tokens: loginTokens,
            live: broadcaster,
            clock: { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) },
            readyState: { await readiness.state },
            bodyMemory: bodyMemory, spool: spoolShares, metrics: metrics.server, ingestMetrics: metrics.ingest,
            families: { [metrics] in await metrics.families(database, committer, readiness, databaseHealth) })
    }

    /// Accepts events until a signal or `stop`, and returns when all accepted events are stored.
    func run(onRunning: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        let application = server.application(logger: session.logger, onRunning: onRunning)
        // Services stop in reverse order: first the deadline starts, then live streams end, because the server waits for
        // all responses, then the server stops accepting events, and then the committer stores the accepted ones.
        let reloaders: [any Service] = reloader.map { [$0] } ?? []
        let backups: [any Service] = backupHealth.map { [$0] } ?? []
        let replicas: [any Service] = replica.map { [$0] } ?? []
        let services: [any Service] =
            reloaders + backups + replicas + [
                FreedMemoryWorker(logger: session.logger), suppressionList, drainer, spoolReporter,
                dialectCounts, CommitService(committer: committer), worker, erasures, retention, alerts, partitions,
                reportSessions, databaseHealth, readiness, application, live,
                StopService(requests: stopRequests), HardDeadline(logger: session.logger, logs: logs),
            ]
        // At level debug, the group would log its services with all their contents.
        var logger = session.logger
        logger.logLevel = max(logger.logLevel, .info)
        var configuration = ServiceGroupConfiguration(
            services: services.map { service in
                .init(
                    service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            },
            // Without a certificate to reload, it says that the terminal was closed.
            gracefulShutdownSignals: reloader == nil && isatty(STDIN_FILENO) != 0
                ? [.sigterm, .sigint, .sighup] : [.sigterm, .sigint],
            logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(8)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Runs the collector, and performs an operation once it listens. An error of the operation stops the collector.
    ///
    /// - Parameter operation: Receives the port. The collector keeps running afterwards, unless the operation calls
    ///   `stop`.
    func run(_ operation: (_ port: Int) async throws -> Void) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup { group in
            group.addTask {
                defer { port.finish() }
                try await run(onRunning: {
                    port.yield($0)
                    port.finish()
                })
            }
            for await port in ports {
                do {
                    try await operation(port)
                } catch {
                    stop()
                    try await group.waitForAll()
                    throw error
                }
            }
            try await group.waitForAll()
        }
    }

    /// Shuts the collector down gracefully, so that `run` returns.
    func stop() {
        stopRequest.yield()
    }
}

/// Stores groups until shutdown, and then those that still wait.
private struct CommitService: Service {
    let committer: GroupCommitter

    func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await committer.run()
        } onCancelOrGracefulShutdown: {
            // Not structured, because the handler can't await the actor. `run` returns once the actor is closed.
            Task { await committer.close() }
        }
    }
}

/// Ends at the first request, and thereby shuts down all services.
private struct StopService: Service {
    let requests: AsyncStream<Void>

    func run() async throws {
        for await _ in requests.cancelOnGracefulShutdown() { return }
    }
}

/// Ends the program if its shutdown hangs. No acknowledged event is lost: unfinished requests were not acknowledged.
private struct HardDeadline: Service {
    let logger: Logger
    let logs: LogQueue?

    func run() async throws {
        try? await gracefulShutdown()
        // Not structured, because it must outlive its service. It ends with the program.
        Task.detached {
            try await Task.sleep(for: .seconds(10))
            logger.error("shutdown took more than 10 s and was cut short; unacknowledged requests may not be stored")
            logs?.flush(within: .seconds(1))
            exit(1)
        }
    }
}

/// Reloads the TLS certificate on SIGHUP. Open connections keep using the old one.
private struct CertificateReloader: Service {
    let identity: TLSIdentity
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do throws(TLSIdentity.Invalid) {
                try identity.reload()
                logger.notice("reloaded the TLS certificate")
            } catch {
                logger.error(
                    "could not reload the TLS certificate; the old one stays in use", metadata: ["error": "\(error)"])
            }
        }
    }
}
