import Foundation
import Testing

@testable import Postgres

/// Tests array parameters, built element by element or from Swift arrays.
struct ArrayTests {
    @Test func `arrays keep order, nulls, empty texts and Unicode`() async throws {
        let connection = try await TestServer.connect()
        let uuids = [UUID(), nil, UUID()]
        let rows = try await connection.query(
            "select $1, $2, $3, $4, $5, $6, $7",
            [
                .textArray(["", nil, "日本\"\\,{}'", String(repeating: "é", count: 5_000)]), .int4Array([1, nil, -1]),
                .int8Array([.max, .min, nil]), .boolArray([true, false, nil]), .uuidArray(uuids),
                .timestampArray([0, nil]), .textArray([]),
            ])
        let row = rows[0]
        #expect(
            try row.decode([String?].self, column: 0) == [
                "", nil, "日本\"\\,{}'", String(repeating: "é", count: 5_000),
            ])
        #expect(try row.decode([Int32?].self, column: 1) == [1, nil, -1])
        #expect(try row.decode([Int64?].self, column: 2) == [.max, .min, nil])
        #expect(try row.decode([Bool?].self, column: 3) == [true, false, nil])
        #expect(try row.decode([UUID?].self, column: 4) == uuids)
        #expect(try row.decode([Timestamp?].self, column: 5) == [Timestamp(microseconds: 0), nil])
        #expect(try row.decode([String].self, column: 6) == [])
    }

    @Test func `the server unnests a built array of each type`() async throws {
        let connection = try await TestServer.connect()
        var small = ArrayBuilder(.int2, capacity: 0)
        var float = ArrayBuilder(.float8, capacity: 0)
        var blob = ArrayBuilder(.bytea, capacity: 0)
        var json = ArrayBuilder(.jsonb, capacity: 0)
        var text = ArrayBuilder(.text, capacity: 0)
        for index in 0..<10_000 {
            small.append(int2: index % 3 == 0 ? nil : Int16(index))
            float.append(float8: Double(index) / 2)
            blob.append(utf8: Array(repeating: UInt8(index % 256), count: index % 7))
            json.append(text: "{\"n\": \(index)}")
            text.append(utf8: Array("n\(index)".utf8)[...])
        }
        let rows = try await connection.query(
            """
            select count(*), count(a), sum(a)::bigint, sum(b), sum(length(c)), sum((d->>'n')::int), count(distinct e)
            from unnest($1, $2, $3, $4, $5) as row (a, b, c, d, e)
            """,
            [.array(small), .array(float), .array(blob), .array(json), .array(text)])
        let sum = 49_995_000
        let kept = (0..<10_000).filter { $0 % 3 != 0 }.reduce(0, +)
        let lengths = (0..<10_000).map { $0 % 7 }.reduce(0, +)
        #expect(try rows[0].decode(Int.self, Int.self, Int.self) == (10_000, 6_666, kept))
        #expect(try rows[0].decode(Double.self, column: 3) == Double(sum) / 2)
        #expect(try (4...6).map { try rows[0].decode(Int.self, column: $0) } == [lengths, sum, 10_000])
    }

    @Test func `a builder can be used further after binding`() async throws {
        let connection = try await TestServer.connect()
        var builder = ArrayBuilder(.text, capacity: 1)
        builder.append(text: "a")
        let first = Parameter.array(builder)
        builder.append(text: "b")
        builder.appendNull()
        let rows = try await connection.query("select $1, $2", [first, .array(builder)])
        let arrays = try rows[0].decode([String].self, [String?].self)
        #expect(arrays.0 == ["a"] && arrays.1 == ["a", "b", nil])
        #expect(builder.count == 3)
    }
}
