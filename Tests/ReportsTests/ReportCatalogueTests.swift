import Foundation
import Reports
import Testing

@Suite struct ReportCatalogueTests {
    private func withDirectory(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in files { try Data(text.utf8).write(to: directory.appending(path: name)) }
        try body(directory.path())
    }

    @Test func `a broken file is reported by name and does not affect the others`() throws {
        let files = [
            "mine.sql": Sample.source, "broken.sql": "-- title: t\n-- column: a text\nselect 'x",
            "notes.md": "no report",
            "overview.sql": Sample.source, "Bad Name.sql": Sample.source,
        ]
        try withDirectory(files) { directory in
            let catalogue = ReportCatalogue(
                builtIn: ["overview": Sample.source, "half": "select"], directory: directory)
            #expect(catalogue.reports.map(\.name) == ["mine", "overview"])
            #expect(catalogue.problems.count == 4)
            let texts = catalogue.problems.map(\.description)
            #expect(texts.contains("report broken, line 3: the literal that begins here has no end"))
            #expect(texts.contains("report overview: a built-in report has this name"))
            let alone = ReportCatalogue(builtIn: ["overview": Sample.source], directory: directory, only: "mine")
            #expect(alone.reports.map(\.name) == ["mine"] && alone.problems.isEmpty)
        }
    }

    @Test func `custom reports are distinguished from built-in ones`() throws {
        try withDirectory(["mine.sql": Sample.source]) { directory in
            let catalogue = ReportCatalogue(builtIn: ["overview": Sample.source], directory: directory)
            #expect(catalogue.reports.map(\.name) == ["mine", "overview"])
            #expect(catalogue.reports.map(\.isBuiltIn) == [false, true])
        }
    }

    @Test func `a file that is not UTF-8 is reported as such`() throws {
        try withDirectory(["mine.sql": Sample.source]) { directory in
            let url = URL(filePath: directory).appending(path: "latin.sql")
            try Data([0x2D, 0x2D, 0xE9, 0xFF]).write(to: url)
            let catalogue = ReportCatalogue(builtIn: [:], directory: directory)
            #expect(catalogue.reports.map(\.name) == ["mine"])
            #expect(catalogue.problems.map(\.description) == ["report latin: the file can't be read as UTF-8 text"])
        }
    }

    @Test func `a file of more than 1 MiB is reported and not read`() throws {
        let padding = "-- " + String(repeating: "x", count: 100) + "\n"
        let size = (1 << 20) / padding.utf8.count
        let large = Sample.source + String(repeating: padding, count: size + 1)
        try withDirectory(["large.sql": large, "mine.sql": Sample.source]) { directory in
            let catalogue = ReportCatalogue(builtIn: [:], directory: directory)
            #expect(catalogue.reports.map(\.name) == ["mine"])
            #expect(catalogue.problems.map(\.description) == ["report large: the file is larger than 1 MiB"])
        }
    }

    @Test func `the built-in reports are available if the directory does not exist`() {
        let catalogue = ReportCatalogue(builtIn: ["overview": Sample.source], directory: "/nonexistent/reports")
        #expect(catalogue.reports.map(\.name) == ["overview"])
        #expect(catalogue.problems.count == 1)
    }

    @Test func `a definition contains what the list of reports shows`() throws {
        let source = """
            -- title: T "1"
            -- parameter: base text a|b  which
            -- column: n integer s  how many
            \\if :{?base} \\else \\set base a \\endif
            select 1 as n where :'base' = 'a'
            """
        #expect(
            try Sample.definition(source).json == #"{"name":"sample","title":"T \"1\"","description":"","parameters":"#
                + #"[{"name":"base","type":"text","values":["a","b"],"default":"a","description":"which"}],"columns":"#
                + #"[{"name":"n","type":"integer","unit":"s","description":"how many"}]}"#)
    }

    @Test func `an unknown report is refused with its name`() {
        let catalogue = ReportCatalogue(builtIn: ["overview": Sample.source])
        #expect(throws: ReportError.unknownReport(name: "over", nearest: "overview")) {
            try catalogue.report(named: "over")
        }
    }
}
