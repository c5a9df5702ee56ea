import Foundation
import Reports
import Testing

@Suite struct ReportRequestTests {
    private func request(_ values: [String: String], now: String = "2026-11-25T21:40:00Z") throws -> ReportRequest {
        try ReportRequest(
            values, for: Sample.definition(), format: "json", formats: ReportOutput.names,
            now: Date(now, strategy: .iso8601))
    }

    @Test(arguments: [
        ("7d", "UTC", "2026-11-19T00:00:00Z", "2026-11-25T22:00:00Z"),
        ("24h", "UTC", "2026-11-24T22:00:00Z", "2026-11-25T22:00:00Z"),
        ("today", "Europe/Berlin", "2026-11-24T23:00:00Z", "2026-11-25T22:00:00Z"),
        ("yesterday", "Europe/Berlin", "2026-11-23T23:00:00Z", "2026-11-24T23:00:00Z"),
        ("month", "Europe/Berlin", "2026-10-31T23:00:00Z", "2026-11-25T22:00:00Z"),
        // Summer time ends within it.
        ("last-month", "Europe/Berlin", "2026-09-30T22:00:00Z", "2026-10-31T23:00:00Z"),
        ("all", "UTC", "", ""),
    ])
    func `a period sets from and to in the report's zone`(
        name: String, zone: String, from: String, to: String
    ) throws {
        let parameters = try request(["period": name, "tz": zone]).parameters
        #expect(parameters["from"] == from && parameters["to"] == to)
    }

    @Test(arguments: [
        (["period": "7"], "period"), (["period": "0d"], "period"), (["period": "7d", "from": "2026-01-01"], "period"),
        (["sort": "nothing"], "sort"), (["sort": "opened:down"], "sort"), (["limit": "0"], "limit"),
        (["limit": "many"], "limit"), (["columns": "opened,opened"], "columns"), (["columns": "opend"], "columns"),
        (["delimiter": "|"], "delimiter"), (["decimal": "comma"], "decimal"), (["bom": "yes"], "bom"),
        (["format": "pdf"], "format"), (["raw": "1"], "raw"),
    ])
    func `an invalid value is an error that names its parameter`(values: [String: String], name: String) {
        #expect {
            try request(values)
        } throws: { error in
            guard case ReportError.parameter(name, _) = error else { return false }
            return true
        }
    }

    @Test func `an error names the nearest column, report or parameter`() {
        func text(_ values: [String: String]) -> String {
            do {
                _ = try request(values)
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(text(["columns": "opend"]).hasSuffix("did you mean opened?"))
        #expect(text(["mni_n": "3"]).hasSuffix("did you mean min_n?"))
        #expect(!text(["zebra": "3"]).contains("mean"))
        #expect(Suggestion.nearest(to: "conv", in: ["funnel", "conversion"]) == "conversion")
        #expect(Suggestion.nearest(to: "repot", in: ["reports", "report"]) == "report")
        #expect(Suggestion.nearest(to: "frobnicate", in: ["report", "serve"]) == nil)
    }

    private func view(_ values: [String: String], _ rows: [[String?]]) throws -> [[String?]] {
        let definition = try Sample.definition()
        let result = try ReportResult(
            of: definition, parameters: ReportParameters(validating: [:], for: definition),
            asOf: "2026-11-21T10:00:00Z", columns: ["campaign_id", "opened", "open_rate"], rows: ReportRows(rows))
        return try request(values).view.of(result, for: .json).rows.map { Array($0) }
    }

    @Test func `rows are sorted as numbers with nulls last, limited, and reduced to columns in the order given`() throws
    {
        let rows: [[String?]] = [
            ["b", "9", "0.5"], ["a", "10", nil], ["c", "10", "0.25"], [nil, nil, "0.75"],
        ]
        #expect(try view(["sort": "opened:desc,campaign_id:desc"], rows).map { $0[0] } == ["c", "a", "b", nil])
        #expect(try view(["sort": "open_rate"], rows).map { $0[0] } == ["c", "b", nil, "a"])
        #expect(try view(["sort": "open_rate:desc", "limit": "2"], rows).map { $0[2] } == ["0.75", "0.5"])
        #expect(try view(["columns": "opened,campaign_id", "limit": "1"], rows) == [["9", "b"]])
        // A column that is not in the result, such as a group that was not asked for, is left out.
        #expect(try view(["columns": "day,opened", "limit": "1"], rows) == [["9"]])
    }

    @Test func `a chosen rate has its interval and base in a table, and is alone in CSV`() async throws {
        let columns = [
            "campaign_id text", "sent integer", "base text", "open_rate number ratio", "open_rate_low number ratio",
            "open_rate_high number ratio", "read_rate number ratio", "read_rate_low number ratio",
            "read_rate_high number ratio", "suppressed boolean",
        ]
        let result = try Sample.result(
            columns, rows: [["spring", "1000", "sent", "0.123", "0.101", "0.149", "0.5", "0.4", "0.6", "t"]])
        let definition = try Sample.definition(
            "-- title: A sample\n" + columns.map { "-- column: \($0)\n" }.joined() + "select 1")
        let view = try ReportView(sort: nil, limit: nil, columns: "open_rate,campaign_id", of: definition)
        let table = try await TableFormat().text(of: view.of(result, for: .table))
        #expect(
            table.contains("base sent\n\n         open_rate  campaign_id\n12.3 % (10.1–14.9)  spring\n"), "\(table)")
        #expect(!table.contains("not shown"), "\(table)")
        let csv = try await CSVFormat().text(of: view.of(result, for: .csv(CSVDialect())))
        #expect(csv == "open_rate,campaign_id\r\n0.123,\"spring\"\r\n", "\(csv)")
        // Counts bring nothing with them.
        let counts = try ReportView(sort: nil, limit: nil, columns: "sent", of: definition)
        #expect(counts.of(result, for: .markdown).columns.map(\.name) == ["sent"])
    }

    @Test func `the value of a row brings its interval and unit`() async throws {
        let columns = [
            "metric text", "value number", "low number", "high number", "unit text", "change number",
            "change_low number", "change_high number",
        ]
        let result = try Sample.result(
            columns, rows: [["open_rate", "0.2", "0.1", "0.3", "ratio", "-0.05", "-0.1", "-0.01"]])
        let definition = try Sample.definition(
            "-- title: A sample\n" + columns.map { "-- column: \($0)\n" }.joined() + "select 1")
        for (columns, shown) in [("metric,value", "20.0 % (10.0–30.0)"), ("metric,change", "-5.0 pp (-10.0 to -1.0)")] {
            let view = try ReportView(sort: nil, limit: nil, columns: columns, of: definition)
            let table = try await TableFormat().text(of: view.of(result, for: .table))
            #expect(table.contains(shown) && !table.contains("unit") && !table.contains("low"), "\(table)")
        }
    }
}
