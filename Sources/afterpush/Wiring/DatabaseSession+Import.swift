import AfterpushWire
import Dialects
import Events
import Foundation
import Imports
import Receipts
import Storage

extension DatabaseSession {
    /// Returns an importer that stores an app's events as if its server had posted them, with the role that can only
    /// insert.
    func importer(_ app: App) async throws -> Importer {
        let months = MonthPartitionCreator(partitions: PartitionWorker(pool: database.background, logger: logger))
        let database = database
        let receipts = ReceiptSecretCache { app in try await Registry.receiptSecrets(ofApp: app, in: database.requests)
        }
        let suppressionList = SuppressionListWorker(
            pool: database.requests, restoring: database.background, file: nil, logger: logger)
        let sink = PostgresSink(
            pool: database.ingest, limits: limits, logger: logger, suppressionList: { suppressionList.current })
        let configuration = try await Registry.dialectConfiguration(app: app.id, in: database.requests)
        let foreign = ForeignContext(
            appID: app.id, settings: configuration.settings(receivedAt: .now),
            eventIDKey: try await Registry.eventIDKey(ofApp: app.id, in: database.requests))
        return Importer(
            sink: sink, foreign: foreign,
            context: { submission in
                var context = ValidationContext(appID: app.id, scope: .send, receivedAt: .now)
                context.restoresExports = true
                context.suppressionList = try await suppressionList.recent()
                context.limits.numberDigits = 1_024
                if submission.statesReceipts {
                    context.verifier = RequestReceiptVerifier(
                        app: app.name, secrets: try await receipts.secrets(ofApp: app.id),
                        receivedAt: context.receivedAt)
                }
                return context
            },
            prepare: { try await months.ensure($0) },
            count: { try await DialectCountStore(pool: database.requests).add($0) })
    }

    /// Merges the waiting batches into the rollups, and recounts an app's conversions if their window was changed.
    func waitForRollups(of app: App) async throws {
        let maintenance = RollupMaintenance(pool: database.owner)
        let worker = RollupWorker(pool: database.worker, logger: logger)
        while try await maintenance.waitingBatches(of: app.id) > 0 {
            // A collector is merging them.
            if try await worker.rollUp(failingFor: app.id) == 0 { try await Task.sleep(for: .milliseconds(200)) }
        }
        try await worker.recount(app.id)
    }

    /// Prints the number of batches that wait to be merged, if any do.
    func noteWaitingBatches() async throws {
        let batches = try await RollupMaintenance(pool: database.owner).waitingBatches()
        guard batches > 0 else { return }
        let count = batches == 1 ? "1 batch" : "\(ProgressLine.grouped(Int(batches))) batches"
        Terminal.note(
            "afterpush: reports don't count \(count) yet; a running collector merges them, and so does --wait")
    }
}

/// Creates the partitions of months before their events are stored.
private actor MonthPartitionCreator {
    private let partitions: PartitionWorker
    private var months = EventMonths()

    init(partitions: PartitionWorker) {
        self.partitions = partitions
    }

    func ensure(_ events: [Event]) async throws {
        let new = months.new(in: events)
        if !new.isEmpty { try await partitions.ensure(monthsOf: new, now: .now) }
    }
}
