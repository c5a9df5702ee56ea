import Testing

@testable import Reports

/// What is asked of the server once, and what is asked each time.
struct ColumnMemoryTests {
    private static let source = """
        -- title: t
        -- parameter: campaign text  only this
        -- column: a text
        -- column: b text
        \\if :{?campaign} \\else \\set campaign '' \\endif
        select 'a' as shown \\gset
        select :'campaign'::text as :"shown"
        """

    private func statement(_ definition: ReportDefinition, campaign: String, shown: String) throws -> BoundStatement {
        try BoundStatement(
            definition.body, file: "r", parameters: ["campaign": campaign], prelude: ["shown": shown])
    }

    private func asked(_ memory: ColumnMemory, _ definition: ReportDefinition, _ statements: [BoundStatement]) throws
        -> Int
    {
        var asked = 0
        for statement in statements {
            let names = try memory.names(of: statement, in: definition) {
                asked += 1
                return [statement.sql]
            }
            #expect(names.count == 1)
        }
        return asked
    }

    @Test func `a report of the program is asked for its columns once, whatever it is asked for`() throws {
        let definition = try ReportDefinition(name: "r", source: Self.source, isBuiltIn: true)
        let memory = ColumnMemory()
        let spring = try statement(definition, campaign: "spring", shown: "a")
        #expect(try asked(memory, definition, [spring, try statement(definition, campaign: "'; --", shown: "a")]) == 1)
        // Other columns.
        #expect(try asked(memory, definition, [try statement(definition, campaign: "spring", shown: "b")]) == 1)
        #expect(try asked(memory, definition, [spring]) == 0)
    }

    @Test func `a team's own report is asked each time`() throws {
        let definition = try ReportDefinition(name: "r", source: Self.source)
        let spring = try statement(definition, campaign: "spring", shown: "a")
        #expect(try asked(ColumnMemory(), definition, [spring, spring]) == 2)
    }

    @Test func `an error is not remembered`() throws {
        struct Refused: Error {}
        let definition = try ReportDefinition(name: "r", source: Self.source, isBuiltIn: true)
        let memory = ColumnMemory()
        let spring = try statement(definition, campaign: "spring", shown: "a")
        #expect(throws: Refused.self) { try memory.names(of: spring, in: definition) { throw Refused() } }
        #expect(try asked(memory, definition, [spring]) == 1)
    }
}
