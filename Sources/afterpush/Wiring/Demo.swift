import AfterpushWire
import Declarations
import Events
import Foundation
import Reports
import Server
import Simulator
import Storage

/// The demo: fills its app once, and prints reports.
struct Demo {
    private let session: DatabaseSession
    private let url: String
    /// What a command needs to find the database.
    private let place: String
    private let app: App
    private let isNew: Bool

    /// Finds the app, or creates it.
    ///
    /// - Parameters:
    ///   - url: The address of the running collector.
    ///   - settings: The settings that the command line may have chosen.
    init(_ session: DatabaseSession, url: String, settings: Settings) async throws {
        self.session = session
        self.url = url
        let isUsual = settings.databaseURL != nil || settings.dataDirectory == ".afterpush"
        place = isUsual ? "" : " --data-dir '\(settings.dataDirectory.replacing("'", with: "'\\''"))'"
        if let app = try await session.registry.apps().first(where: { $0.name == "demo" }) {
            self.app = app
            let marker = try await session.registry.categories(app: app)
            isNew = marker.isEmpty
        } else {
            app = try await session.registry.createApp("demo")
            isNew = true
        }
    }

    /// Posts the fleet's traffic, unless an earlier run has done so completely. Events of an incomplete run count once.
    func fill() async throws {
        guard isNew else {
            Terminal.note("Using the demo data of an earlier run.")
            return
        }
        let now = app.createdTimestamp
        let plan = FleetPlan.demo(now: now)
        let registry = session.registry
        for campaign in plan.campaigns {
            var declared = CampaignDeclaration(identifier: campaign.id, name: campaign.name)
            declared.category = campaign.category
            declared.startsAt = campaign.startsAt
            declared.holdout = campaign.holdout > 0 ? campaign.holdout : nil
            declared.variants = campaign.variants.map {
                .init(identifier: $0.id, weight: $0.weight, isControl: $0.isControl)
            }
            try await registry.putCampaign(declared, app: app)
        }
        let signer = ReceiptSigner(app: app.name, secret: Data(try await registry.receiptSecret(of: app)))
        try await post(FleetTraffic(plan, signer: signer))
        // Last, because it marks the data as complete. Version 1 is effective from the beginning of time.
        let categories = try CategorySet(json: Data(FleetPlan.demoCategories.utf8))
        _ = try await registry.putCategories(categories, app: app, at: now)
    }

    private func post(_ traffic: FleetTraffic) async throws {
        guard let url = URL(string: url) else { return }
        let poster = FleetPoster(
            baseURL: url, ingestKey: try await session.registry.createKey(app: app, scope: .ingest),
            sendKey: try await session.registry.createKey(app: app, scope: .send))
        Terminal.note("A fleet of simulated devices posts \(traffic.eventCount) events to \(self.url) ...")
        let start = ContinuousClock.now
        let tally = try await poster.post(traffic) { done, all in
            if done % 1_000 == 0 { Terminal.note("  \(done) of \(all) requests") }
        }
        let seconds = start.duration(to: .now).formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1)))
        Terminal.note(
            """
            \(tally.accepted) events stored, \(tally.duplicates) duplicates of devices that retried, \
            \(tally.rejected) rejected, in \(seconds).
            """
        )
    }

    /// Prints the conversion by campaign and by category.
    func show() async throws {
        let maintenance = RollupMaintenance(pool: session.database.owner)
        while try await maintenance.waitingBatches(of: app.id) > 0 { try await Task.sleep(for: .milliseconds(50)) }
        try await RollupWorker(pool: session.database.background, logger: session.logger).recount(app.id)
        if isNew { try await maintenance.analyze() }
        let service = session.reportService(catalogue: ReportService.catalogue())
        let conversion = try service.catalogue.report(named: "conversion")
        for by in ["campaign,variant", "category"] {
            let parameters = try ReportParameters(validating: ["by": by], for: conversion)
            let result = try await service.run(conversion, parameters, app: app.id, name: app.name)
            Terminal.print("")
            try await TableFormat(isTerminal: Terminal.isInteractive, width: Terminal.width)
                .write(result.selecting(columns: Self.columns)) { Terminal.write($0) }
            Terminal.print("")
        }
    }

    /// The columns that fit on a terminal. `afterpush report conversion --app demo` prints all.
    private static let columns = [
        "campaign_id", "variant", "category_id", "sent", "confirmed", "responded", "converted", "conversion_rate",
        "conversion_rate_low", "conversion_rate_high", "dismiss_rate", "dismiss_rate_low", "dismiss_rate_high", "base",
    ]

    /// Returns the trickle of events that keeps the page Live busy while the demo runs.
    func trickle() async throws -> FleetTrickle? {
        guard let url = URL(string: url) else { return nil }
        let registry = session.registry
        let (id, name) = FleetTrickle.campaign
        if try await registry.campaigns(app: app, only: id).isEmpty {
            try await registry.putCampaign(CampaignDeclaration(identifier: id, name: name), app: app)
        }
        return FleetTrickle(
            baseURL: url, ingestKey: try await registry.createKey(app: app, scope: .ingest),
            sendKey: try await registry.createKey(app: app, scope: .send))
    }

    /// Prints what to try next.
    ///
    /// - Parameter tokens: The collector's tokens, for an address that signs in without a key.
    func invite(_ tokens: LoginTokens) async throws {
        let key = try await session.registry.createKey(app: app, scope: .read)
        let ingestKey = try await session.registry.createKey(app: app, scope: .ingest)
        Terminal.print(
            """

            The dashboard, for a browser on this machine; the address works once, within 15 minutes:
              \(url)/login?token=\(tokens.issue(for: key))
            Later, sign in at \(url)/ with this key, which reads reports:
              \(key)
            The collector's API has the same address. Try:
              curl -H 'Authorization: Bearer \(key)' '\(url)/v1/reports/actions?format=csv'
              afterpush report conversion --app demo --by day --period 7d\(place)
            To post events of your own, also with a client of Segment, PostHog or another system (docs/other-clients.md),
            give it the address \(url) and this key, which posts events:
              \(ingestKey)
            The collector runs until you press Ctrl-C. Until then a few events a second arrive: see \(url)/live
            """)
    }
}

extension App {
    /// The time at which the app was created. It is the demo's present, so that a second run posts the same events.
    fileprivate var createdTimestamp: Timestamp {
        Timestamp(microseconds: Int64(createdAt.timeIntervalSince1970 * 1_000_000))
    }
}
