import AfterpushWire
import Events
import Foundation
import Ingest
import Storage
import Synchronization
import TestSupport
import Testing

/// Tests when a rollup run lowers its priority.
@Suite struct RollupPriorityTests {
    @Test(arguments: [
        (events: 2, small: 3, full: 50_000, givesWay: [true, true]),
        (events: 3, small: 3, full: 50_000, givesWay: [true, false]),
        (events: 3, small: 10_000, full: 3, givesWay: [true, false]),
    ])
    func `a rollup run has low priority unless the previous one was large or full`(
        events: Int, small: Int, full: Int, givesWay: [Bool]
    ) async throws {
        let app = try await TestApp()
        var configuration = RollupWorker.Configuration()
        configuration.smallRun = small
        configuration.eventsPerRun = full
        // A full run is followed by one of all batches, too.
        configuration.connections = 1
        // It runs only when it is called.
        configuration.pause = .seconds(600)
        let runs = Mutex<[(backendPID: Int32, givesWay: Bool)]>([])
        let worker = RollupWorker(
            pool: app.database.worker, configuration: configuration, logger: TestCluster.logger
        ) { backendPID, givesWay in
            runs.withLock { $0.append((backendPID, givesWay)) }
        }
        try await store(events, app)
        worker.wake()
        let running = Task { try await worker.run() }
        defer { running.cancel() }
        // The second run finds nothing.
        try await app.waitUntil("two runs") { runs.withLock { $0.count } == 2 }
        #expect(runs.withLock { $0.map(\.givesWay) } == givesWay)
        let workers = try await app.superuserValue(
            """
            select string_agg(pid::text, ' ') from pg_stat_activity
            where datname = current_database() and application_name = 'afterpush worker'
            """)
        let known = Set(workers?.split(separator: " ").map(String.init) ?? [])
        #expect(runs.withLock { $0.allSatisfy { known.contains(String($0.backendPID)) } })
    }

    private func store(_ count: Int, _ app: TestApp) async throws {
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        let body = try EventJSON.body((0..<count).map { _ in EventJSON.event() })
        let pending = PendingSubmission(try Submission.read(Array(body), as: .json), context)
        _ = try await sink.store(EventGroup([pending]))
    }
}
