import Foundation
import Postgres
import ReferenceModel
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests a database behind PgBouncer in transaction mode, where nothing may outlive a transaction.
@Suite(.serialized) struct PoolerTests {
    private static let pooler = Task { try await PgBouncer() }

    @Test func `each transaction applies its settings, and leaves none behind for other clients`() async throws {
        let direct = try await TestCluster.database()
        var configuration = PostgresConfiguration(conninfo: try await Self.pooler.value.conninfo(direct))
        configuration.role = "afterpush_worker"
        configuration.statementTimeout = .milliseconds(1_234)
        let connection = try await Connection.open(configuration, logger: TestCluster.logger)
        #expect(await connection.isPooled)
        let sql = "select current_user, current_setting('statement_timeout')"
        let single = try await connection.query(sql, prepared: true)
        #expect(try single[0].decode(String.self, String.self) == ("afterpush_worker", "1234ms"))
        let inside = try await connection.transaction { try $0.query(sql)[0].decode(String.self, String.self) }
        #expect(inside == ("afterpush_worker", "1234ms"))
        #expect(try await connection.columns(of: "select 1 as one, 2 as two") == ["one", "two"])

        // A script is not changed, so it shows what another client of the pooler would find.
        try await connection.script(
            """
            create table public.seen as
            select current_user as name, current_setting('statement_timeout') as timeout,
                (select count(*) from pg_prepared_statements) as prepared;
            grant select on public.seen to public
            """)
        let seen = try await connection.query("select name, timeout, prepared from public.seen", prepared: true)
        #expect(try seen[0].decode(String.self, String.self, Int.self) == ("afterpush", "0", 0))
        await connection.close()
    }

    /// `pg_dump` turns row security off for its session, and a client that loads much turns off waiting for the disk.
    @Test func `what another client leaves behind on a connection of the pooler does not hold`() async throws {
        let conninfo = try await Self.pooler.value.conninfo(try await TestCluster.database())
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        let sql = "select current_setting('row_security'), current_setting('synchronous_commit')"
        try await connection.script("set row_security = off; set synchronous_commit = off")
        let single = try await connection.query(sql)
        #expect(try single[0].decode(String.self, String.self) == ("on", "on"))
        let inside = try await connection.transaction { try $0.query(sql)[0].decode(String.self, String.self) }
        #expect(inside == ("on", "on"))
        // A script is not changed, so it shows that this connection has them.
        let named = sql.replacing("),", with: ") as rows,") + " as commit"
        try await connection.script("create table public.left_behind as \(named)")
        let left = try await connection.query("select rows, commit from public.left_behind")
        #expect(try left[0].decode(String.self, String.self) == ("off", "off"))
        await connection.close()
    }

    @Test(arguments: [("off", "on"), ("on", "on"), ("local", "local"), ("remote_apply", "remote_apply")])
    func `a direct connection waits for the disk, and for more if the server says so`(
        setting: String, expected: String
    ) async throws {
        let conninfo =
            try await TestCluster.database()
            + " options='-c synchronous_commit=\(setting) -c standard_conforming_strings=off'"
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        let rows = try await connection.query(
            "select current_setting('synchronous_commit'), current_setting('standard_conforming_strings')")
        let (commit, strings) = try rows[0].decode(String.self, String.self)
        #expect(commit == expected)
        // Without it, the patterns of the SQL functions would mean something else.
        #expect(strings == "on")
        await connection.close()
    }

