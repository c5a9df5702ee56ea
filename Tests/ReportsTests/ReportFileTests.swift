import Reports
import Testing

@Suite struct ReportFileTests {
    @Test func `a head declares title, description, parameters and columns`() throws {
        let definition = try Sample.definition()
        #expect(definition.title == "Conversion by group")
        #expect(definition.description == "Rates over the deliveries of each group, with their 95 % intervals.")
        #expect(definition.parameters.map(\.name).prefix(3) == ["from", "to", "tz"])
        #expect(definition.parameters.map(\.defaultValue) == ["", "", "UTC", "", "false", "auto", "30", "12h", ""])
        #expect(definition.parameters[0].description == "first anchor hour; empty for no limit")
        #expect(definition.parameters[5].kind == .choice(["auto", "sent", "confirmed"]))
        #expect(definition.parameters[6].kind == .integer(1...Int64.max))
        #expect(definition.columns.map(\.unit) == [nil, nil, "deliveries", "ratio"])
        #expect(definition.columns.map(\.kind) == [.text, .date, .integer, .number])
        #expect(definition.columns[0].description == "campaign; null if unknown")
        #expect(definition.columns[1].description == "")
        #expect(definition.source == Sample.source)
    }

    @Test func `lines that end with CR LF are parsed the same way`() throws {
        let definition = try Sample.definition(Sample.source.replacing("\n", with: "\r\n"))
        let unix = try Sample.definition()
        #expect(definition.parameters == unix.parameters)
        #expect(definition.columns == unix.columns)
    }

    @Test func `a quoted default keeps its spaces and doubled quotes`() throws {
        let source = """
            -- title: t
            -- parameter: campaign text
            -- column: a text
            \\if :{?campaign} \\else \\set campaign 'it''s  mine' \\endif
            select :'campaign' as a
            """
        #expect(try Sample.definition(source).parameters[0].defaultValue == "it's  mine")
    }

    static let broken: [(String, line: Int, part: String)] = [
        ("select 1", 1, "no '-- title:'"),
        ("-- title: t\nselect 1", 1, "no '-- column:'"),
        ("-- just a note\nselect 1", 1, "begins with"),
        ("-- title: t\n-- title: u\nselect 1", 2, "second time"),
        ("-- title: t\n-- colum: a text\nselect 1", 2, "unknown key"),
        ("-- title: t\n-- column: a\nselect 1", 2, "expected 'name type [unit]"),
        ("-- title: t\n-- column: a float\nselect 1", 2, "no such type of column: float"),
        ("-- title: t\n-- column: a text\n-- column: a text\nselect 1", 3, "declared twice"),
        ("-- title: t\n-- column: A text\nselect 1", 2, "expected"),
        ("-- title: t\n-- parameter: a float\nselect 1", 2, "no such type of parameter: float"),
        ("-- title: t\n-- parameter: a list\nselect 1", 2, "no such type of parameter: list"),
        ("-- title: t\n-- parameter: a integer 9..1\nselect 1", 2, "no such type of parameter"),
        ("-- title: t\n-- parameter: a text\n-- column: b text\nselect 1", 2, "a has no default"),
        ("-- title: t\n-- column: b text\n\\if :{?a} \\else \\set a 1 \\endif\nselect 1", 3, "no '-- parameter:'"),
        (
            "-- title: t\n-- parameter: a integer\n-- column: b text\n\\if :{?a} \\else \\set a x \\endif\nselect 1",
            4, "the default of a is not an integer"
        ),
        ("-- title: t\n-- column: b text\n\\if :{?app} \\else \\set ap 1 \\endif\nselect 1", 3, "expected '\\if"),
        ("-- title: t\n-- column: b text\n\\if :{?app} \\else \\set app :x \\endif\nselect 1", 3, "expected '\\if"),
        ("-- title: t\n-- column: b text\n\\if :{?app} \\else \\set app `id` \\endif\nselect 1", 3, "expected '\\if"),
        (
            "-- title: t\n-- column: b text\n\\if :{?app} \\else \\set app 'a\\'b' \\endif\nselect 1", 3,
            "expected '\\if"
        ),
        ("-- title: t\n-- column: b text\n\\! rm\nselect 1", 3, "expected '\\if"),
        ("-- title: t\n-- column: b text\nselect 1 \\g out.txt", 3, "in \\gset"),
        ("-- title: t\n-- column: b text\nselect 1 \\gset x_\nselect 2", 3, "in \\gset"),
        ("-- title: t\n-- column: b text\nselect 1;\nselect 2;", 4, "this begins another"),
        ("-- title: t\n-- column: b text\nselect 1;\n\\timing", 4, "must come before"),
        ("-- title: t\n-- column: b text\n", 0, "no statement"),
        ("-- title: t\n-- column: b text\nselect 1 \\gset\n", 0, "no statement"),
        ("-- title: t\n-- column: b text\ndelete from x", 3, "only read"),
        ("-- title: t\n-- column: b text\nselect $1", 3, "$1 has no value"),
        ("-- title: t\n-- column: b text\nselect\n :'c'", 4, "c is not a parameter"),
        ("-- title: t\n-- column: b text\nselect\n :c", 4, "c is not a parameter"),
        (
            "-- title: t\n-- column: b text\n\\if :{?app} \\else \\set app '' \\endif\nselect 1 as x \\gset\nselect\n:app",
            6, ":app would splice a parameter"
        ),
        (
            "-- title: t\n-- column: b text\n\\if :{?app} \\else \\set app '' \\endif\nselect 1 as x \\gset\nselect :\"app\"",
            5, ":app would splice a parameter"
        ),
        ("-- title: t\n-- column: b text\nselect\n:{?app}", 4, "is only for \\if"),
        (
            "-- title: t\n-- column: b text\n\\if :{?app} \\else \\set app a \\endif\n"
                + "\\if :{?app} \\else \\set app b \\endif\nselect 1",
            4, "app has two defaults"
        ),
        (
            "-- title: t\n-- parameter: format text\n-- column: b text\n"
                + "\\if :{?format} \\else \\set format a \\endif\nselect 1",
            2, "requests name the format by format"
        ),
        ("-- title: t\n-- column: b text\n-- parameter: raw boolean\nselect 1", 3, "by raw"),
        ("-- title: t\n-- column: b text\n-- rows: few\nselect 1", 3, "rows: expected a whole number"),
        ("-- title: t\n-- column: b text\n-- rows: 0\nselect 1", 3, "rows: expected a whole number"),
        ("-- title: t\n-- rows: 1\n-- column: b text\n-- rows: 2\nselect 1", 4, "rows: appears a second time"),
        ("-- title: t\n-- column: b text\nselect 'open", 3, "the literal that begins here"),
        ("-- title: t\n-- column: b text\nselect /* open", 3, "the comment that begins here"),
        ("-- title: t\n-- column: b text\nselect $a$ open $b$", 3, "the dollar quote that begins here"),
        ("-- title: t\n-- column: b text\nselect \"open", 3, "the quoted identifier that begins here"),
    ]

    @Test(arguments: broken) func `the error for a broken file names its line`(
        _ source: String, line: Int, part: String
    ) {
        let error = #expect(throws: ReportError.self) { try Sample.definition(source) }
        guard case .file("sample", line, let detail) = error else {
            Issue.record("expected line \(line), got \(String(describing: error))")
            return
        }
        #expect(detail.contains(part))
    }

    @Test(arguments: ["", "A", "a.b", "../a", "1a"]) func `a report's name that is unsafe in a path is refused`(
        _ name: String
    ) {
        #expect(throws: ReportError.self) { try ReportDefinition(name: name, source: Sample.source) }
    }
}
