import ReferenceModel
import Testing

@Suite struct SuppressionTests {
    private func sends(_ count: Int) -> [ModelEvent] {
        (1...count).map { event(.sent, Identifier("n\($0)")) }
    }

    @Test func `the default of min_n is 30`() throws {
        let untouched = Selection(app: "shop", timeZone: try selection().timeZone, asOf: 0)
        #expect(untouched.minN == 30)
    }

    @Test func `a rate and its interval are null below min_n, and counts are shown`() throws {
        let row = try row(sends(29)) { $0.minN = 30 }
        #expect(row.rate("open_rate") == nil)
        #expect(row.rate("open_rate_low") == nil)
        #expect(row.rate("open_rate_high") == nil)
        #expect(row["suppressed"] == .bool(true))
        #expect(row.counts("sent", "base_n") == [29, 29])
    }

    @Test func `a rate is shown from min_n on`() throws {
        let row = try row(sends(30)) { $0.minN = 30 }
        #expect(row.rate("open_rate") == 0)
        #expect(row["suppressed"] == .bool(false))
    }

    @Test func `each rate is compared with min_n by its own denominator`() throws {
        let declarations = Declarations(categories: [order(1, .init("say", title: "", textInput: true))])
        let offered = event(.sent, "offered") { $0.category = "order" }
        let row = try row(sends(30) + [offered], declarations) { $0.minN = 30 }
        #expect(row.rate("open_rate") == 0)
        #expect(row.rate("reply_rate") == nil)
        #expect(row["suppressed"] == .bool(true))
    }

    @Test func `a rate with denominator 0 is null, but not marked as suppressed`() throws {
        let row = try row(sends(30)) { $0.minN = 30 }
        #expect(row.counts("reply_n") == [0])
        #expect(row.rate("reply_rate") == nil)
        #expect(row["suppressed"] == .bool(false))
    }
}
