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
                spring          123    1000  12.3 % (10.1–14.9)        12.35
                -                 4    1000  0.40 % (0.16–1.02)            -
                漢字🎉            0      10                   -        98765

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
        #expect(table.contains("2.22 (1.36–3.09)") && table.contains("-0.0250 (-0.5000–0.4500)"), "\(table)")
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
        #expect(table.contains("12.3 % (10.1–14.9)  1000  1.0 % (-2.0–4.0)"), "\(table)")
        #expect(table.contains("  -20") && !table.contains("low"), "\(table)")
    }

    @Test func `a base that differs between rows is shown as a column`() async throws {
        let table = try await TableFormat().text(
            of: Sample.result(["base text", "n integer"], rows: [["sent", "1"], ["confirmed", "2"]]))
        #expect(table.contains("confirmed  2"))
        #expect(!table.contains("· base"))
    }

    @Test func `columns that do not fit continue below with the keys repeated`() async throws {
        let names = (1...20).map { "a_rather_long_name_\($0)" }
        let columns = ["campaign_id text"] + names.map { "\($0) integer" }
        let result = try Sample.result(columns, rows: [["spring"] + names.map { _ in "5" }])
        let lines = try await TableFormat().text(of: result).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 120 })
        let parts = lines.count { $0.contains("a_rather") }
        #expect(parts > 1)
        #expect(lines.count { $0.hasPrefix("campaign_id") } == parts)
        #expect(lines.count { $0.hasPrefix("spring") } == parts)
        let words = lines.flatMap { $0.split(separator: " ") }.map(String.init)
        #expect(Set(names).isSubset(of: words))
        let wide = try await TableFormat(wide: true).text(of: result).split(separator: "\n")
        #expect(wide.count { $0.hasPrefix("spring") } == 1)
    }

    @Test func `text can't move the cursor or reorder other text`() async throws {
        let result = try Sample.result(["a text", "n integer"], rows: Sample.hostileTexts.map { [$0, "1"] })
        let table = try await TableFormat().text(of: result)
        #expect(table.split(separator: "\n").count == Sample.hostileTexts.count + 3)
        let scalars = Set(table.unicodeScalars.map(\.value))
        #expect(scalars.filter { $0 < 0x20 } == [0x0A])
        #expect(scalars.isDisjoint(with: [0x7F, 0x202E, 0x2028]))
    }

    @Test func `colour is used only on request`() async throws {
        let result = try Sample.result(columns, rows: rows)
        let colored = try await TableFormat(color: true).text(of: result)
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
