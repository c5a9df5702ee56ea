import Foundation
import TestSupport
import Testing

/// Tests that LibreOffice reads what `afterpush report` writes for spreadsheets, in its English and in its German locale.
@Suite(
    .serialized,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/soffice"),
        "SKIPPED: no spreadsheet opens the reports, because Debian's libreoffice-calc-nogui is not installed"))
struct SpreadsheetTests {
    private static let report = """
        -- title: =1+1
        -- column: name text
        -- column: sent integer
        -- column: open_rate number ratio
        -- column: mean number
        -- column: day date
        -- column: at time
        select *
        from (values
            ('=1+1', 1234567, 0.2065493143377236::float8, -1.5::float8, date '2026-02-01',
                timestamptz '2026-11-21 10:30:00Z'),
            ('@SUM(A1:A9)', 0, 0.5, 1234567.891, date '2026-12-11', timestamptz '2026-02-01 00:00:01Z'),
            ('-1+1', 12, 0.001, 0.0000001, null, null),
            ('0123', 12, 1, 12, null, null),
            ('1.5', 12, 0, 1.5, null, null),
            ('12/11/2026', 12, 0.25, 12.11, null, null),
            ('TRUE', 1, 0.25, 1e9, null, null),
            (E'a;=1+1;b, "c"', 1, 0.25, 2, null, null),
            ('Größe „漢字“ 🎉', null, null, null, null, null)
        ) as t (name, sent, open_rate, mean, day, at);
        """

    /// The names as a spreadsheet shows them. In CSV, an apostrophe is in front of what could be a formula.
    private static let names = [
        "=1+1", "@SUM(A1:A9)", "-1+1", "0123", "1.5", "12/11/2026", "TRUE", "a;=1+1;b, \"c\"", "Größe „漢字“ 🎉",
    ]
    private static let namesInCSV = names.map { "=@-".contains($0.first ?? " ") ? "'" + $0 : $0 }
    private static let sent = ["1234567", "0", "12", "12", "12", "12", "1", "1", ""]
    private static let rates = ["0.206549314337724", "0.5", "0.001", "1", "0", "0.25", "0.25", "0.25", ""]
    private static let means = ["-1.5", "1234567.891", "0.0000001", "12", "1.5", "12.11", "1000000000", "2", ""]

    /// A file that the program writes, and how a person opens it.
    struct Export: CustomTestStringConvertible, Sendable {
        let file: String
        /// LibreOffice's import filter with its options: separator, quote, UTF-8, first line, locale, quoted is text.
        let filter: String
        let locale: String
        var options: [String] = []

        var testDescription: String { "\(file) in \(locale)" }

        static let german = ["--delimiter", "semicolon", "--decimal", "comma", "--bom"]

        static let all = [
            Export(file: "report.xlsx", filter: "Calc MS Excel 2007 XML", locale: "en-US"),
            Export(file: "report.xlsx", filter: "Calc MS Excel 2007 XML", locale: "de-DE"),
            Export(file: "comma.csv", filter: "CSV:44,34,76,1,,1033,true", locale: "en-US"),
            Export(
                file: "tab.csv", filter: "CSV:9,34,76,1,,1033,true", locale: "en-US", options: ["--delimiter", "tab"]),
            Export(file: "german.csv", filter: "CSV:59,34,76,1,,1031,true", locale: "de-DE", options: german),
            Export(file: "report.html", filter: "HTML (StarCalc)", locale: "en-US"),
            Export(file: "report.html", filter: "HTML (StarCalc)", locale: "de-DE"),
        ]
    }

    /// A cell as LibreOffice understood it, in its own format.
    private struct Cell {
        let type: String
        let value: String
        let text: String
        let formula: String

        var isNumber: Bool { ["float", "percentage"].contains(type) && formula.isEmpty }
        var isText: Bool { type == "string" && formula.isEmpty }
    }

