import Foundation
import Postgres
import SQLFiles
import TestSupport
import Testing

@Suite struct SQLFileTests {
    private static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Program.root.appending(path: "sql/\(folder)").path)
            .filter { $0.hasSuffix(".sql") }
            .map { String($0.dropLast(4)) }
            .sorted()
    }

    @Test func `every file of the folder is in the program`() throws {
        #expect(SQLFiles.migrations.map(\.name) == (try Self.names("migrations")))
        #expect(SQLFiles.reports.map(\.name).sorted() == (try Self.names("reports")))
        #expect(SQLFiles.statements.map(\.name).sorted() == (try Self.names("statements")))
    }

    @Test func `a file in the program is the file in the folder`() throws {
        for (folder, files) in [
            ("migrations", SQLFiles.migrations), ("reports", SQLFiles.reports), ("statements", SQLFiles.statements),
        ] {
            for file in files {
                let url = Program.root.appending(path: "sql/\(folder)/\(file.name).sql")
                #expect(file.text == (try String(contentsOf: url, encoding: .utf8)), "\(file.name)")
            }
        }
    }

    @Test func `every file opens with a comment`() {
        for file in SQLFiles.migrations + SQLFiles.reports + SQLFiles.statements {
            #expect(file.text.hasPrefix("-- "), "\(file.name)")
        }
    }

    @Test func `every table, column, view and function has a comment`() async throws {
        let app = try await TestApp()
        let missing = try await app.value(
            """
            select string_agg(name, ', ') from (
                select c.relname || coalesce('.' || a.attname, '') as name
                from pg_class as c
                left join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                where c.relnamespace = 'afterpush'::regnamespace and c.relkind in ('r', 'p')
                  and (col_description(c.oid, a.attnum) is null or obj_description(c.oid, 'pg_class') is null)
                union all
                select relname from pg_class
                where relnamespace = 'afterpush'::regnamespace and relkind in ('v', 'S')
                  and obj_description(oid, 'pg_class') is null
                  and not exists (select from pg_depend as d where d.objid = pg_class.oid and d.deptype = 'i')
                union all
                select proname from pg_proc
                where pronamespace = 'afterpush'::regnamespace and obj_description(oid, 'pg_proc') is null
            ) as missing
            """)
        #expect(missing == nil)
    }
}
