import Reports
import Testing

@Suite struct BoundStatementTests {
    private func bind(
        _ body: String, prelude: [String: String] = [:],
        _ parameters: [String: String] = ["app": "shop", "per": "auto"]
    ) throws -> BoundStatement {
        let source = """
            -- title: t
            -- parameter: per text
            -- column: a text
            \\if :{?app} \\else \\set app '' \\endif
            \\if :{?per} \\else \\set per auto \\endif
            select 1 as one \\gset
            \(body)
            """
        let definition = try Sample.definition(source)
        return try BoundStatement(definition.body, file: "sample", parameters: parameters, prelude: prelude)
    }

    @Test func `the same name is the same number`() throws {
        let bound = try bind("select :'per', :'app', :'per'::text, x[1:2], ':''per' -- :'app'")
        #expect(bound.sql == "select $1, $2, $1::text, x[1:2], ':''per' -- :'app'")
        #expect(bound.values == ["auto", "shop"])
    }

    @Test(arguments: ["'; drop table x; --", "$1", ":'app'", "\\'", "a\"b", "$$"])
    func `a value from outside is bound and never part of the text`(_ value: String) throws {
        let bound = try bind("select :'app' || :'per';", ["app": value, "per": value])
        #expect(bound.sql == "select $1 || $2")
        #expect(bound.values == [value, value])
    }

    @Test func `what a prelude returned is spliced, quoted as a name, or bound`() throws {
        let bound = try bind("select :cols, :\"name\", :'name'", prelude: ["cols": "a, b", "name": "x\"y"])
        #expect(bound.sql == "select a, b, \"x\"\"y\", $1")
        #expect(bound.values == ["x\"y"])
    }

    @Test(arguments: [":cols", ":\"cols\"", ":'cols'"])
    func `what no prelude returned is an error with its line`(_ variable: String) throws {
        #expect(
            throws: ReportError.file(name: "sample", line: 8, detail: "no prelude returned cols, or it returned null")
        ) {
            try bind("select\n\(variable)")
        }
    }

    @Test func `the name of an outside parameter is never spliced from a parameter`() throws {
        let error = #expect(throws: ReportError.self) { try bind("select :other", ["other": "evil"]) }
        #expect(error?.description.contains("line 7") == true)
    }
}
