import ReferenceModel
import Testing

@Suite struct ClosedTests {
    private let sent = event(.sent, at: clock(10, 30)) { $0.campaign = "spring" }

    private func row(_ asOf: Int, _ campaigns: [Campaign], _ more: ModelEvent...) throws -> ModelRow {
        try rows([sent] + more, Declarations(campaigns: campaigns)) { $0.asOf = asOf }[0]
    }

    @Test func `a delivery closes when the whole anchor hour and the window have passed, to the microsecond`() throws {
        let campaigns = [Campaign("spring", windowSeconds: 2 * 3600)]
        let before = try row(clock(13) - 1, campaigns)
        #expect(before.counts("no_response", "pending", "closed_n") == [0, 1, 0])
        #expect(before.rate("no_response_rate") == nil)
        let exactly = try row(clock(13), campaigns)
        #expect(exactly.counts("no_response", "pending", "closed_n") == [1, 0, 1])
        #expect(exactly.rate("no_response_rate") == 1)
    }

    @Test func `the default window is 72 hours`() throws {
        #expect(try row(clock(11 + 72) - 1, []).counts("pending") == [1])
        #expect(try row(clock(11 + 72), []).counts("pending") == [0])
    }

    @Test func `a delivery with a response is closed, and neither pending nor unanswered`() throws {
        let row = try row(clock(999), [], event(.opened))
        #expect(row.counts("no_response", "pending", "closed_n") == [0, 0, 1])
        #expect(row.rate("no_response_rate") == 0)
    }

    @Test func `failed deliveries are neither pending nor unanswered`() throws {
        let row = try row(clock(999), [], event(.failed))
        #expect(row.counts("failed", "no_response", "pending", "closed_n") == [1, 0, 0, 1])
    }

    @Test func `pending deliveries are not part of response rates`() throws {
        let late = event(.sent, "n2", at: clock(11))
        let row = try row(clock(11 + 72), [], event(.opened), late)
        #expect(row.counts("base_n", "pending", "closed_n") == [2, 1, 1])
        #expect(row.rate("no_response_rate") == 0)
    }
}
