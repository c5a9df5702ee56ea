import AfterpushWire
package import Events
import Foundation
import Ingest
import Receipts
import Storage

extension TestApp {
    /// Stores events, 500 at a time, and returns how many were new.
    ///
    /// Throws if an event is rejected.
    ///
    /// - Parameters:
    ///   - scope: The scope of the key that they are posted with. A server's, `send`, verifies them; otherwise only their
    ///     `receipt` does.
    ///   - eventsPerSlice: How many events for each slice of devices make a batch for each slice.
    @discardableResult
    package func store(_ events: [[String: any Sendable]], scope: Scope = .send, eventsPerSlice: Int = 64)
        async throws -> Int
    {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        var verifier: RequestReceiptVerifier?
        if events.contains(where: { $0["receipt"] != nil }) {
            let secret = try await ReceiptSecret(registry.receiptSecret(of: app))
            verifier = RequestReceiptVerifier(app: app.name, secrets: [secret], receivedAt: now)
        }
        let context = ValidationContext(appID: app.id, scope: scope, receivedAt: now, verifier: verifier)
        let sink = PostgresSink(
            pool: database.ingest, eventsPerSlice: eventsPerSlice, logger: TestCluster.logger)
        var accepted = 0
        for start in stride(from: 0, to: events.count, by: 500) {
            let body = try EventJSON.body(Array(events[start..<min(start + 500, events.count)]))
            let submission = try Submission.read(Array(body), as: .json)
            let outcomes = try await sink.store(EventGroup([PendingSubmission(submission, context)]))
            guard outcomes[0].rejections.isEmpty else {
                throw Program.Failed(message: "rejected: \(outcomes[0].rejections)")
            }
            accepted += outcomes[0].accepted
        }
        return accepted
    }
}

extension TestApp {
    /// The app's receipt secret, as the command prints it.
    package func receiptSecret() async throws -> String {
        Base64URL.encode(try await registry.receiptSecret(of: app))
    }

    /// Receipts with the given claims, each signed with the app's secret.
    package func receipts(_ claims: [ReceiptClaims]) async throws -> [String] {
        let secret = try await ReceiptSecret(registry.receiptSecret(of: app))
        var receipts: [String] = []
        for claims in claims { receipts.append(try await secret.receipt(claims)) }
        return receipts
    }
}
