import Testing

@testable import Reports

@Suite struct SQLScannerTests {
    private func tokens(_ sql: String) throws -> [SQLToken] {
        var scanner = SQLScanner(file: "f", text: sql)
        var tokens: [SQLToken] = []
        while let token = try scanner.next() { tokens.append(token) }
        return tokens
    }

    private func variables(_ sql: String) throws -> [String] {
        try tokens(sql).compactMap { if case .variable = $0.kind { $0.text } else { nil } }
    }

    static let withoutVariables = [
        "select ':a' ", "select ':''a' ", "select 'it''s :a'", "select E'\\':a'", "select e'\\\\', ':a'",
        "select \":a\"", "select \"x\"\":a\"", "select $$:a$$", "select $t$ $$:'a'$$ $t$", "select 1 -- :a",
        "select 1 /* :a /* :'a' */ :a */", "select a::text", "select f(x := 1)", "select x[1:2]", "select x[1 : n]",
        "select x$a$:'y' as z, ':'", "select U&'\\0061:a'", "select 'C:\\', ':a'", "select :: text",
        "select x[1:'2'::int]",
        "select :'a b'", "select a$1, ':b'",
    ]

    @Test(arguments: withoutVariables) func `text without variables yields no variable`(_ sql: String) throws {
        // `x$a$:'y'` is an identifier followed by a variable, the only one in the list.
        #expect(try variables(sql) == (sql.contains("x$a$") ? [":'y'"] : []))
        #expect(try tokens(sql).map(\.text).joined() == sql)
    }

    @Test func `the quotes of a variable determine its kind`() throws {
        let sql = "select :raw, :'value', :\"name\", :'value'::text, x[:a], ::'no', $$ :no $$ || :'b_2' -- :no\n, :last"
        #expect(try variables(sql) == [":raw", ":'value'", ":\"name\"", ":'value'", ":a", ":'b_2'", ":last"])
        #expect(try tokens(sql).map(\.text).joined() == sql)
    }

    @Test func `a cast directly before a variable is parsed as a cast`() throws {
        #expect(try variables("select a:::'x'") == [":'x'"])
    }

    @Test func `a semicolon within quotes or comments does not end a statement`() throws {
        let kinds = try tokens("select ';', \";\", $$;$$ /* ; */ -- ;\n;").map(\.kind)
        #expect(kinds.count { $0 == .semicolon } == 1)
        #expect(kinds.last == .semicolon)
    }

    @Test func `tokens have their line number`() throws {
        let found = try tokens("select\n'a\nb',\n$$\n$$ :'x'").first { $0.text == ":'x'" }
        #expect(found?.line == 5)
    }

    @Test func `a backslash command extends to the end of its line`() throws {
        #expect(try tokens("select 1 \\gset\nselect 2").map(\.kind).contains(.command("gset")))
        #expect(try tokens("select '\\gset'").allSatisfy { $0.kind == .sql || $0.kind == .blank })
    }
}
