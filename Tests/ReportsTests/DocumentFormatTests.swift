import Foundation
import Reports
import TestSupport
import Testing

/// Tests the formats for documents and spreadsheets of other countries.
@Suite struct DocumentFormatTests {
    private let columns = [
        "campaign_id text", "day date", "at time", "opened integer", "open_rate number ratio",
        "open_rate_low number ratio", "open_rate_high number ratio", "mean number", "suppressed boolean",
    ]
    private var rows: [[String?]] {
        [
            ["=1+1 <b>|*x*", "2026-11-21", "2026-11-21T10:30:00Z", "1234", "0.125", "0.1", "0.15", "-1.5", "f"],
            [nil, nil, nil, nil, nil, nil, nil, nil, "t"],
        ]
    }

    @Test func `a German spreadsheet gets semicolons, decimal commas and a byte order mark`() async throws {
        var dialect = CSVDialect()
        dialect.delimiter = .semicolon
        dialect.decimal = .comma
        dialect.hasByteOrderMark = true
        let csv = try await CSVFormat(dialect).text(of: Sample.result(columns, rows: rows))
        let lines = csv.split(separator: "\r\n")
        #expect(csv.unicodeScalars.first == "\u{FEFF}")
        #expect(lines[0].hasSuffix("campaign_id;day;at;opened;open_rate;open_rate_low;open_rate_high;mean;suppressed"))
        #expect(
            lines[1] == #""'=1+1 <b>|*x*";"2026-11-21";"2026-11-21T10:30:00Z";1234;0,125;0,1;0,15;-1,5;false"#)
        #expect(lines[2] == ";;;;;;;;true")
        #expect(ReportOutput.csv(dialect).name != ReportOutput.csv(CSVDialect()).name)
    }

    @Test func `Markdown is a table in which text stays text`() async throws {
        let text = try await MarkdownFormat().text(of: Sample.result(columns, rows: rows))
        let lines = text.split(separator: "\n")
        #expect(lines[0] == #"| campaign\_id | day | at | opened | open\_rate | mean | suppressed |"#)
        #expect(lines[1] == "| --- | --- | --- | ---: | ---: | ---: | --- |")
        #expect(lines[2].hasPrefix(#"| =1+1 \<b\>\|\*x\* | 2026-11-21 | 2026-11-21 10:30 | 1234 | 12.5 % (10.0–15.0)"#))
        #expect(lines[3].hasPrefix("| - | - | - | - | - |"))
    }

    @Test func `HTML has a table, no script, and text stays text`() async throws {
        let hostile = Sample.hostileTexts + ["</td><script>x</script>", "\" onload=\"x"]
        let result = try Sample.result(["a text", "n integer"], rows: hostile.map { [$0, "1"] })
        let page = try await HTMLFormat().text(of: result)
        #expect(page.matches(of: /<tr>/).count == hostile.count + 1)
        #expect(!page.contains("<script") && page.contains("&lt;script&gt;"))
        #expect(page.contains("<td class=\"n\" sdval=\"1\" sdnum=\"1033;0;General\">1</td>"))
    }

    @Test func `a workbook keeps texts that look like its escape sequences`() async throws {
        let texts = ["_x000D_", "_x0041_x0042_", "__xabCD_", "_x00g0_", "_x0041", "x_x0041_"]
        var bytes: [UInt8] = []
        try await WorkbookFormat().write(try Sample.result(["a text"], rows: texts.map { [$0] })) { bytes += $0 }
        let folder = FileManager.default.temporaryDirectory.appending(path: "afterpush-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(bytes).write(to: folder.appending(path: "report.xlsx"))
        let script = """
            import sys, re, zipfile
            sheet = zipfile.ZipFile(sys.argv[1]).read('xl/worksheets/sheet1.xml').decode()
            for text in re.findall('<t xml:space="preserve">([^<]*)</t>', sheet)[1:]:
                # As readers do.
                print(text, re.sub('_x([0-9A-Fa-f]{4})_', lambda code: chr(int(code[1], 16)), text))
            """
        let lines = try await Program.run(
            ["python3", "-c", script, folder.appending(path: "report.xlsx").path],
            program: URL(filePath: "/usr/bin/env")
        ).output
        let pairs = lines.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(pairs.map(\.last) == texts, "\(lines)")
        #expect(pairs.first?.first == "_x005F_x000D_", "\(lines)")
    }

    @Test func `a workbook has numbers as numbers, times as times, and no formulas`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "afterpush-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let hostile = Sample.hostileTexts.map { [$0, nil, nil, "1", nil, nil, nil, nil, nil] as [String?] }
        var bytes: [UInt8] = []
        try await WorkbookFormat().write(try Sample.result(columns, rows: rows + hostile)) { bytes += $0 }
        let file = folder.appending(path: "report.xlsx")
        try Data(bytes).write(to: file)
        // Python's own reader of ZIP archives checks sizes and checksums.
        let script = """
            import sys, zipfile, xml.dom.minidom as dom
            book = zipfile.ZipFile(sys.argv[1])
            assert book.testzip() is None
            for name in book.namelist(): dom.parseString(book.read(name))
            sheet = dom.parseString(book.read('xl/worksheets/sheet1.xml'))
            assert not sheet.getElementsByTagName('f')
            for row in sheet.getElementsByTagName('row')[1:3]:
                for cell in row.getElementsByTagName('c'):
                    text = ''.join(node.data for node in cell.getElementsByTagName('*')[-1].childNodes)
                    print(cell.getAttribute('r'), cell.getAttribute('t') or 'n', cell.getAttribute('s') or 0, text)
            """
        let output = try await Program.run(
            ["python3", "-c", script, file.path], program: URL(filePath: "/usr/bin/env"))
        #expect(output.status == 0, "\(output.error)")
        let text = output.output
        #expect(
            text == """
                A2 inlineStr 0 =1+1 <b>|*x*
                B2 n 4 46347.0
                C2 n 3 46347.4375
                D2 n 0 1234
                E2 n 2 0.125
                F2 n 2 0.1
                G2 n 2 0.15
                H2 n 0 -1.5
                I2 b 0 0
                I3 b 0 1

                """, "\(text)")
    }
}
