import Testing

@testable import Postgres

struct SQLTextTests {
    @Test(arguments: ["", "it's", "a\\'b", "\\", "line\nbreak", "日本", "$1", "--", "''", "'\u{301}", "\\\u{301}'"])
    func `a quoted constant evaluates to its value`(value: String) async throws {
        let connection = try await TestServer.connect()
        let rows = try await connection.query("select \(SQLText.literal(value))::text")
        #expect(try rows[0].decode(String.self) == value)
        try await connection.script("set standard_conforming_strings = off")
        let again = try await connection.query("select \(SQLText.literal(value))::text")
        #expect(try again[0].decode(String.self) == value)
    }

    @Test func `a quoted identifier is a single name`() async throws {
        let connection = try await TestServer.connect()
        let rows = try await connection.query("select 1 as \(SQLText.identifier("a \"b\"; drop"))")
        #expect(rows.columns[0].name == "a \"b\"; drop")
        let accented = "\"\u{301}; drop"
        let accent = try await connection.query("select 1 as \(SQLText.identifier(accented))")
        #expect(accent.columns[0].name == accented)
    }

    @Test(arguments: [
        ("insert into events (a) values ('x')", "insert into events"),
        ("-- insert_batch\n-- Inserts a batch.\ninsert into t", "insert_batch"),
        ("select 42", "select"), ("", ""),
    ])
    func `a statement's label is its first words, without constants`(sql: String, label: String) {
        #expect(SQLText.label(sql) == label)
    }
}
