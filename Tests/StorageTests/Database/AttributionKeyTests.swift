import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests the attribution key, a text that must sort like the values of a dimension and return them.
@Suite struct AttributionKeyTests {
    @Test func `attribution keys sort like their values, absent last, and return them`() async throws {
        let app = try await TestApp()
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var numbers = SeededGenerator(seed: seed)
        // Few letters, so that texts are prefixes of each other; the key has to escape byte 1.
        let letters = ["\u{1}", "\u{2}", "a", "\u{E9}", "\u{10FFFF}", "0"]
        func text() -> String {
            (0..<Int.random(in: 1...4, using: &numbers)).map { _ in letters.randomElement(using: &numbers) ?? "a" }
                .joined()
        }
        let count = 400
        let ranks = (0..<count).map { _ in String(Int.random(in: 1...6, using: &numbers)) }
        let values = (0..<count).map { _ in text() }
        let details = (0..<count).map { _ in Bool.random(using: &numbers) ? text() : nil }
        try await app.database.owner.withConnection { connection in
            let wrong = try await connection.query(
                """
                with keys as (
                    select s, v, r, afterpush.attribution_key(s, v, r) as t
                    from unnest($1::text[], $2::text[], $3::text[]) as u (s, v, r)
                )
                select
                    (select count(*) from keys
                     where afterpush.attribution_value(t) <> v or afterpush.attribution_detail(t) is distinct from r
                        or left(t, 1) <> s),
                    (select count(*) from keys as a cross join keys as b
                     where (a.t collate "C" < b.t)
                        is distinct from (array[a.s, a.v, a.r] collate "C" < array[b.s, b.v, b.r]))
                """, [.textArray(ranks), .textArray(values), .textArray(details)])
            let (lost, disordered) = try wrong[0].decode(Int64.self, Int64.self)
            #expect(lost == 0)
            #expect(disordered == 0)
        }
    }
}