    @Test(arguments: Export.all)
    func `LibreOffice reads numbers as numbers and no text as a formula`(_ export: Export) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "afterpush-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Self.report.utf8).write(to: folder.appending(path: "types.sql"))
        let app = try await TestApp()
        let written = try await Program.run(
            [
                "report", "types", "--reports", folder.path, "--app", "shop", "--database-url", app.conninfo, "--out",
                folder.appending(path: export.file).path,
            ] + export.options)
        #expect(written.status == 0, "\(written.error)")
        let rows = try await Self.rows(of: export, in: folder)
        let head = try #require(rows.firstIndex { $0.contains { $0.text == "open_rate" } }, "\(rows)")
        let found = rows[(head + 1)...].prefix(Self.names.count)
        func cells(_ column: String) throws -> [Cell?] {
            let place = try #require(rows[head].firstIndex { $0.text == column }, "\(column): \(rows[head])")
            return found.map { $0.indices.contains(place) ? $0[place] : nil }
        }
        let isCSV = export.file.hasSuffix("csv")
        let names = try cells("name")
        #expect(names.allSatisfy { $0?.isText == true }, "\(names)")
        #expect(names.map { $0?.text ?? "" } == (isCSV ? Self.namesInCSV : Self.names))
        for (column, expected) in [("sent", Self.sent), ("open_rate", Self.rates), ("mean", Self.means)] {
            for (cell, value) in zip(try cells(column), expected) {
                if value.isEmpty {
                    #expect(cell?.value ?? "" == "", "\(column): \(String(describing: cell))")
                } else {
                    #expect(cell?.isNumber == true && cell?.value == value, "\(column): \(String(describing: cell))")
                }
            }
        }
        // Formats without types leave times as texts, whose order is that of the times.
        let days = try cells("day").prefix(2).map { $0?.type == "date" ? $0?.value : $0?.text }
        #expect(days == ["2026-02-01", "2026-12-11"])
        if export.file.hasSuffix("xlsx") {
            #expect(try cells("at").prefix(2).map { $0?.value } == ["2026-11-21T10:30:00", "2026-02-01T00:00:01"])
        }
    }

    /// Opens a file with LibreOffice, with a profile of its own, and returns what it holds.
    private static func rows(of export: Export, in folder: URL) async throws -> [[Cell]] {
        let profile = folder.appending(path: "profile")
        try FileManager.default.createDirectory(
            at: profile.appending(path: "user"), withIntermediateDirectories: true)
        let settings = """
            <?xml version="1.0" encoding="UTF-8"?>
            <oor:items xmlns:oor="http://openoffice.org/2001/registry">
            <item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse">
            <value>\(export.locale)</value></prop></item>
            </oor:items>
            """
        try Data(settings.replacing(">\n<value>", with: "><value>").utf8)
            .write(to: profile.appending(path: "user/registrymodifications.xcu"))
        let opened = try await Program.run(
            [
                "120", "soffice", "-env:UserInstallation=file://\(profile.path)", "--headless",
                "--infilter=\(export.filter)", "--convert-to", "fods", "--outdir",
                folder.appending(path: "opened").path, folder.appending(path: export.file).path,
            ], program: URL(filePath: "/usr/bin/timeout"), environment: ["HOME": folder.path])
        let name = export.file.split(separator: ".")[0] + ".fods"
        let cells = try await Program.run(
            ["-c", Self.reader, folder.appending(path: "opened/\(name)").path],
            program: URL(filePath: "/usr/bin/python3"))
        guard cells.status == 0 else {
            throw Program.Failed(message: "\(opened.output)\n\(opened.error)\n\(cells.error)")
        }
        let rows = try JSONSerialization.jsonObject(with: Data(cells.output.utf8)) as? [[[String]]] ?? []
        return rows.map { $0.map { Cell(type: $0[0], value: $0[1], text: $0[2], formula: $0[3]) } }
    }

    /// Prints the cells of a flat OpenDocument file as JSON.
    private static let reader = """
        import json, sys
        import xml.dom.minidom as dom
        def content(cell):
            paragraphs = cell.getElementsByTagName('text:p')
            return ''.join(node.data for p in paragraphs for node in p.childNodes if node.nodeType == node.TEXT_NODE)
        def cells(row):
            for cell in row.getElementsByTagName('table:table-cell'):
                value = cell.getAttribute('office:value') or cell.getAttribute('office:date-value')
                kind, formula = cell.getAttribute('office:value-type'), cell.getAttribute('table:formula')
                copies = int(cell.getAttribute('table:number-columns-repeated') or 1)
                yield from [[kind, value, content(cell), formula]] * min(copies, 20)
        rows = dom.parse(sys.argv[1]).getElementsByTagName('table:table-row')
        print(json.dumps([list(cells(row)) for row in rows]))
        """
}
