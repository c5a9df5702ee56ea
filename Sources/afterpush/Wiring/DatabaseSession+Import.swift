import AfterpushWire
import Events
import Foundation
import Imports
import Receipts
import Storage

extension DatabaseSession {
    /// What stores an app's events as if its server posted them, in the role that can only add.
    func importer(_ app: App) -> Importer {
        let months = MonthPartitionCreator(partitions: PartitionWorker(pool: database.worker, logger: logger))
        let sink = PostgresSink(pool: database.ingest, limits: limits, logger: logger)
        let database = database
        let receipts = ReceiptSecretCache { app in try await Registry.receiptSecrets(ofApp: app, in: database.ingest) }
        let suppressionList = SuppressionListWorker(
            pool: database.ingest, restoring: database.worker, file: nil, logger: logger)
        return Importer(
            sink: sink,
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
            prepare: { try await months.ensure($0) })
    }

    /// Says what reports don't count yet, or merges it.
    func settle(waiting: Bool) async throws {
        let maintenance = RollupMaintenance(pool: database.owner)
        let worker = RollupWorker(pool: database.worker, logger: logger)
        var batches = try await maintenance.waitingBatches()
        while waiting, batches > 0 {
            // Nothing merged: a collector is at it.
            if try await worker.rollUp() == 0 { try await Task.sleep(for: .milliseconds(200)) }
            batches = try await maintenance.waitingBatches()
        }
        guard batches > 0 else { return }
        Terminal.note(
            "afterpush: reports don't count \(ProgressLine.grouped(Int(batches))) batches yet; a collector merges them "
                + "while it runs, --wait does it here")
    }
}

/// Makes the partitions of months before many events go there.
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
