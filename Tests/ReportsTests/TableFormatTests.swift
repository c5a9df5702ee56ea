import Reports
import Testing

@Suite struct TableFormatTests {
    private let columns = [
        "campaign_id text", "opened integer", "base text", "base_n integer", "open_rate number ratio",
        "open_rate_low number ratio", "open_rate_high number ratio", "p50_seconds number seconds", "replied integer",
        "suppressed boolean",
    ]

    private var rows: [[String?]] {
        [
            ["spring", "123", "sent", "1000", "0.123", "0.101", "0.149", "12.3456789", "0", "f"],
            [nil, "4", "sent", "1000", "0.004", "0.0016", "0.0102", nil, "0", "f"],
            ["漢字🎉", "0", "sent", "10", nil, nil, nil, "98765.4321", nil, "f"],
        ]
    }

    @Test func `a table is aligned and shows each rate with its interval in one cell`() async throws {
        let table = try await TableFormat().text(of: Sample.result(columns, rows: rows))
        #expect(
            table == """
                A sample
                sample · as of 2026-11-21T10:00:00Z · base sent

                campaign_id  opened  base_n           open_rate  p50_seconds
                spring          123    1000  12.3 % (10.1–14.9)         12 s
                -                 4    1000  0.40 % (0.16–1.02)            -
                漢字🎉            0      10                   -         27 h

                2 empty columns are not shown

                """)
    }

    @Test func `the wide format omits nothing`() async throws {
        let table = try await TableFormat(wide: true).text(of: Sample.result(columns, rows: rows))
        #expect(table.contains("replied  suppressed"))
        #expect(!table.contains("left out"))
    }

    @Test func `a rate of zero is shown with its interval`() async throws {
        let columns = ["open_rate number ratio", "open_rate_low number ratio", "open_rate_high number ratio"]
        let table = try await TableFormat().text(of: Sample.result(columns, rows: [["0", "0", "0.037"]]))
        #expect(table.contains("0.0 % (0.0–3.7)"))
    }

    @Test func `an amount of money is shown with cents and its interval`() async throws {
        let columns = [
            "total_value number currency", "mean number currency", "mean_low number currency",
            "mean_high number currency",
        ]
        let rows: [[String?]] = [
            ["2099.635", "2.2247", "1.3581", "3.0921"], ["123456789.01", "-0.025", "-0.5", "0.45"],
            ["0", "3", nil, nil],
        ]
        let table = try await TableFormat().text(of: Sample.result(columns, rows: rows))
        #expect(table.contains("2.22 (1.36–3.09)") && table.contains("-0.0250 (-0.5000 to 0.4500)"), "\(table)")
        #expect(table.contains("123456789.01") && table.contains("3.00") && !table.contains("mean_low"), "\(table)")
    }

    @Test func `in a report with one number per row, numbers with an interval are shown as rates`() async throws {
        let columns = [
            "metric text", "value number", "low number", "high number", "n integer", "change number",
            "change_low number", "change_high number",
        ]
        let rows: [[String?]] = [
            ["sent", "1000", nil, nil, nil, "-20", nil, nil],
            ["open_rate", "0.123", "0.101", "0.149", "1000", "0.01", "-0.02", "0.04"],
            ["read_rate", nil, nil, nil, "3", nil, nil, nil],
        ]
        let table = try await TableFormat().text(of: Sample.result(columns, rows: rows))
        #expect(table.contains("12.3 % (10.1–14.9)  1000  1.0 pp (-2.0 to 4.0)"), "\(table)")
        #expect(table.contains("  -20") && !table.contains("low"), "\(table)")
    }

    @Test func `a base that differs between rows is shown as a column`() async throws {
        let table = try await TableFormat().text(
            of: Sample.result(["base text", "n integer"], rows: [["sent", "1"], ["confirmed", "2"]]))
        #expect(table.contains("confirmed  2"))
        #expect(!table.contains("· base"))
    }

    @Test func `columns that do not fit are left out and named, those with the least to say first`() async throws {
        let names = (1...20).map { "a_rather_long_name_\($0)" }
        let columns = ["campaign_id text"] + names.map { "\($0) integer" } + ["conversion_rate number ratio"]
        let rows = [["spring"] + names.map { _ in "5" } + ["0.5"], ["autumn"] + names.map { _ in "6" } + ["0.25"]]
        for width in [60, 80, 120, 200] {
            let table = try await TableFormat(width: width).text(of: Sample.result(columns, rows: rows))
            let lines = table.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= width }, "\(table)")
            let heading = try #require(lines.first { $0.hasPrefix("campaign_id") })
            #expect(heading.contains("conversion_rate") && heading.contains("a_rather_long_name_1 "), "\(table)")
            // Each row once.
            #expect(lines.count { $0.hasPrefix("spring") } == 1 && lines.count { $0.hasPrefix("autumn") } == 1)
            let shown = heading.split(separator: " ").count
            #expect(table.replacing("\n", with: " ").contains("\(22 - shown) columns do not fit: "), "\(table)")
            #expect(names.allSatisfy { table.contains($0) }, "\(table)")
        }
        let wide = try await TableFormat(wide: true).text(of: Sample.result(columns, rows: rows))
        #expect(wide.split(separator: "\n").contains { $0.hasPrefix("spring") && $0.count > 400 })
    }

    @Test func `a single row that does not fit is a list`() async throws {
        let names = (1...20).map { "a_rather_long_name_\($0)" }
        let columns = names.map { "\($0) integer" } + ["open_rate number ratio"]
        let table = try await TableFormat(width: 60)
            .text(of: Sample.result(columns, rows: [names.map { _ in "5" } + ["0.123"]]))
        #expect(table.contains("a_rather_long_name_20  5\n"), "\(table)")
        #expect(table.contains("open_rate              12.3 %\n") && !table.contains("not fit"), "\(table)")
    }

    @Test func `times are in the report's zone, and only as precise as they need`() async throws {
        let columns = ["time time", "at time", "n integer", "p50_seconds number seconds", "p_holm number"]
        let rows: [[String?]] = [
            ["2026-11-05T00:00:00Z", "2026-11-05T21:49:14.354Z", "1", "1018", "0.000004444"],
            ["2026-11-06T00:00:00Z", "2026-11-06T01:02:03Z", "2", "93.5", "0.04321"],
            ["2026-11-07T00:00:00Z", nil, "2", "300000", nil],
        ]
        let table = try await TableFormat().text(of: Sample.result(columns, rows: rows))
        #expect(
            table.contains(
                """
                time        at                   n  p50_seconds    p_holm
                2026-11-05  2026-11-05 21:49:14  1       17 min  < 0.0001
                2026-11-06  2026-11-06 01:02:03  2         94 s    0.0432
                2026-11-07  -                    2        3.5 d         -
                """), "\(table)")
    }

    @Test func `a number whose unit is in another column is shown in that unit`() async throws {
        let columns = ["item text", "value number", "value_low number", "value_high number", "unit text"]
        let rows: [[String?]] = [
            ["over_1h", "0.5", "0.4", "0.6", "ratio"], ["p50", "7200", nil, nil, "seconds"],
            ["stored", "7200", nil, nil, "events"],
        ]
        let table = try await TableFormat().text(of: Sample.result(columns, rows: rows))
        #expect(table.contains("50.0 % (40.0–60.0)  ratio") && table.contains("2 h  seconds"), "\(table)")
        #expect(table.contains("7200  events") && !table.contains("value_low"), "\(table)")
    }

    @Test func `the table says which rates are hidden, and how to see them`() async throws {
        let source = Sample.source.replacing(
            "-- column: day date\n", with: "-- column: day date\n-- column: suppressed boolean  whether\n")
        let definition = try Sample.definition(source)
        let result = try ReportResult(
            of: definition, parameters: ReportParameters(validating: ["min_n": "50"], for: definition),
            asOf: "2026-11-21T10:00:00Z", columns: ["campaign_id", "suppressed"],
            rows: ReportRows([["a", "t"], ["b", "f"], ["c", "t"]]))
        let table = try await TableFormat(notes: ["2 batches are not counted yet"]).text(of: result)
        #expect(
            table.contains("rates over fewer than 50 deliveries are hidden in 2 rows; --min-n 1 shows them"), "\(table)"
        )
        #expect(table.contains("\n2 batches are not counted yet\n"), "\(table)")
    }

    @Test func `text can't move the cursor or reorder other text`() async throws {
        let result = try Sample.result(["a text", "n integer"], rows: Sample.hostileTexts.map { [$0, "1"] })
        let table = try await TableFormat().text(of: result)
        #expect(table.split(separator: "\n").count == Sample.hostileTexts.count + 3)
        let scalars = Set(table.unicodeScalars.map(\.value))
        #expect(scalars.filter { $0 < 0x20 } == [0x0A])
        #expect(scalars.isDisjoint(with: [0x7F, 0x202E, 0x2028]))
    }

    @Test func `only a terminal gets emphasis`() async throws {
        let result = try Sample.result(columns, rows: rows)
        let colored = try await TableFormat(isTerminal: true).text(of: result)
        let plain = try await TableFormat().text(of: result)
        #expect(!plain.contains("\u{1B}"))
        #expect(colored.hasPrefix("\u{1B}[1mA sample\u{1B}[0m\n"))
        #expect(colored.replacing(/\x1B\[\d+m/, with: "") == plain)
    }

    @Test func `the table says in words that there are no rows or that the result is truncated`() async throws {
        let lines = try await TableFormat().text(of: Sample.result(columns, rows: [])).split(separator: "\n")
        // The title, its line with the time, and no headings.
        #expect(lines.count == 3 && lines.last == "no rows")
        let cut = try Sample.result(columns, rows: rows, isTruncated: true)
        #expect(try await TableFormat().text(of: cut).contains("the first 3 rows; more are not shown"))
    }
}
