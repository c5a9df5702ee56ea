import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

/// Tests reads that a standby ends because they conflict with what it replays.
@Suite(.serialized) struct RecoveryConflictTests {
    /// Reads never make the primary keep rows, and never make the standby wait.
    private static let settings = ["hot_standby_feedback=off", "max_standby_streaming_delay=0"]

    /// Removes rows on the primary, for which the standby ends every statement that could still see them.
    private static func vacuum(_ app: TestApp) async throws {
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        try await connection.script("update public.numbers set number = number + 1")
        try await connection.script("vacuum public.numbers")
        await connection.close()
    }

    /// Reads the numbers slowly in a pool that prefers the standby, and returns where it was tried.
    ///
    /// - Parameter conflicts: The number of attempts during which rows are removed.
    private func read(_ cluster: ReplicatedCluster, conflicts: Int) async throws -> (
        servers: [String], repeats: [String]
    ) {
        let pools = [cluster.app.conninfo, cluster.standby.conninfo].map {
            ConnectionPool(configuration: PostgresConfiguration(conninfo: $0), size: 2, logger: TestCluster.logger)
        }
        let repeats = Mutex<[String]>([])
        let replica = Replica(
            maxLag: .seconds(60), logger: TestCluster.logger,
            onRepeat: { error in repeats.withLock { $0.append(error.sqlState ?? "") } },
            check: { .replica(lag: .zero) })
        let pool = ReadPool(pools[0], preferring: pools[1], state: replica)
        var servers: [String] = []
        let app = cluster.app
        let sum = try await pool.withConnection { connection in
            servers.append(await connection.isStandby ? "standby" : "primary")
            let isConflicting = servers.count <= conflicts
            async let vacuumed: Void = {
                try await Task.sleep(for: .milliseconds(300))
                if isConflicting { try await Self.vacuum(app) }
            }()
            do {
                let rows = try await connection.transaction(.readOnlyRepeatable) { connection in
                    try connection.query(
                        "select sum(number)::text from public.numbers, (select pg_sleep(2)) as slowly")
                }
                try await vacuumed
                return rows[0].text(0)
            } catch {
                try await vacuumed
                throw error
            }
        }
        #expect(sum != nil)
        for pool in pools { await pool.shutdown() }
        return (servers, repeats.withLock { $0 })
    }

    @Test func `a query that the standby ends is repeated there once, and then on the primary`() async throws {
        try await ReplicatedCluster.with(settings: Self.settings) { cluster in
            try await TestCluster.script(
                "create table public.numbers as select generate_series(1, 100) as number", on: cluster.app.conninfo)
            try await cluster.standby.catchUp(with: cluster.app)
            let none = try await read(cluster, conflicts: 0)
            #expect(none.servers == ["standby"] && none.repeats == [])
            let once = try await read(cluster, conflicts: 1)
            #expect(once.servers == ["standby", "standby"] && once.repeats == [])
            let twice = try await read(cluster, conflicts: 2)
            #expect(twice.servers == ["standby", "standby", "primary"] && twice.repeats == ["40001"])
            let conflicts = try await cluster.standby.value(
                "select sum(confl_snapshot) from pg_stat_database_conflicts")
            #expect(conflicts == "3")
        }
    }

    @Test func `a report over HTTP is answered although the standby ends its query each time`() async throws {
        let directory =
            FileManager.default.temporaryDirectory.path + "/afterpush-reports-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try """
        -- title: Slow
        -- description: Counts slowly.
        -- column: deliveries integer  deliveries
        select count(*) as deliveries from afterpush.deliveries where (select pg_sleep(2)::text) is not null

        """.write(toFile: directory + "/slow.sql", atomically: true, encoding: .utf8)
        try await ReplicatedCluster.with(settings: Self.settings) { cluster in
            let collector = try await cluster.collector(arguments: ["--reports", directory])
            try await cluster.send(20, to: collector)
            try await cluster.standby.catchUp(with: cluster.app)
            let isDone = DoneFlag()
            async let vacuums: Void = {
                while !isDone.isSet {
                    try await TestCluster.script(
                        "update afterpush.deliveries set campaign_id = campaign_id", on: cluster.app.conninfo)
                    try await TestCluster.script("vacuum afterpush.deliveries", on: cluster.app.conninfo)
                    try await Task.sleep(for: .milliseconds(300))
                }
            }()
            let response = try await TestClient(url: collector.url).get(
                "/v1/reports/slow", key: cluster.app.readKey)
            isDone.set()
            try await vacuums
            #expect(response.status == 200, "\(response.text)")
            let rows = try response.json()["rows"] as? [[String: Any]]
            #expect(rows?.first?["deliveries"] as? Int == 20, "\(response.text)")
            let metrics = try await cluster.metrics(collector)
            #expect(metrics[#"afterpush_replica_repeats_total{sqlstate="40001"}"#] == 1)
            #expect(metrics["afterpush_replica_used"] == 1, "the replica is well")
            await collector.stop()
        }
    }
}
