import Foundation
import Reports
import TestSupport
import Testing

/// Tests valid and invalid parameter values of all reports.
@Suite(.serialized) struct ReportParameterTests {
    private static let reports = ReportService.catalogue().reports
    private static let times = ["from", "to"]

    private func get(_ report: String, _ query: [(String, String)]) async throws -> TestClient.Response {
        let shop = try await HostileTextFixture.shared.value
        return try await shop.client.get(TestClient.path("/v1/reports/\(report)", query), key: shop.app.readKey)
    }

    /// The error message of the program, which it prints before it opens a database.
    private func program(_ report: String, _ query: [(String, String)]) async throws -> Program.Output {
        try await Program.run(
            ["report", report, "--database-url", "host=/nowhere"] + query.flatMap { ["--set", "\($0.0)=\($0.1)"] })
    }

    /// Expects the program and HTTP to refuse the value with the same message, which names the parameter.
    private func expectRefused(
        _ report: String, _ query: [(String, String)], naming parameter: String,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let response = try await get(report, query)
        #expect(response.status == 400, "\(report) \(query): \(response.text)", sourceLocation: location)
        #expect(response.headers["content-type"] == "application/problem+json", sourceLocation: location)
        let problem = try response.json()
        #expect(problem["code"] as? String == "parameter_invalid", sourceLocation: location)
        let detail = problem["detail"] as? String ?? ""
        #expect(
            detail.hasPrefix("parameter \"\(parameter)\" "), "\(report) \(query): \(detail)", sourceLocation: location)
        guard query.allSatisfy({ !$0.1.contains("\0") }) else { return }
        let output = try await program(report, query)
        #expect(output.status == 2, "\(report) \(query)", sourceLocation: location)
        #expect(output.error == "afterpush: \(detail)\n", sourceLocation: location)
        #expect(output.output.isEmpty, sourceLocation: location)
    }

    /// Returns invalid values of a parameter.
    private static func invalidValues(_ kind: ReportParameter.Kind) -> [String] {
        switch kind {
        case .text: ["a\0b"]
        case .choice: ["nonsense", "'; drop table x; --"]
        case .list(let groups): ["nonsense", ",", "\(groups[0]),\(groups[0])", groups.joined(separator: ",") + ",x"]
        case .time:
            [
                "yesterday", "2026-13-01", "2026-02-30", "2026-11-21T10:00:00", "2026-11-21T25:00:00Z", "1e9",
                "2026-11-21T10:00:00+99:00", "0000-01-01", "infinity", "٢٠٢٦-11-21",
            ]
        case .zone: ["Mars/Base", "GMT+3", "'", "Europe/Berlin; drop table x"]
        case .boolean: ["yes", "TRUE", "1"]
        case .integer(let range):
            ["x", "1.5", "1e3", "99999999999999999999"] + (range.lowerBound > .min ? ["\(range.lowerBound - 1)"] : [])
                + (range.upperBound < .max ? ["\(range.upperBound + 1)"] : [])
        case .number(let range):
            ["x", "1e-3", "0,1", ".5", "nan", "infinity", "+1"]
                + (range.upperBound < .infinity ? ["\(range.upperBound + 1)"] : [])
        case .duration: ["5", "h", "-1h", "1w", "1.5h", "1 hour"]
        }
    }

    /// Returns valid values of a parameter, including extreme ones.
    private static func validValues(_ kind: ReportParameter.Kind) -> [String] {
        switch kind {
        case .text: ["", "nobody's", "\\'", "$1", "%", "🎉", ":'app'"]
        case .choice(let values): values
        case .list(let groups): groups
        case .time:
            ["", "2026-11-20", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "2026-11-20 10:30:00+05:30"]
        case .zone: ["UTC", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia", "America/Argentina/Buenos_Aires"]
        case .boolean: ["true", "false"]
        case .integer(let range): ["\(max(range.lowerBound, -9))", "\(range.upperBound)"]
        case .number(let range): ["0.01", "\(min(range.upperBound, 9))"]
        case .duration(let words): ["0s", "1s", "90m", "999999d"] + words
        }
    }

    @Test func `a time zone that Foundation knows and PostgreSQL does not is refused`() async throws {
        for report in ["timeseries", "health"] {
            let response = try await get(report, [("tz", "US/Pacific-New")])
            #expect(response.status == 400)
            #expect(response.text.contains(#""code":"parameter_invalid""#), "\(response.text)")
        }
        #expect(try await get("timeseries", [("tz", "US/Pacific")]).status == 200)
    }

    @Test(arguments: reports.map(\.name))
    func `an invalid value is refused with the name of the parameter`(_ name: String) async throws {
        let report = try ReportService.catalogue().report(named: name)
        for parameter in report.parameters {
            for value in Self.invalidValues(parameter.kind) {
                try await expectRefused(name, [(parameter.name, value)], naming: parameter.name)
            }
        }
        try await expectRefused(name, [("nonsense", "1")], naming: "nonsense")
        try await expectRefused(name, [("app", "other")], naming: "app")
        try await expectRefused(name, [("min_n", "0")], naming: "min_n")
        try await expectRefused(name, [("base", "delivered")], naming: "base")
        guard Self.times.allSatisfy({ time in report.parameters.contains { $0.name == time } }) else { return }
        try await expectRefused(name, [("from", "2026-11-22"), ("to", "2026-11-21")], naming: "to")
        try await expectRefused(
            name, [("from", "2026-11-21T00:00:01Z"), ("to", "2026-11-21T01:00:00+01:00")], naming: "to")
    }

    @Test(arguments: reports.map(\.name))
    func `a valid value is accepted`(_ name: String) async throws {
        let report = try ReportService.catalogue().report(named: name)
        for parameter in report.parameters {
            for value in Self.validValues(parameter.kind) {
                let response = try await get(name, [(parameter.name, value)])
                #expect(response.status == 200, "\(name) \(parameter.name)=\(value): \(response.text)")
            }
        }
        // Every report accepts these, even one without rates.
        let response = try await get(name, [("base", "sent"), ("min_n", "5")])
        #expect(response.status == 200, "\(name): \(response.text)")
        let names = report.parameters.map(\.name)
        guard Self.times.allSatisfy(names.contains) else { return }
        // A period without an hour contains nothing.
        let nothing = try await get(name, [("from", "2026-11-20T10:00:00Z"), ("to", "2026-11-20T10:00:00Z")])
        #expect(nothing.status == 200, "\(nothing.text)")
    }

    @Test(arguments: reports.map(\.name))
    func `unknown names yield an empty result`(_ name: String) async throws {
        let report = try ReportService.catalogue().report(named: name)
        for parameter in ["campaign", "category", "variant", "platform"]
        where report.parameters.contains(where: { $0.name == parameter }) {
            let response = try await get(name, [(parameter, "nobody's")])
            #expect(response.status == 200, "\(response.text)")
            let rows = try response.json()["rows"] as? [[String: Any]] ?? []
            let counts = report.columns.filter { ["deliveries", "events"].contains($0.unit) }.map(\.name)
            for row in rows {
                for column in counts {
                    #expect((row[column] as? NSNumber)?.doubleValue ?? 0 == 0, "\(name) \(parameter): \(row)")
                }
            }
        }
    }

    @Test func `an invalid format parameter is refused with its name, too`() async throws {
        for (query, parameter) in [
            ([("format", "xml")], "format"), ([("format", "table")], "format"), ([("raw", "maybe")], "raw"),
            ([("tz", "UTC"), ("tz", "UTC")], "tz"),
        ] {
            let response = try await get("conversion", query)
            #expect(response.status == 400)
            #expect((try response.json()["detail"] as? String)?.hasPrefix("parameter \"\(parameter)\" ") == true)
        }
        let format = try await Program.run(["report", "conversion", "--format", "xml"])
        #expect(format.status == 2 && format.error.contains("--format"), "\(format.error)")
    }

    @Test func `an unknown report is an error that names it`() async throws {
        let response = try await get("nonsense", [])
        #expect(response.status == 404)
        #expect(try response.json()["code"] as? String == "report_unknown")
        let detail = try response.json()["detail"] as? String ?? ""
        let output = try await program("nonsense", [])
        #expect(output.status == 2)
        #expect(output.error == "afterpush: \(detail)\n")
    }

    @Test func `the Accept header chooses the format by weight`() async throws {
        let shop = try await HostileTextFixture.shared.value
        for (accept, type) in [
            ("text/csv", "text/csv"), ("application/x-ndjson", "application/x-ndjson"), ("*/*", "application/json"),
            ("text/csv;q=0.5, application/x-ndjson;q=0.9", "application/x-ndjson"),
            ("application/json;q=0, text/csv;q=0.1", "text/csv"), ("image/png", "application/json"),
            ("text/csv; q=0.8 , application/json", "application/json"),
        ] {
            let response = try await shop.client.get(
                "/v1/reports/overview", key: shop.app.readKey, headers: ["Accept": accept])
            #expect(response.headers["content-type"]?.hasPrefix(type) == true, "\(accept): \(response.headers)")
        }
        let chosen = try await shop.client.get(
            "/v1/reports/overview?format=ndjson", key: shop.app.readKey, headers: ["Accept": "text/csv"])
        #expect(chosen.headers["content-type"] == "application/x-ndjson")
    }

    @Test func `order, rows, columns and period are chosen in a request for any report`() async throws {
        let shop = try await HostileTextFixture.shared.value
        func get(_ query: String) async throws -> TestClient.Response {
            try await shop.client.get("/v1/reports/conversion?format=csv&min_n=1&\(query)", key: shop.app.readKey)
        }
        let all = CSV.parse(try await get("by=campaign&sort=sent:desc,campaign_id&columns=campaign_id,sent").text)
        #expect(all.first == ["campaign_id", "sent"] && all.count > 3, "\(all)")
        let sent = all.dropFirst().compactMap { $0[1].flatMap { Int($0) } }
        #expect(sent == sent.sorted(by: >))
        let first = CSV.parse(
            try await get("by=campaign&sort=sent:desc,campaign_id&columns=campaign_id,sent&limit=2").text)
        #expect(first == Array(all.prefix(3)))
        let german = try await get("by=campaign&delimiter=semicolon&decimal=comma&bom=true&columns=sent,delivery_rate")
        #expect(german.text.hasPrefix("\u{FEFF}sent;delivery_rate\r\n"), "\(german.text)")
        let (everything, unlimited) = (try await get("period=all").text, try await get("").text)
        #expect(everything == unlimited)
        let hour = CSV.parse(try await get("period=1h&columns=sent").text)
        #expect(hour.count <= 2)
        for query in [
            "sort=nope", "limit=0", "columns=sent,sent", "period=7", "decimal=comma", "period=7d&to=2026-01-01",
        ] {
            let refused = try await get(query)
            #expect(refused.status == 400 && refused.text.contains("parameter_invalid"), "\(query): \(refused.text)")
        }
    }

    @Test(arguments: [
        ("markdown", "text/markdown; charset=utf-8", "| "), ("html", "text/html; charset=utf-8", "<!doctype html>"),
        ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "PK"),
    ])
    func `documents are served as what they are`(format: String, type: String, beginning: String) async throws {
        let shop = try await HostileTextFixture.shared.value
        let response = try await shop.client.get(
            "/v1/reports/replies?include_text=true&format=\(format)", key: shop.app.readKey)
        #expect(response.status == 200 && response.headers["content-type"] == type, "\(response.headers)")
        #expect(response.text.hasPrefix(beginning))
        // Markdown takes an escaped sign for text.
        let marks = format == "markdown" ? response.text.replacing("\\<", with: "") : response.text
        #expect(!marks.contains("<script"))
        if format == "html" {
            #expect(response.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'")
        }
        if format == "xlsx" {
            #expect(response.headers["content-disposition"] == #"attachment; filename="replies.xlsx""#)
        }
    }

    @Test func `entity tags differ between formats, so a cached JSON is not confirmed as CSV`() async throws {
        let shop = try await HostileTextFixture.shared.value
        var tags: Set<String> = []
        for format in ["json", "csv", "ndjson", "csv&raw=true"] {
            let path = "/v1/reports/overview?format=\(format)"
            let tag = try #require(try await shop.client.get(path, key: shop.app.readKey).headers["etag"])
            let again = try await shop.client.get(path, key: shop.app.readKey, headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            tags.insert(tag)
        }
        #expect(tags.count == 4)
    }

    @Test func `HEAD returns the headers of GET without the rows`() async throws {
        let shop = try await HostileTextFixture.shared.value
        let output = try await Program.run(
            ["-sSI", "-H", "Authorization: Bearer \(shop.app.readKey)", "\(shop.collector.url)/v1/reports/overview"],
            program: URL(filePath: "/usr/bin/curl"))
        #expect(output.output.hasPrefix("HTTP/1.1 200"))
        #expect(output.output.lowercased().contains("etag: w/\""))
        #expect(!output.output.contains("{"))
    }
}
