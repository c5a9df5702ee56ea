import AfterpushWire
import Events
import Foundation
import Ingest
import Postgres
import Storage
import TestSupport
import Testing

/// Tests E23: a missing partition loses no event and is created while events arrive.
@Suite(.serialized) struct PartitionTests {
    private static let dropPresentMonth = """
        do $$
        begin
            execute 'drop table afterpush.events_' || to_char(now() at time zone 'UTC', 'YYYY_MM');
        end
        $$
        """

    /// How many events the default partition has before; more than some thousand are copied instead of moved.
    @Test(arguments: [0, 10_001])
    func `E23: the present month's partition is created under load, and no event is refused or lost`(
        before: Int
    ) async throws {
        let app = try await TestApp()
        try await TestCluster.script(Self.dropPresentMonth, on: app.conninfo)
        let start = Date().formatted(.iso8601)
        try await app.store(
            (0..<before).map { EventJSON.event(["notification_id": "before \($0)", "occurred_at": start]) })
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        @Sendable func context() -> ValidationContext {
            let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
            return ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        }
        let isMade = DoneFlag()
        let tallies = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var stored = 0
                    var rejected = 0
                    var rounds = 0
                    // A few more requests write to the new partition.
                    while rounds < 20 {
                        if isMade.isSet { rounds += 1 }
                        let time = Date().formatted(.iso8601)
                        let events = (0..<Int.random(in: 1...3)).map { _ in
                            EventJSON.event(["occurred_at": time, "notification_id": UUID().uuidString])
                        }
                        let submission = try Submission.read(Array(EventJSON.body(events)), as: .json)
                        let outcome = try await sink.store(EventGroup([PendingSubmission(submission, context())]))[0]
                        stored += outcome.accepted
                        rejected += outcome.rejections.count
                    }
                    return (stored, rejected)
                }
            }
            while try await app.value("select count(*) > \(before) from afterpush.events_default") != "t" {
                try await Task.sleep(for: .milliseconds(20))
            }
            let worker = PartitionWorker(pool: app.database.worker, logger: TestCluster.logger)
            #expect(try await worker.ensure() == 1)
            isMade.set()
            #expect(try await worker.ensure() == 0)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let stored = tallies.reduce(before) { $0 + $1.0 }
        #expect(tallies.reduce(0) { $0 + $1.1 } == 0)
        #expect(try await app.value("select count(*) from afterpush.events_default") == "0")
        #expect(try await app.value("select count(*) from afterpush.events") == String(stored))
    }

    @Test func `creating a partition waits for a long reader without blocking others for long`() async throws {
        let app = try await TestApp()
        try await TestCluster.script(Self.dropPresentMonth, on: app.conninfo)
        let reader = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await reader.script("begin; select count(*) from afterpush.events")
        let worker = PartitionWorker(pool: app.database.worker, logger: TestCluster.logger)
        async let made = worker.ensure()
        try await Task.sleep(for: .milliseconds(3_000))
        #expect(
            try await app.value(
                "select to_regclass('afterpush.events_' || to_char(now() at time zone 'UTC', 'YYYY_MM')) is null")
                == "t")
        await reader.close()
        #expect(try await made == 1)
    }
}
