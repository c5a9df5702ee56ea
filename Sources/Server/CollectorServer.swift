package import AfterpushWire
package import Hummingbird
package import Ingest
package import Instruments
package import Logging
package import Reports

/// The HTTP side of the collector.
package struct CollectorServer: Sendable {
    /// | property | meaning |
    /// | --- | --- |
    /// | `host`, `port` | where it listens; port 0 takes a free one |
    /// | `bodyLimit` | bytes of a request's body |
    /// | `idleTimeout` | a connection without a request is closed after it |
    package struct Configuration: Sendable {
        package var host = "127.0.0.1"
        package var port = 8080
        package var bodyLimit = 5 * 1024 * 1024
        package var idleTimeout: Duration = .seconds(75)

        package init() {}
    }

    private let configuration: Configuration
    private let health: HealthRoutes
    private let events: EventRoutes
    private let receipts: ReceiptRoutes
    private let sends: SendRoutes
    private let reports: ReportRoutes
    private let metrics: MetricsRoutes
    private let counts: ServerMetrics

    /// - Parameters:
    ///   - receipts: the secrets of each app's receipts.
    ///   - declareSends: stores an app's declared sends and says how many are new.
    ///   - clock: the collector's; it is what device clocks are held against.
    ///   - isReady: whether events can be acknowledged now.
    ///   - metrics: where requests are counted.
    ///   - families: what `/metrics` tells.
    package init(
        configuration: Configuration, keys: KeyRing, committer: GroupCommitter, receipts: ReceiptRing,
        declareSends: @escaping @Sendable (_ sends: [DeclaredSend], _ appID: Int32) async throws -> Int,
        desk: ReportDesk,
        clock: @escaping @Sendable () -> Timestamp, isReady: @escaping @Sendable () async -> Bool,
        metrics: ServerMetrics = ServerMetrics(), families: @escaping @Sendable () async -> [MetricFamily] = { [] }
    ) {
        self.configuration = configuration
        let authentication = Authentication(keys: keys)
        health = HealthRoutes(isReady: isReady)
        events = EventRoutes(
            authentication: authentication, committer: committer, receipts: receipts, clock: clock,
            bodyLimit: configuration.bodyLimit)
        let body = JSONBody(limit: configuration.bodyLimit)
        self.receipts = ReceiptRoutes(authentication: authentication, ring: receipts, clock: clock, body: body)
        sends = SendRoutes(authentication: authentication, declare: declareSends, clock: clock, body: body)
        reports = ReportRoutes(authentication: authentication, desk: desk)
        self.metrics = MetricsRoutes(authentication: authentication, families: families)
        counts = metrics
    }

    private var router: Router<CollectorContext> {
        let router = Router(context: CollectorContext.self)
        router.add(middleware: RequestMiddleware(metrics: counts))
        router.add(middleware: ProblemMiddleware(bodyLimit: configuration.bodyLimit))
        health.add(to: router)
        events.add(to: router)
        receipts.add(to: router)
        sends.add(to: router)
        reports.add(to: router)
        metrics.add(to: router)
        return router
    }

    /// - Parameter onRunning: called with the port once it listens.
    package func application(
        logger: Logger, onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            router: router,
            server: .http1(
                configuration: .init(
                    idleTimeout: .nanoseconds(configuration.idleTimeout.nanoseconds),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 16 * 1024, maxHeaderFieldCount: 100))),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), serverName: nil, backlog: 1_024),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: logger)
    }
}

extension Duration {
    /// Whole nanoseconds.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
