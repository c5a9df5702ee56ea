import Foundation
import Testing

@testable import Reports

/// Tests writing rows of COPY as CSV and NDJSON.
@Suite struct RowWriterTests {
    private let columns = [
        ExportColumn("id", .number), ExportColumn("at", .time), ExportColumn("text", .text),
        ExportColumn("yes", .boolean),
        ExportColumn("json", .json),
    ]

    private func written(_ rows: String, _ format: ExportFormat) -> String {
        String(
            decoding: RowWriter(format, columns).written(Array(rows.utf8), count: rows.split(separator: "\n").count),
            as: UTF8.self)
    }

    @Test func `null is an empty cell in CSV and an absent member in NDJSON`() {
        let rows = "1\t2026-11-21 10:00:00+00\t\\N\t\\N\t\\N\n2\t2026-11-21 10:00:00.12+00\t\tt\t{\"a\": 1}\n"
        #expect(
            written(rows, .csv(raw: false))
                == "1,2026-11-21T10:00:00Z,,,\r\n2,2026-11-21T10:00:00.12Z,\"\",true,\"{\"\"a\"\": 1}\"\r\n")
        #expect(
            written(rows, .ndjson)
                == """
                {"id":1,"at":"2026-11-21T10:00:00Z"}
                {"id":2,"at":"2026-11-21T10:00:00.12Z","text":"","yes":true,"json":{"a": 1}}

                """)
    }

    /// A text as it is stored, as COPY sends it, and as the three formats write it.
    @Test(arguments: [
        ("N", "N", "\"N\"", "\"N\"", #""N""#), ("\\N", "\\\\N", "\"\\N\"", "\"\\N\"", #""\\N""#),
        ("a\tb\nc", "a\\tb\\nc", "\"a\tb\nc\"", "\"a\tb\nc\"", #""a\tb\nc""#),
        (
            "\u{8}\u{B}\u{C}\r", "\\b\\v\\f\\r", "\"\u{8}\u{B}\u{C}\r\"", "\"'\u{8}\u{B}\u{C}\r\"",
            #""\u0008\u000b\u000c\r""#
        ),
        ("say \"hi\"", "say \"hi\"", "\"say \"\"hi\"\"\"", "\"say \"\"hi\"\"\"", #""say \"hi\"""#),
        ("=1", "=1", "\"=1\"", "\"'=1\"", #""=1""#), ("\t=1", "\\t=1", "\"\t=1\"", "\"'\t=1\"", #""\t=1""#),
        ("'x", "'x", "\"'x\"", "\"''x\"", #""'x""#), ("＝1", "＝1", "\"＝1\"", "\"'＝1\"", #""＝1""#),
        ("\u{1}", "\u{1}", "\"\u{1}\"", "\"\u{1}\"", #""\u0001""#),
        ("مرحبا", "مرحبا", "\"مرحبا\"", "\"مرحبا\"", #""مرحبا""#),
    ])
    func `text is escaped as each format requires`(
        stored: String, copied: String, raw: String, safe: String, json: String
    ) {
        let row = "1\t2026-11-21 10:00:00+00\t\(copied)\tf\t\\N\n"
        func line(_ cell: String) -> String { "1,2026-11-21T10:00:00Z,\(cell),false,\r\n" }
        #expect(written(row, .csv(raw: true)) == line(raw))
        // A leading control character is skipped only if it is white space.
        if !stored.hasPrefix("\u{8}") { #expect(written(row, .csv(raw: false)) == line(safe)) }
        #expect(written(row, .ndjson).contains("\"text\":\(json),"))
    }

    @Test func `the cells of an export and of a report are protected against formulas in the same cases`() {
        let texts = [
            "=", "a", "", " =", ";+", "\"@", "|-", "\u{A0}=", "\u{200E}=", "9", "é=", "_=", "'", "（=", "{=",
            "\u{2003}-1",
        ]
        for text in texts {
            let row = "1\t2026-11-21 10:00:00+00\t\(text)\t\\N\t\\N\n"
            #expect(written(row, .csv(raw: false)) == "1,2026-11-21T10:00:00Z,\(CSVText.field(text, raw: false)),,\r\n")
        }
    }

    @Test func `JSON values keep their escapes`() {
        let row = "1\t2026-11-21 10:00:00+00\t\\N\t\\N\t{\"a\": \"x\\\\\"y\\\\\\\\\\\\n\"}\n"
        #expect(written(row, .ndjson).contains(#""json":{"a": "x\"y\\\n"}"#))
        #expect(written(row, .csv(raw: false)).hasSuffix(#","{""a"": ""x\""y\\\n""}""# + "\r\n"))
    }
}