    /// With session state on connections that others use, statements meet another's roles, and prepared statements
    /// another's text.
    @Test func `clients that share connections to the server never meet each other's state`() async throws {
        let conninfo = try await Self.pooler.value.conninfo(try await TestCluster.database())
        let roles = ["afterpush_worker", "afterpush_ingest", "afterpush_report", "afterpush_owner"]
        try await withThrowingTaskGroup { group in
            for client in 0..<12 {
                group.addTask {
                    var configuration = PostgresConfiguration(conninfo: conninfo)
                    configuration.role = roles[client % 4]
                    configuration.lockTimeout = .milliseconds(1_000 + client)
                    let connection = try await Connection.open(configuration, logger: TestCluster.logger)
                    for _ in 0..<50 {
                        let rows = try await connection.query(
                            "select \(client) + $1, current_user, current_setting('lock_timeout')",
                            [.int4(Int32(client))], prepared: true)
                        let (sum, role, timeout) = try rows[0].decode(Int.self, String.self, String.self)
                        #expect(sum == 2 * client && role == roles[client % 4])
                        #expect(timeout == "\(1_000 + client)ms" || client == 0 && timeout == "1s")
                    }
                    await connection.close()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a direct connection is a session`() async throws {
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: try await TestCluster.database()), logger: TestCluster.logger)
        #expect(await !connection.isPooled)
        await connection.close()
    }

    @Test(arguments: ModelTests.seeds(110_000, short: 2))
    func `reports through a pooler equal the model`(seed: UInt64) async throws {
        let conninfo = try await Self.pooler.value.conninfo(try await TestCluster.database())
        let processes = [
            try await CollectorProcess(conninfo: conninfo), try await CollectorProcess(conninfo: conninfo),
        ]
        let collectors = ModelCollectors(conninfo: conninfo, urls: processes.map(\.url))
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        let run = try await ModelRun(Scenario(seed: seed, now: now), on: collectors)
        try await run.post()
        try await run.waitForRollups()
        try await run.expectReportsEqualModel("seed \(seed)", step: 2)
        try await run.expectHealthEqualsModel("seed \(seed)", step: 4)
        try await run.rebuild()
        #expect(try await run.differences() == [], "seed \(seed): rollup verify")
        for process in processes {
            process.signal(SIGTERM)
            #expect(await process.exitCode(within: .seconds(60)) == 0, "\(process.errorOutput)")
        }
    }

    @Test func `all commands work through a pooler, and doctor says that it is there`() async throws {
        let direct = try await TestCluster.database(empty: true)
        let url = try await Self.pooler.value.conninfo(direct)
        let database = ["--database-url", url]
        func run(_ arguments: [String]) async throws -> String {
            let result = try await Program.run(arguments + database)
            #expect(result.status == 0, "\(arguments): \(result.error)")
            return result.output + result.error
        }
        _ = try await run(["migrate"])
        _ = try await run(["apps", "create", "shop"])
        let created = try await Program.run(["keys", "create", "--app", "shop", "--scope", "send"] + database)
        let key = created.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let collector = try await CollectorProcess(conninfo: url)
        let client = TestClient(url: collector.url)
        let event = """
            {"event_id":"\(UUID())","occurred_at":"\(Date().formatted(.iso8601))","kind":"sent","notification_id":"n",
            "device_id":"d","campaign_id":"spring"}
            """
        let answer = try await client.post("/v1/events", Data("[\(event)]".utf8), key: key)
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        let deadline = ContinuousClock.now + .seconds(30)
        while try await !run(["report", "conversion", "--app", "shop", "--format", "csv", "--min-n", "1"])
            .contains(",1,")
        {
            guard ContinuousClock.now < deadline else { throw Program.Failed(message: "the report stays empty") }
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(try await run(["export", "events", "--app", "shop"]).contains("spring"))
        #expect(try await run(["rollup", "verify"]).contains("0 differences"))
        _ = try await run(["rollup", "rebuild"])
        _ = try await run(["retention"])
        _ = try await run(["erase", "d", "--app", "shop", "--wait"])
        #expect(try await !run(["export", "events", "--app", "shop"]).contains("spring"))
        // It finds that the tests' PostgreSQL flushes nothing to disk.
        let doctor = try await Program.run(["doctor"] + database).output
        #expect(doctor.contains("through a connection pooler"), "\(doctor)")
        #expect(doctor.contains(/\nok +roles/) && doctor.contains(/\nok +writable/), "\(doctor)")
    }
}
