import Foundation
import Postgres
import Reports
import SQLFiles
import Storage
import TestSupport
import Testing

/// Tests that every number has a definition.
@Suite struct DefinitionTests {
    @Test(arguments: SQLFiles.reports.map(\.name))
    func `every column of a report has a definition`(report: String) async throws {
        let app = try await TestApp()
        let columns = try ReportService.catalogue().report(named: report).columns
        for column in columns {
            let definition = try await app.value(
                "select afterpush.report_definitions('\(report)', array['\(column.name)'])::json ->> 'definition'")
            #expect(definition?.isEmpty == false, "\(report).\(column.name)")
        }
    }

    @Test func `a column that has another meaning in a report has a definition for that report`() async throws {
        let app = try await TestApp()
        func unit(_ report: String) async throws -> String? {
            try await app.value("select afterpush.report_definitions('\(report)', array['sent'])::json ->> 'unit'")
        }
        #expect(try await unit("conversion") == "deliveries")
        #expect(try await unit("timeseries") == "events")
    }

    @Test func `all who ask for the list of definitions have one connection, and none once it was read`() async throws {
        let app = try await TestApp()
        let reports = ReportService(pool: app.database.reportReads)
        let lists = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<20 { group.addTask { try await reports.definitions() } }
            return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
        }
        #expect(lists.count == 1 && lists.first?.isEmpty == false)
        #expect(await app.database.report.statistics.idle == 1)
        await app.database.report.shutdown()
        #expect(try await reports.definitions() == lists.first)
    }

    @Test func `the program prints the definition of a column, and an error for an unknown one`() async throws {
        let app = try await TestApp()
        let output = try await Program.run(
            ["reports", "--define", "dismiss_rate", "--database-url", app.conninfo])
        #expect(output.status == 0)
        #expect(output.output.hasPrefix("dismiss_rate (ratio): "), "\(output.output)")
        #expect(output.output.contains("  dismissed, within the base / dismiss_n\n"))
        let sent = try await Program.run(["reports", "--define", "sent", "--database-url", app.conninfo])
        #expect(sent.output.contains("\ntimeseries.sent (events): "), "\(sent.output)")
        let none = try await Program.run(["reports", "--define", "nonsense", "--database-url", app.conninfo])
        #expect(none.status == 2 && none.error.contains("no report has a column named nonsense"), "\(none.error)")
    }

    @Test func `the definition of a column is no reason to create a schema or a cluster`() async throws {
        let conninfo = try await TestCluster.database(empty: true)
        let output = try await Program.run(["reports", "--define", "sent", "--database-url", conninfo])
        #expect(output.status != 0 && output.error.contains("migrate"), "\(output)")
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        let schemas = try await connection.query("select 1 from pg_namespace where nspname = 'afterpush'")
        #expect(schemas.isEmpty)
        await connection.close()
        let directory = NSTemporaryDirectory() + UUID().uuidString
        let none = try await Program.run(["reports", "--define", "sent", "--data-dir", directory])
        #expect(none.status != 0 && none.error.contains("no cluster in"), "\(none)")
        #expect(!FileManager.default.fileExists(atPath: directory))
    }
}
