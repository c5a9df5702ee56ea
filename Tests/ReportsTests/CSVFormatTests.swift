import Foundation
import Reports
import Testing

@Suite struct CSVFormatTests {
    /// Parses CSV with Python's csv module, as rows of fields.
    private func parse(_ csv: String) async throws -> [[String]] {
        let script = """
            import csv, io, json, sys
            text = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8', newline='').read()
            print(json.dumps(list(csv.reader(io.StringIO(text, newline=''), strict=True))))
            """
        let json = try await ThrowawayCluster.output("python3", ["-c", script], input: csv)
        return try JSONDecoder().decode([[String]].self, from: Data(json.utf8))
    }

    @Test func `numbers are unquoted, text is quoted and null is empty`() async throws {
        let result = try Sample.result(
            ["name text", "day date", "count integer", "rate number", "open boolean", "at time"],
            rows: [["a", "2026-11-21", "-1", "0.5", "t", "2026-11-21 10:00:00+00"], ["", nil, nil, "NaN", nil, nil]])
        let csv = try await CSVFormat().text(of: result)
        #expect(
            csv == "name,day,count,rate,open,at\r\n"
                + "\"a\",\"2026-11-21\",-1,0.5,true,\"2026-11-21T10:00:00Z\"\r\n\"\",,,,,\r\n")
    }

    @Test func `a CSV reader returns any text unchanged, except for one leading quote`() async throws {
        let rows = Sample.hostileTexts.map { ["before", $0, "7"] }
        let result = try Sample.result(["a text", "b text", "n integer"], rows: rows)
        let read = try await parse(CSVFormat().text(of: result))
        #expect(read.count == rows.count + 1)
        for (fields, text) in zip(read.dropFirst(), Sample.hostileTexts) {
            try #require(fields.count == 3)
            let cell = fields[1]
            let stored = cell.unicodeScalars.first == "'" ? String(cell.unicodeScalars.dropFirst()) : cell
            #expect(Array(stored.unicodeScalars) == Array(text.unicodeScalars))
            #expect(fields[0] == "before" && fields[2] == "7")
        }
    }

    @Test func `raw text equals the text in the JSON, byte for byte`() async throws {
        let result = try Sample.result(["b text"], rows: Sample.hostileTexts.map { [$0] })
        let read = try await parse(CSVFormat(CSVDialect(raw: true)).text(of: result)).dropFirst().map { $0.first ?? "" }
        let lines = try await NDJSONFormat().text(of: result).split(separator: "\n")
        let json = try lines.map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8))["b"] ?? "?" }
        #expect(read.map { Array($0.utf8) } == json.map { Array($0.utf8) })
        #expect(json.map { Array($0.utf8) } == Sample.hostileTexts.map { Array($0.utf8) })
    }

    static let prefixes = ["=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "＝", "＋", "－", "＠"]
    static let leads = [
        "", ",", ";", "\t", " ", "\"", "\",", "\";", ", ", ";;", "|", "\u{A0}", "\u{3000}", "\u{FEFF}", "\u{200B}",
    ]

    @Test(arguments: prefixes, leads) func `no cell begins like a spreadsheet formula`(_ prefix: String, _ lead: String)
        async throws
    {
        let text = lead + prefix + "HYPERLINK(\"http://x\")"
        let cell = CSVText.field(text, raw: false)
        #expect(cell.unicodeScalars.dropFirst().first == "'")
    }

    @Test(arguments: ["a=1", "1", "x", "a-b", "", "日本", "🎉", ", a", "#=1"])
    func `harmless text is unchanged`(_ text: String) {
        #expect(CSVText.field(text, raw: false) == "\"\(text)\"")
    }

    @Test func `a quote followed by a combining accent is doubled, too`() {
        #expect(Array(CSVText.field("a\"\u{301}", raw: true).utf8) == Array("\"a\"\"\u{301}\"".utf8))
    }

    @Test func `a large result is written in chunks of limited size`() async throws {
        let row = [String(repeating: "x", count: 100)]
        let result = try Sample.result(["a text"], rows: Array(repeating: row, count: 2000))
        var sizes: [Int] = []
        try await CSVFormat().write(result) { sizes.append($0.count) }
        let total = sizes.reduce(0, +)
        let (header, line) = (3, 104)
        #expect(total == header + 2000 * line)
        #expect(sizes.count > 10)
        #expect(sizes.allSatisfy { $0 < 20_000 })
    }
}
