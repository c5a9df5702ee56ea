package import AfterpushWire
package import Alerts
package import Declarations
package import Dialects
package import Events
package import HTTPTransport
package import Hummingbird
import HummingbirdCore
package import Ingest
package import Instruments
package import Logging
package import Receipts
package import Reports
import Tuning

/// The HTTP server of the collector.
package struct CollectorServer: Sendable {
    /// The settings of the server, with their defaults.
    ///
    /// | property | meaning |
    /// | --- | --- |
    /// | `host`, `port` | the address to listen at; port 0 takes a free one |
    /// | `limits` | limits on time, bytes and connections |
    /// | `rates` | rate limits per key and address |
    /// | `exempt` | addresses to which the limits per address don't apply |
    /// | `proxies` | addresses whose `X-Forwarded-For` is trusted |
    /// | `hosts` | the hosts by which clients may address the server; without them, any |
    /// | `identity` | certificate and key for TLS; without one, plain HTTP/1.1 is served |
    /// | `origins` | origins of web pages that can post events |
    /// | `charts` | Chart.js, for the dashboard; without it the dashboard shows only tables |
    package struct Configuration: Sendable {
        package var host = "127.0.0.1"
        package var port = 8080
        package var limits = HTTPLimits()
        package var rates = RateLimits()
        package var exempt = AddressList.loopback
        package var proxies = AddressList.none
        package var hosts: AllowedHosts?
        package var identity: TLSIdentity?
        package var origins = AllowedOrigins.any
        package var charts: [UInt8]?

        package init() {}

        /// Whether only programs on this machine can connect.
        package var isLoopbackOnly: Bool {
            host == "localhost" || ClientAddress(text: host).map(AddressList.loopback.contains) == true
        }
    }

    private let configuration: Configuration
    private let health: HealthRoutes
    private let events: EventRoutes
    private let dialects: DialectRoutes
    private let mappings: MappingRoutes
    private let receipts: ReceiptRoutes
    private let sends: SendRoutes
    private let devices: DeviceRoutes
    private let categories: CategoryRoutes
    private let campaigns: CampaignRoutes
    private let keys: KeyRoutes
    private let alerts: AlertRoutes
    private let shares: ShareRoutes
    private let providerResults: ProviderResultRoutes
    private let payloads: PayloadRoutes
    private let reports: ReportRoutes
    private let exports: ExportRoutes
    private let inspections: InspectRoutes
    private let metrics: MetricsRoutes
    private let live: LiveRoutes
    private let sessions: SessionRoutes
    private let dashboard: DashboardRoutes
    private let counts: ServerMetrics
    private let clients: ClientFinder

    /// Creates a server; its application listens once it runs.
    ///
    /// - Parameters:
    ///   - receipts: the secrets that sign each app's receipts.
    ///   - sends: the store of declared sends.
    ///   - suppressionList: the devices and times whose events are refused.
    ///   - devices: erases and exports devices.
    ///   - declarations: the store of categories and campaigns.
    ///   - keyStore: creates, lists and revokes keys.
    ///   - alerts: the store of alert rules.
    ///   - dialectConfigurations: the store of what apps set for other systems' clients.
    ///   - dialectSettings: the same for requests with events, cached.
    ///   - dialectCounter: counts what becomes of other systems' events.
    ///   - arrivals: finds other systems' events that state no time, and may be stored already.
    ///   - inspections: finds what is stored about an id.
    ///   - sessions: the sessions of browsers that show the dashboard.
    ///   - shares: the links that share a view of the dashboard.
    ///   - tokens: the tokens that start a session without a key.
    ///   - live: broadcasts new events to live streams.
    ///   - clock: the collector's clock, with which device clocks are compared.
    ///   - readyState: whether events can be acknowledged now.
    ///   - bodyMemory: the memory for the bodies of requests.
    ///   - spool: the shares of the spool, or `nil` without a spool.
    ///   - metrics: counts the requests.
    ///   - ingestMetrics: counts the requests whose events were refused.
    ///   - families: the metrics that `/metrics` serves.
    package init(
        configuration: Configuration, keys: APIKeyCache, committer: GroupCommitter, receipts: ReceiptSecretCache,
        sends: any SendStore,
        suppressionList: @escaping @Sendable () -> SuppressionList = { SuppressionList() }, devices: any DeviceStore,
        declarations: any DeclarationStore, keyStore: any KeyStore, alerts: AlertStore,
        dialectConfigurations: any DialectConfigurationStore, dialectSettings: DialectConfigurationCache,
        dialectCounter: DialectCounter, arrivals: any ArrivalStore, reports: ReportService, exports: ExportService,
        inspections: InspectionService, sessions: any SessionStore, shares: any ShareStore,
        tokens: LoginTokens = LoginTokens(), live: LiveBroadcaster,
        clock: @escaping @Sendable () -> Timestamp, readyState: @escaping @Sendable () async -> ReadyState,
        bodyMemory: BodyMemory, spool: SpoolShares? = nil, metrics: ServerMetrics = ServerMetrics(),
        ingestMetrics: IngestMetrics = IngestMetrics(),
        families: @escaping @Sendable () async -> [MetricFamily] = { [] }
    ) {
        self.configuration = configuration
        let rates = RateLimiter(configuration.rates, exempt: configuration.exempt)
        let browsers = Sessions(sessions)
        clients = ClientFinder(proxies: configuration.proxies, hasTLS: configuration.identity != nil)
        let authentication = Authentication(
            keys: KeyLookups(keys), sessions: KeyLookups(browsers.cache), shares: ShareLookups(shares), rates: rates,
            clients: clients)
        let turns = ProcessorTurns()
        let bodies = BodyReader(limit: configuration.limits.bodyBytes, memory: bodyMemory, turns: turns)
        let refusals = EventRefusals(metrics: ingestMetrics)
        var eventBodies = bodies
        eventBodies.refusals = refusals
        health = HealthRoutes(readyState: readyState)
        events = EventRoutes(
            authentication: authentication, rates: rates, committer: committer, receipts: receipts,
            suppressionList: suppressionList, clock: clock, bodies: eventBodies, turns: turns, refusals: refusals,
            spool: spool)
        dialects = DialectRoutes(
            events: events,
            bodies: BodyReader(
                limit: configuration.limits.dialectBodyBytes, memory: bodyMemory, turns: turns, refusals: refusals,
                findsGzip: true),
            configurations: dialectSettings, counter: dialectCounter, arrivals: arrivals, metrics: metrics,
            limits: configuration.limits)
        let body = JSONBody(bodies: bodies)
        mappings = MappingRoutes(authentication: authentication, store: dialectConfigurations, body: body)
        self.receipts = ReceiptRoutes(
            authentication: authentication, receiptSecrets: receipts, clock: clock, body: body)
        let documents = DeclarationDocuments()
        categories = CategoryRoutes(
            authentication: authentication, store: declarations, body: body, documents: documents)
        campaigns = CampaignRoutes(
            authentication: authentication, store: declarations, body: body, documents: documents)
        self.keys = KeyRoutes(authentication: authentication, store: keyStore, body: body, documents: documents)
        self.alerts = AlertRoutes(
            authentication: authentication, store: alerts, catalogue: reports.catalogue, body: body,
            limiter: .responses(8))
        self.shares = ShareRoutes(
            authentication: authentication, store: shares, declarations: declarations, catalogue: reports.catalogue,
            body: body)
        providerResults = ProviderResultRoutes(events: events, body: JSONBody(bodies: eventBodies))
        payloads = PayloadRoutes(
            authentication: authentication,
            service: PayloadCheckService(declarations: declarations, receiptSecrets: receipts, clock: clock),
            body: body)
        self.sends = SendRoutes(authentication: authentication, store: sends, clock: clock, body: body)
        self.devices = DeviceRoutes(authentication: authentication, store: devices, limiter: .responses(4))
        self.reports = ReportRoutes(
            authentication: authentication, service: reports, limiter: .responses(16), largeResults: .responses(4))
        self.exports = ExportRoutes(authentication: authentication, service: exports, limiter: .responses(8))
        self.inspections = InspectRoutes(authentication: authentication, service: inspections, limiter: .responses(8))
        self.metrics = MetricsRoutes(authentication: authentication, families: families)
        self.live = LiveRoutes(authentication: authentication, broadcaster: live, limiter: .responses(128))
        let assets = AssetCatalog(charts: configuration.charts)
        self.sessions = SessionRoutes(
            authentication: authentication, sessions: browsers, tokens: tokens, page: LoginPage(assets.login),
            bodies: bodies.limited(to: 8 * 1024))
        dashboard = DashboardRoutes(authentication: authentication, assets: assets)
        counts = metrics
    }

    private var router: Router<CollectorContext> {
        let router = Router(context: CollectorContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ResponsePolicies(transportSecurity: StrictTransportSecurity(clients: clients)))
        router.add(middleware: CrossOrigin(origins: configuration.origins))
        router.add(middleware: RequestMiddleware(metrics: counts))
        router.add(middleware: ProblemMiddleware(limits: configuration.limits))
        router.add(middleware: CompressionMiddleware())
        let allowedMethods = AllowedMethods()
        router.add(
            middleware: RequestChecks(
                hosts: configuration.hosts.map { HostFilter(allowed: $0) },
                proxies: ProxyWarning(clients: clients, proxy: counts.unlistedProxy), methods: allowedMethods,
                unknownPage: UnknownPage(dashboard: dashboard)))
        health.add(to: router)
        events.add(to: router, dialects)
        dialects.add(to: router)
        mappings.add(to: router)
        receipts.add(to: router)
        sends.add(to: router)
        devices.add(to: router)
        categories.add(to: router)
        campaigns.add(to: router)
        keys.add(to: router)
        alerts.add(to: router)
        shares.add(to: router)
        providerResults.add(to: router)
        payloads.add(to: router)
        reports.add(to: router)
        exports.add(to: router)
        inspections.add(to: router)
        metrics.add(to: router)
        live.add(to: router)
        sessions.add(to: router)
        dashboard.add(to: router)
        OpenAPIRoutes().add(to: router)
        ClientRoutes().add(to: router)
        allowedMethods.learn(router.routes)
        return router
    }

    /// Creates the application that serves all routes.
    ///
    /// - Parameter onRunning: called with the port once the server listens.
    package func application(
        logger: Logger, onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            responder: TaskPerRequest(responder: router.buildResponder()),
            server: .hardened(
                configuration.limits, exempt: [configuration.exempt, configuration.proxies],
                clientAddress: clients.address, identity: configuration.identity, metrics: counts.connections,
                logger: logger),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), serverName: nil, backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.limits.connections)),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: logger)
    }
}
