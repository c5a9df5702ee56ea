import Testing

@testable import Postgres

/// Tests that transactions are atomic and that their outcome is known.
struct TransactionTests {
    private struct Refusal: Error {}

    private func table(_ connection: Connection, _ name: String) async throws {
        try await connection.script("drop table if exists \(name); create table \(name) (i int)")
    }

    private func count(_ name: String) async throws -> Int {
        try await TestServer.connect().query("select count(*) from \(name)")[0].decode(Int.self)
    }

    @Test func `a transaction commits if its body returns`() async throws {
        let connection = try await TestServer.connect()
        try await self.table(connection, "committed")
        let inserted = try await connection.transaction { connection in
            try connection.execute("insert into committed values (1)")
                + connection.execute("insert into committed values (2)")
        }
        #expect(inserted == 2)
        #expect(try await self.count("committed") == 2)
    }

    @Test func `a transaction rolls back if its body throws, and rethrows the error`() async throws {
        let connection = try await TestServer.connect()
        try await self.table(connection, "refused")
        await #expect(throws: Refusal.self) {
            try await connection.transaction { connection in
                try connection.execute("insert into refused values (1)")
                throw Refusal()
            }
        }
        #expect(try await self.count("refused") == 0)
        #expect(try await connection.execute("insert into refused values (1)") == 1)
    }

    @Test func `a transaction is not reported as committed if its body swallowed an error`() async throws {
        let connection = try await TestServer.connect()
        try await self.table(connection, "swallowed")
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction { connection in
                try connection.execute("insert into swallowed values (1)")
                try? connection.script("select 1/0")
            }
        }
        #expect(error?.kind == .rolledBack && error?.isUnknownOutcome == false)
        #expect(try await self.count("swallowed") == 0)
    }

    @Test func `a nested transaction is refused`() async throws {
        let connection = try await TestServer.connect()
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction { try $0.transaction { try $0.script("select 1") } }
        }
        #expect(error?.kind == .misuse)
    }

    @Test func `a read-only transaction refuses writes and sees one snapshot`() async throws {
        let connection = try await TestServer.connect()
        try await self.table(connection, "snapshot")
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction(.readOnlyRepeatable) { try $0.execute("insert into snapshot values (1)") }
        }
        #expect(error?.isReadOnlyServer == true)
        let level = try await connection.transaction(.readOnlyRepeatable) {
            try $0.query("show transaction_isolation")[0].decode(String.self)
        }
        #expect(level == "repeatable read")
    }

    @Test func `a connection lost in the body means that the transaction failed`() async throws {
        let connection = try await TestServer.connect()
        let other = try await TestServer.connect()
        let pid = await connection.backendPID
        let work = Task { try await connection.transaction { try $0.script("select pg_sleep(8)") } }
        try await Task.sleep(for: .milliseconds(300))
        try await other.execute("select pg_terminate_backend($1)", [.int4(pid)])
        let error = await #expect(throws: PostgresError.self) { try await work.value }
        #expect(error?.isConnectionLoss == true && error?.isUnknownOutcome == false)
        #expect(await !connection.isUsable)
    }

    @Test func `a single statement whose connection is lost has an unknown outcome`() async throws {
        let connection = try await TestServer.connect()
        let other = try await TestServer.connect()
        let pid = await connection.backendPID
        let work = Task { try await connection.query("select pg_sleep(8)") }
        try await Task.sleep(for: .milliseconds(300))
        try await other.execute("select pg_terminate_backend($1)", [.int4(pid)])
        let error = await #expect(throws: PostgresError.self) { try await work.value }
        #expect(error?.isUnknownOutcome == true && error?.isConnectionLoss == true && error?.isRetryable == true)
    }

    @Test func `a COMMIT without a reply has an unknown outcome`() async throws {
        let connection = try await TestServer.connect { $0.replyTimeout = .milliseconds(500) }
        try await self.table(connection, "slow_commit")
        // A deferred trigger makes the COMMIT slow.
        try await connection.script(
            """
            create or replace function slow() returns trigger language plpgsql
                as $$ begin perform pg_sleep(3); return null; end $$;
            create constraint trigger slow after insert on slow_commit deferrable initially deferred
                for each row execute function slow()
            """)
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction { try $0.execute("insert into slow_commit values (1)") }
        }
        #expect(error?.kind == .timeout && error?.isUnknownOutcome == true && error?.context == "commit")
    }

    @Test func `a constraint that fails at COMMIT means that the transaction failed`() async throws {
        let connection = try await TestServer.connect()
        try await connection.script("create temp table late (i int unique deferrable initially deferred)")
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction { try $0.execute("insert into late values (1), (1)") }
        }
        #expect(error?.sqlState == "23505" && error?.isUnknownOutcome == false)
        #expect(await connection.isUsable)
    }
}
