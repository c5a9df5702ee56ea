import Foundation
import Postgres
import SQLFiles
import TestSupport
import Testing

@Suite struct SQLFileTests {
    /// The folders of `sql` and the files of each that are in the program.
    private static let folders: [(folder: String, files: [SQLFile])] = [
        ("schema", SQLFiles.schema),
        ("functions", functions),
        ("views", SQLFiles.functionsAndViews.filter { isView($0) }),
        ("data", SQLFiles.data),
        ("reports", SQLFiles.reports),
        ("statements", SQLFiles.statements),
    ]
    private static let functions = SQLFiles.frozenFunctions + SQLFiles.functionsAndViews.filter { !isView($0) }
    private static let all = folders.flatMap(\.files) + [SQLFiles.grants, SQLFiles.restrictPublic]

    private static func isView(_ file: SQLFile) -> Bool {
        file.text.contains("create or replace view")
    }

    /// The SQL files below a folder of `sql`, by name.
    private static func urls(_ folder: String) throws -> [String: URL] {
        let root = Program.root.appending(path: "sql/\(folder)")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".sql") }
        let urls = paths.map { root.appending(path: $0) }
        return Dictionary(urls.map { ($0.deletingPathExtension().lastPathComponent, $0) }) { first, _ in first }
    }

    @Test func `every file below sql is in the program, with its present text`() throws {
        for (folder, files) in Self.folders {
            let urls = try Self.urls(folder)
            #expect(files.map(\.name).sorted() == urls.keys.sorted(), "\(folder)")
            for file in files {
                let url = try #require(urls[file.name])
                let label = folder == "statements" ? "-- \(file.name)\n" : ""
                #expect(file.text == label + (try String(contentsOf: url, encoding: .utf8)), "\(file.name)")
            }
        }
        #expect(SQLFiles.schema.map(\.name) == SQLFiles.schema.map(\.name).sorted())
    }

    @Test func `every file opens with a comment`() {
        for file in Self.all { #expect(file.text.hasPrefix("-- "), "\(file.name)") }
    }

    @Test func `doctor looks for the functions that restrict_public takes from everybody`() {
        func list(_ file: SQLFile) -> [Substring] {
            file.text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.contains("proname ") }
        }
        #expect(list(SQLFiles.restrictPublic).count == 3)
        #expect(list(SQLFiles.checkReportLimits) == list(SQLFiles.restrictPublic))
    }

    @Test func `no statement in a function or view is longer than 160 lines`() {
        for file in SQLFiles.definitions where !SQLFiles.data.map(\.name).contains(file.name) {
            let longest =
                file.text.split(separator: ";\n", omittingEmptySubsequences: false)
                .map { $0.count { $0 == "\n" } }.max() ?? 0
            #expect(longest <= 160, "\(file.name): \(longest) lines")
        }
    }

    @Test func `no function or view is defined twice, and none exists that no file defines`() async throws {
        let definition = /create or replace (?:function|view) afterpush\.(\w+)/
        var files: [String: Set<String>] = [:]
        for file in Self.all {
            for match in file.text.matches(of: definition) { files[String(match.1), default: []].insert(file.name) }
        }
        for (name, files) in files where files.count > 1 { Issue.record("\(name) is in \(files.sorted())") }
        let app = try await TestApp()
        let installed = try await app.value(
            """
            select string_agg(name, ' ' order by name) from (
                select distinct proname::text as name from pg_proc where pronamespace = 'afterpush'::regnamespace
                union all
                select relname::text from pg_class
                where relnamespace = 'afterpush'::regnamespace and relkind = 'v'
            ) as installed
            """)
        let names = installed?.split(separator: " ").map(String.init) ?? []
        #expect(Set(names) == Set(files.keys))
        for file in Self.all where file.text.contains("pg_get_functiondef") {
            Issue.record("\(file.name) patches the text of a function")
        }
    }

    @Test func `schema files depend on frozen functions alone, and each frozen function is needed`() async throws {
        let app = try await TestApp()
        // The functions of indexes, generated columns, defaults and policies. A trigger is in the file of its function.
        let needed = try await app.value(
            """
            select string_agg(distinct p.proname, ' ')
            from pg_depend as d
            join pg_proc as p on p.oid = d.refobjid
            where d.refclassid = 'pg_proc'::regclass
              and p.pronamespace = 'afterpush'::regnamespace
              and d.classid in ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_policy'::regclass)
            """)
        let names = Set(needed?.split(separator: " ").map(String.init) ?? [])
        #expect(!names.isEmpty)
        let frozen = SQLFiles.frozenFunctions.map(\.text)
        for name in names {
            #expect(frozen.contains { $0.contains("create or replace function afterpush.\(name)(") }, "\(name)")
        }
        for file in SQLFiles.frozenFunctions {
            #expect(names.contains { file.text.contains("afterpush.\($0)(") }, "\(file.name) need not be frozen")
            #expect(file.text.contains("-- Frozen: "), "\(file.name) does not say why it is frozen")
        }
    }

    /// Compares the schema with the snapshot. After an intended change, `make snapshot` updates the file.
    @Test func `the snapshot of the schema is what a fresh database has`() async throws {
        let pgDump = try await Program.run(["--version"], program: URL(filePath: "/usr/bin/pg_dump"))
        guard pgDump.output.contains(" 15.") else {
            // Other major versions print the same schema differently.
            return
        }
        let output = try await Program.run(
            [try await TestCluster.database()], program: Program.root.appending(path: "scripts/schema-snapshot"))
        #expect(output.status == 0, "\(output.error)")
        let file = try String(contentsOf: Program.root.appending(path: "sql/schema.snapshot.sql"), encoding: .utf8)
        let fresh = output.output.split(separator: "\n", omittingEmptySubsequences: false)
        let kept = file.split(separator: "\n", omittingEmptySubsequences: false)
        let changes = fresh.difference(from: kept).prefix(20)
        #expect(changes.isEmpty, "\(changes.map { "\($0)" }.joined(separator: "\n"))")
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
