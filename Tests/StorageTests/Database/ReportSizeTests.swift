import Reports
import Storage
import TestSupport
import Testing

/// Tests the limit on the memory of a built-in report's result, with rows as PostgreSQL sends them.
@Suite struct ReportSizeTests {
    @Test func `a result ends with the row before the limit on bytes, and the next report on the connection is whole`()
        async throws
    {
        let app = try await TestApp()
        func run(byteLimit: Int) async throws -> ReportResult {
            let reports = ReportService(pool: app.database.reportReads, byteLimit: byteLimit)
            let overview = try reports.catalogue.report(named: "overview")
            let parameters = try ReportParameters(validating: [:], for: overview)
            return try await reports.run(overview, parameters, app: app.app.id, name: "shop")
        }
        let whole = try await run(byteLimit: 1 << 20)
        #expect(!whole.isTruncated)
        try #require(whole.rows.count > 5)
        for limit in [0, whole.rows.size / 2, whole.rows.size - 1] {
            let cut = try await run(byteLimit: limit)
            #expect(cut.isTruncated)
            #expect(cut.rows.count < whole.rows.count)
            #expect(cut.rows == ReportRows(whole.rows.prefix(cut.rows.count)))
            #expect(cut.columns == whole.columns)
            #expect(try await run(byteLimit: 1 << 20).rows == whole.rows)
        }
    }
}
