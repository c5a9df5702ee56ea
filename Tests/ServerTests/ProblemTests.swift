import HTTPTypes
import Testing

@testable import Server

/// Tests what a problem document may hold.
@Suite struct ProblemTests {
    @Test func `a detail has at most 64 KiB, and ends with a whole character`() {
        let short = String(repeating: "é", count: 32_768)
        #expect(Problem(.badRequest, "field_invalid", short).detail == short)
        #expect(Problem(.badRequest, "field_invalid", short + "é").detail == short.dropLast(2) + "…")
        let cut = Problem(.badRequest, "field_invalid", "x" + short).detail
        #expect(cut.hasSuffix("é…") && cut.utf8.count <= 65_536)
    }
}
