import Testing

@testable import Postgres

/// Tests what error descriptions contain and what they leave out.
struct ErrorTests {
    private func failure(_ sql: String, _ parameters: [Parameter] = []) async throws -> PostgresError {
        let connection = try await TestServer.connect()
        try await connection.script("create temp table t (name text primary key check (name <> 'bad'))")
        try await connection.script("insert into t values ('s3cret')")
        let error = await #expect(throws: PostgresError.self) { try await connection.query(sql, parameters) }
        #expect(await connection.isUsable)
        return try #require(error)
    }

    @Test func `a unique violation's description has the SQLSTATE and none of the values`() async throws {
        let error = try await self.failure("insert into t values ($1)", [.text("s3cret")])
        #expect(error.sqlState == "23505" && error.isDataError && !error.isRetryable && !error.isUnknownOutcome)
        #expect(error.description == "PostgreSQL 23505 unique_violation (insert into t values)")
        #expect(!error.description.contains("s3cret") && !error.detailForOperator.contains("s3cret"))
    }

    @Test func `the description does not contain a value that can't be converted`() async throws {
        let error = try await self.failure("select $1::text::int", [.text("s3cret")])
        #expect(error.sqlState == "22P02" && error.isDataError)
        #expect(!error.description.contains("s3cret"))
        #expect(error.detailForOperator.contains("invalid input syntax"))
    }

    @Test func `the description does not contain constants of the statement`() async throws {
        let error = try await self.failure("selekt 's3cret'")
        #expect(error.sqlState == "42601")
        #expect(!error.description.contains("s3cret"))
    }

    @Test func `the description contains a message that names only objects`() async throws {
        let error = try await self.failure("select * from nowhere")
        #expect(error.sqlState == "42P01" && !error.isDataError)
        #expect(error.description.contains("relation \"nowhere\" does not exist"))
    }

    @Test func `a message raised by a function is shown to the operator only`() async throws {
        let error = try await self.failure("do $$ begin raise exception 's3cret' using hint = 'look'; end $$")
        #expect(error.sqlState == "P0001" && !error.description.contains("s3cret"))
        #expect(error.detailForOperator.contains("s3cret") && error.detailForOperator.contains("Hint: look"))
    }

    @Test func `no description contains the connection string`() async throws {
        for conninfo in ["postgres://u:s3cret@nowhere.invalid/d", "host=/s3cret password=s3cret", "password s3cret"] {
            let error = await TestServer.refusal(conninfo, timeout: .seconds(3))
            #expect(error?.kind == .connect && error?.isConnectionLoss == true && error?.isRetryable == true)
            #expect(error?.description.contains("s3cret") == false)
        }
    }

    @Test func `the error for an unknown role does not contain its name`() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await TestServer.connect { $0.conninfo += " user=s3cret" }
        }
        #expect(error?.description == "PostgreSQL: cannot connect: no such role or database (connect)")
    }

    @Test(arguments: [
        ("40001", true), ("40P01", true), ("55P03", true), ("57P01", true), ("23505", false), ("42601", false),
    ])
    func `only temporary errors are retryable`(code: String, expected: Bool) {
        #expect(SQLState(code).isTransient == expected)
    }

    @Test func `notices are ignored and don't reach standard error`() async throws {
        let connection = try await TestServer.connect()
        try await connection.script("do $$ begin raise warning 'noise'; end $$")
        #expect(await connection.isUsable)
    }
}
