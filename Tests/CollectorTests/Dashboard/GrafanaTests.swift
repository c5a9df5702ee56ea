import Foundation
import Postgres
import Reports
import Storage
import TestSupport
import Testing

/// Tests the Grafana dashboards, which contain the reports' SQL, as Grafana runs it.
@Suite struct GrafanaTests {
    private static let shop = Task { try await DashboardFixture() }

    @Test func `the login has the password of the environment, and no page puts one on a command line`() async throws {
        let app = try await TestApp()
        let login = try await app.makeReportLogin()
        let owner = try await Connection.open(
            PostgresConfiguration(conninfo: app.conninfo), logger: TestCluster.logger)
        let sql = "select rolpassword from pg_authid where rolname = $1"
        let rows = try await owner.query(sql, [.text(login.name)], format: .text)
        #expect(rows.first?.text(0)?.hasPrefix("SCRAM-SHA-256$") == true)
        await owner.close()
        try await TestCluster.script("drop role \(login.name)", on: app.conninfo)
        let folder = Program.root.appending(path: "docs")
        let pages = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        #expect(pages.count > 30)
        for page in pages.map({ folder.appending(path: $0) }) + [Program.root.appending(path: "README.md")] {
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(!text.contains(/(-v|--set|--variable)[ =]password=/), "\(page.lastPathComponent)")
        }
    }

    @Test(arguments: GrafanaDashboard.names)
    func `every panel has the columns and rows of its report and scans no event table`(
        name: String
    ) async throws {
        let shop = try await Self.shop.value
        let login = try await shop.app.makeReportLogin()
        let grafana = try await Connection.open(
            PostgresConfiguration(conninfo: login.conninfo), logger: TestCluster.logger)
        let board = try GrafanaDashboard(named: name)
        let now = Date.now
        var values = GrafanaValues(
            from: now.addingTimeInterval(-30 * 86_400).formatted(.iso8601), to: now.formatted(.iso8601))
        for variable in board.templating.list {
            guard variable.type == "query" else {
                values.variables[variable.name] = variable.query
                continue
            }
            let rows = try await grafana.query(values.filled(variable.query), format: .text)
            values.variables[variable.name] = rows.first?.text(0) ?? ""
        }
        if name == "campaign" { values.variables["campaign"] = "autumn" }
        if name == "category" { values.variables["category"] = "sale" }
        #expect(values.variables["app"] == "shop")
        let desk = ReportService(pool: shop.app.database.reportReads)
        for panel in board.panels {
            for target in panel.targets {
                try await expectReport(target.rawSql, "\(name): \(panel.title)", values, grafana, desk, shop)
            }
        }
        await grafana.close()
        try await TestCluster.script("drop role \(login.name)", on: shop.app.conninfo)
    }

    private func expectReport(
        _ sql: String, _ title: String, _ values: GrafanaValues, _ grafana: Connection, _ desk: ReportService,
        _ shop: DashboardFixture
    ) async throws {
        let words = try #require(sql.firstMatch(of: /-- report: ([a-z\-]+)((?: [a-z_]+=\S+)*)\n/), "\(title)")
        let definition = try desk.catalogue.report(named: String(words.1))
        var asked = ["from": values.from, "to": values.to]
        for (name, value) in values.variables where definition.parameters.contains(where: { $0.name == name }) {
            if !value.isEmpty { asked[name] = value }
        }
        for pair in words.2.split(separator: " ") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            asked[String(parts[0])] = String(parts[1])
        }
        let parameters = try ReportParameters(
            validating: asked.filter { entry in definition.parameters.contains { $0.name == entry.key } },
            for: definition)
        let report = try await desk.run(definition, parameters, app: shop.app.app.id, name: "shop")
        let text = try values.filled(sql)
        let rows = try await grafana.query(text, format: .text)
        #expect(rows.columns.map(\.name) == report.columns.map(\.name), "\(title)")
        #expect(rows.count == report.rows.count, "\(title)")
        // The notation of times and numbers differs; texts and whole numbers are the same.
        for (shown, row) in zip(rows, report.rows) {
            for (place, column) in report.columns.enumerated() where [.text, .integer].contains(column.kind) {
                #expect(shown.text(place) == row[place], "\(title), \(column.name)")
            }
        }
        try await grafana.script("set enable_seqscan = off")
        let plan = try await grafana.query("explain " + text, format: .text).map { $0.text(0) ?? "" }
        try await grafana.script("reset enable_seqscan")
        let scans = plan.filter { $0.contains("Seq Scan on events") || $0.contains("Seq Scan on deliveries") }
        #expect(scans.isEmpty, "\(title): \(scans)")
    }
}
