import Foundation
import Testing

@testable import Postgres

/// Tests that values survive the round trip to the server.
struct ParameterTests {
    @Test func `every scalar type survives the round trip`() async throws {
        let connection = try await TestServer.connect()
        let uuid = UUID()
        let rows = try await connection.query(
            "select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10",
            [
                .text("Grüße 🎄"), .int2(-2), .int4(.max), .int8(Int64.min), .bool(true), .uuid(uuid),
                .timestamp(1_700_000_000_123_456), .float8(-0.1), .bytea([0, 255, 39]), .jsonb(#"{"a": [1, null]}"#),
            ])
        let first = try rows[0].decode(String.self, Int16.self, Int32.self, Int64.self, Bool.self, UUID.self)
        #expect(first == ("Grüße 🎄", -2, Int32.max, Int64.min, true, uuid))
        #expect(try rows[0].decode(Timestamp.self, column: 6).microseconds == 1_700_000_000_123_456)
        #expect(try rows[0].decode(Double.self, column: 7) == -0.1)
        #expect(try rows[0].decode(Bytes.self, column: 8).bytes == [0, 255, 39])
        #expect(try rows[0].decode(String.self, column: 9) == #"{"a": [1, null]}"#)
    }

    @Test func `every scalar type can be null`() async throws {
        let connection = try await TestServer.connect()
        let parameters: [Parameter] = [
            .text(nil), .int2(nil), .int4(nil), .int8(nil as Int64?), .bool(nil), .uuid(nil), .timestamp(nil as Int64?),
            .float8(nil), .bytea(nil), .jsonb(nil),
        ]
        let list = parameters.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let rows = try await connection.query("select num_nulls(\(list))", parameters)
        #expect(try rows[0].decode(Int.self) == 10)
    }

    @Test func `the server sees the same value that was bound`() async throws {
        let connection = try await TestServer.connect()
        let rows = try await connection.query(
            "select $1 = timestamptz '2023-11-14 22:13:20.000001+00', $2 = 0.5::float8, $3 = '{\"a\":1}'::jsonb, "
                + "$4::date = date '2026-11-21', $5 = ''",
            [.timestamp(1_700_000_000_000_001), .float8(0.5), .jsonb(#"{"a":1}"#), .unknown("2026-11-21"), .text("")])
        #expect(
            try rows[0].decode(Bool.self, Bool.self, Bool.self, Bool.self, Bool.self) == (true, true, true, true, true))
    }

    @Test func `timestamps beyond PostgreSQL's range become infinity`() async throws {
        let connection = try await TestServer.connect()
        let rows = try await connection.query("select $1, $2", [.timestamp(.max), .timestamp(.min)], format: .text)
        #expect(rows[0].text(0) == "infinity" && rows[0].text(1) == "-infinity")
        let back = try await connection.query("select timestamptz 'infinity', timestamptz '-infinity'")
        let (latest, earliest) = try back[0].decode(Timestamp.self, Timestamp.self)
        #expect(latest.microseconds == .max && earliest.microseconds == .min)
    }

    @Test func `an inferred text with an inner NUL is refused instead of truncated`() async throws {
        let connection = try await TestServer.connect()
        let error = await #expect(throws: PostgresError.self) {
            try await connection.query("select $1", [.unknown("a\0b")])
        }
        #expect(error?.kind == .encode)
        #expect(await connection.isUsable)
    }

    @Test func `a text with NUL is a data error, and the connection remains usable`() async throws {
        let connection = try await TestServer.connect()
        let error = await #expect(throws: PostgresError.self) {
            try await connection.query("select $1", [.text("a\0b")])
        }
        #expect(error?.isDataError == true && error?.isConnectionLoss == false)
        #expect(try await connection.query("select 1").count == 1)
    }
}
