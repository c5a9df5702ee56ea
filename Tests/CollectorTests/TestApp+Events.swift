import AfterpushWire
import Foundation
import Ingest
import Storage
import TestSupport
import Testing

extension TestApp {
    /// Stores events as a server would post them, 500 at a time; returns how many were not there yet.
    @discardableResult
    func store(_ events: [[String: any Sendable]]) async throws -> Int {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.id, scope: .send, receivedAt: now)
        let sink = PostgresSink(pool: database.ingest, logger: TestCluster.logger)
        var accepted = 0
        for start in stride(from: 0, to: events.count, by: 500) {
            let body = try EventJSON.body(Array(events[start..<min(start + 500, events.count)]))
            let submission = try Submission.read(Array(body), as: .json)
            let outcomes = try await sink.store(EventGroup([PendingSubmission(submission, context)]))
            #expect(outcomes[0].rejections.isEmpty)
            accepted += outcomes[0].accepted
        }
        return accepted
    }
}
