import Reports
import Testing

@Suite struct BoundStatementTests {
    private func bind(
        _ body: String, prelude: [String: String] = [:],
        _ parameters: [String: String] = ["app": "shop", "base": "auto"]
    ) throws -> BoundStatement {
        let source = """
            -- title: t
            -- parameter: base text
            -- column: a text
            \\if :{?app} \\else \\set app '' \\endif
            \\if :{?base} \\else \\set base auto \\endif
            select 1 as one \\gset
            \(body)
            """
        let definition = try Sample.definition(source)
        return try BoundStatement(definition.body, file: "sample", parameters: parameters, prelude: prelude)
    }

    @Test func `values are inserted where psql inserts them, as untyped constants`() throws {
        let bound = try bind("select :'base', :'app', :'base'::text, x[1:2], ':''base' -- :'app'")
        #expect(bound.sql == "select 'auto', 'shop', 'auto'::text, x[1:2], ':''base' -- :'app'")
    }

    @Test(arguments: [
        ("'; drop table x; --", "'''; drop table x; --'"), ("$1", "'$1'"), (":'app'", "':''app'''"),
        ("\\'", " E'\\\\'''"), ("a\"b", "'a\"b'"), ("$$", "'$$'"), ("'\u{301}", "'''\u{301}'"),
    ])
    func `a parameter's value is a constant, whatever it contains`(_ value: String, _ constant: String) throws {
        let bound = try bind("select :'app' || :'base';", ["app": value, "base": value])
        #expect(Array(bound.sql.utf8) == Array("select \(constant) || \(constant)".utf8))
    }

    @Test func `a prelude's value is inserted as text, as a quoted name or as a constant`() throws {
        let bound = try bind("select :cols, :\"name\", :'name'", prelude: ["cols": "a, b", "name": "x\"y"])
        #expect(bound.sql == "select a, b, \"x\"\"y\", 'x\"y'")
    }

    @Test(arguments: [":cols", ":\"cols\"", ":'cols'"])
    func `a variable that no prelude returned is an error with its line`(_ variable: String) throws {
        #expect(
            throws: ReportError.file(name: "sample", line: 8, detail: "no prelude returned cols, or it returned null")
        ) {
            try bind("select\n\(variable)")
        }
    }

    @Test func `a request parameter is never inserted as raw text`() throws {
        let error = #expect(throws: ReportError.self) { try bind("select :other", ["other": "evil"]) }
        #expect(error?.description.contains("line 7") == true)
    }
}
