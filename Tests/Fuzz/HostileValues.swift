import Foundation
import SeededRandom

/// Values that are known to cause errors in databases.
struct HostileValues {
    var grammar: Grammar

    init(seed: UInt64) {
        grammar = Grammar(random: SeededGenerator(seed: seed))
    }

    /// Expressions of many types that a server may return.
    static let expressions = [
        "null::int4", "'{}'::int4[]", "'{1,NULL,3}'::int4[]", "'[0:1]={1,2}'::int4[]", "'{{1,2},{3,4}}'::int4[]",
        "'{a,\"b,c\",\"\\\"\",NULL,\"NULL\"}'::text[]", "'{{a},{b}}'::text[]", "'NaN'::float8", "'-Infinity'::float4",
        "1e131::numeric", "'infinity'::timestamptz", "'-infinity'::timestamptz", "'4713-01-01 BC'::timestamptz",
        "'294276-12-31'::timestamptz", "'infinity'::timestamp", "row(1, 'x')", "'\\x00ff'::bytea", "''::text",
        "repeat('x', 100000)", "'{}'::jsonb", "'[1,\"\\u00e9\"]'::jsonb", "'1 month'::interval", "'t'::bool",
        "'a'::\"char\"",
        "'00000000-0000-0000-0000-000000000000'::uuid", "array_fill(1::int2, array[1000])", "'{}'::text[]",
        "(-1)::int2",
        "9223372036854775807", "'10.0.0.0/8'::inet", "'(1,2)'::point", "'name'::name", "1::oid", "'{t,f,NULL}'::bool[]",
        "'[1,5)'::int4range", "'2026-01-01'::date", "array['infinity'::timestamptz]", "'<a/>'::text",
        "'{1.5,NaN}'::float8[]",
        "'x'::unknown", "'{}'::uuid[]", "'{00000000-0000-0000-0000-000000000000}'::uuid[]",
        "array_fill(null::text, array[50])",
    ]

    mutating func bool() -> Bool? { grammar.one(of: [true, false, nil]) }

    mutating func text() -> String? {
        switch grammar.below(12) {
        case 0: return nil
        case 1: return ""
        case 2: return "\0"
        case 3: return grammar.one(of: Grammar.words) + "\0"
        case 4: return String(repeating: "ü", count: grammar.one(of: [1, 8_191, 8_192, 65_536]))
        case 5:
            return grammar.one(of: [
                "NULL", "null", "{}", "\"", "\\", "'", "{NULL}", "\u{FFFF}", "\u{10FFFF}", "\u{FEFF}",
            ])
        case 6:
            return String(
                decoding: (0..<grammar.below(40)).map { _ in UInt8(truncatingIfNeeded: grammar.below(256)) },
                as: UTF8.self)
        default: return grammar.text()
        }
    }

    mutating func int() -> Int64? {
        let bits = Int64(bitPattern: grammar.random.next())
        return grammar.one(of: [nil, 0, -1, 1, .max, .min, bits, bits >> 32, bits >> 48])
    }

    mutating func double() -> Double? {
        let bits = Double(bitPattern: grammar.random.next())
        // A signalling NaN may come back quiet.
        return grammar.one(of: [
            nil, 0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
            bits.isNaN ? 1 : bits,
        ])
    }

    mutating func uuid() -> UUID? { grammar.chance(0.1) ? nil : UUID(uuidString: grammar.plainID()) }

    mutating func bytes() -> [UInt8]? {
        grammar.chance(0.1)
            ? nil
            : (0..<grammar.one(of: [0, 1, 3, 100, 5_000])).map { _ in UInt8(truncatingIfNeeded: grammar.below(256)) }
    }

    /// Returns microseconds since 1970, up to the limits of the type and beyond.
    mutating func time() -> Int64? {
        let second: Int64 = 1_000_000
        return grammar.one(of: [
            nil, 0, -1, 1, 253_402_300_799 * second, -62_135_596_800 * second, 9_223_372_036_853 * second,
            9_223_371_331_199 * second, .max, .min, Int64(bitPattern: grammar.random.next()) >> 4,
        ])
    }
}
