import Foundation
import Testing

@testable import Postgres

/// Tests reading rows.
struct RowTests {
    @Test func `a null decodes only as an optional`() async throws {
        let rows = try await TestServer.connect().query("select null::int8, 1::int8")
        let (first, second) = try rows[0].decode(Int?.self, Int.self)
        #expect(first == nil && second == 1)
        let error = #expect(throws: PostgresError.self) { try rows[0].decode(Int.self) }
        #expect(error?.kind == .decode && error?.description.contains("is null") == true)
        #expect(rows[0].isNull(0) && !rows[0].isNull(1))
    }

    @Test(arguments: ["1::numeric", "'a'", "1.5::float8", "true", "now()"])
    func `a value of another type can't be decoded as an integer`(expression: String) async throws {
        let rows = try await TestServer.connect().query("select \(expression) as value")
        let error = #expect(throws: PostgresError.self) { try rows[0].decode(Int.self) }
        #expect(error?.kind == .decode)
    }

    @Test func `an integer can't be decoded as text or as an integer type that is too small`() async throws {
        let rows = try await TestServer.connect().query("select 100000")
        #expect(throws: PostgresError.self) { try rows[0].decode(String.self) }
        #expect(throws: PostgresError.self) { try rows[0].decode(Int16.self) }
        #expect(throws: PostgresError.self) { try rows[0].decode(Int.self, Int.self) }
    }

    @Test func `the text format shows every type as psql does`() async throws {
        let connection = try await TestServer.connect()
        let rows = try await connection.query(
            "select 1.50::numeric as a, true as b, timestamptz '2026-11-21 10:00+01' as c, null as d, "
                + "'{1,2}'::int[] as e", format: .text)
        #expect(rows.columns.map(\.name) == ["a", "b", "c", "d", "e"])
        #expect((0..<5).map { rows[0].text($0) } == ["1.50", "t", "2026-11-21 09:00:00+00", nil, "{1,2}"])
        #expect(try rows[0].decode(Double.self, Bool.self) == (1.5, true))
    }

    /// Tests invalid texts. `make fuzz` found that a second character crashed the program.
    @Test(arguments: ["1", "'true'", "''", "'{t}'::bool[]"])
    func `an invalid Boolean text can't be decoded as a Boolean`(expression: String) async throws {
        let rows = try await TestServer.connect().query("select \(expression) as value", format: .text)
        let error = #expect(throws: PostgresError.self) { try rows[0].decode(Bool.self) }
        #expect(error?.kind == .decode)
    }

    @Test func `names, enumerations and json decode as text`() async throws {
        let connection = try await TestServer.connect()
        try await connection.script("create type pg_temp.mood as enum ('fine')")
        let rows = try await connection.query(
            "select 'fine'::pg_temp.mood, current_user, '[1]'::json, '{}'::jsonb, 'x'::varchar(3)")
        #expect(
            try rows[0].decode(String.self, String.self, String.self, String.self, String.self)
                == ("fine", "afterpush", "[1]", "{}", "x"))
    }

    @Test func `rows outlive their connection`() async throws {
        let connection = try await TestServer.connect()
        let rows = try await connection.query("select generate_series(1, 3)")
        await connection.close()
        #expect(try rows.map { try $0.decode(Int.self) } == [1, 2, 3])
    }

    @Test func `affected is the number of rows that a statement changed`() async throws {
        let connection = try await TestServer.connect()
        try await connection.script("create temp table t (i int)")
        #expect(try await connection.execute("insert into t select generate_series(1, 5)") == 5)
        #expect(try await connection.execute("delete from t where i > $1", [.int4(3)]) == 2)
        #expect(try await connection.query("update t set i = 0 returning i").affected == 3)
    }
}
