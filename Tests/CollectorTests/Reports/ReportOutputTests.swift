import Foundation
import Postgres
import Reports
import Storage
import TestSupport
import Testing

/// Tests that psql, the program and HTTP return the same rows, whatever text they contain.
@Suite(.serialized) struct ReportOutputTests {
    /// A report with parameters that change its columns.
    struct Variation: CustomTestStringConvertible, Sendable {
        let report: String
        let parameters: [String: String]

        var testDescription: String {
            ([report] + parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
        }

        /// The variations of all reports: with defaults, with each grouping, and with each Boolean parameter on.
        static let all: [Variation] = ReportService.catalogue().reports.flatMap { Self.variations(of: $0) }

        private static func variations(of report: ReportDefinition) -> [Variation] {
            let hasLimit = report.parameters.contains { $0.name == "min_n" }
            let small = hasLimit ? ["min_n": "1"] : [:]
            let changes = report.parameters.flatMap { parameter -> [[String: String]] in
                switch parameter.kind {
                case .list(let groups):
                    (groups + [groups.prefix(2).joined(separator: ",")]).map { [parameter.name: $0] }
                case .choice(let values): values.map { [parameter.name: $0] }
                case .boolean: [[parameter.name: "true"]]
                default: []
                }
            }
            return ([[:]] + changes).map { Variation(report: report.name, parameters: small.merging($0) { $1 }) }
        }
    }

    @Test(arguments: Variation.all)
    func `a report has the same rows in psql, in the program and over HTTP`(_ variation: Variation) async throws {
        let shop = try await HostileTextFixture.shared.value
        let report = try ReportService.catalogue().report(named: variation.report)
        func http(_ more: [(String, String)]) async throws -> String {
            let query = variation.parameters.map { ($0.key, $0.value) } + more
            let response = try await shop.client.get(
                TestClient.path("/v1/reports/\(variation.report)", query), key: shop.app.readKey)
            #expect(response.status == 200, "\(response.text)")
            return response.text
        }
        func json(_ text: String) throws -> ParsedRows {
            ParsedRows(json: try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:])
        }
        let expected = ParsedRows(
            psql: try await Program.psql(
                shop.app.conninfo, file: Program.root.appending(path: "sql/reports/\(variation.report).sql").path,
                variables: variation.parameters.merging(["app": "shop"]) { $1 }),
            kinds: Dictionary(uniqueKeysWithValues: report.columns.map { ($0.name, $0.kind.rawValue) }))
        let columns = expected.columns
        var outputs = [
            ("json", try json(try await http([]))),
            ("ndjson", try ParsedRows(ndjson: try await http([("format", "ndjson")]), columns: columns)),
            ("raw csv", ParsedRows(csv: try await http([("format", "csv"), ("raw", "true")]))),
            ("csv", ParsedRows(csv: try await http([("format", "csv")])).withoutApostrophes),
        ]
        if variation.parameters.keys.allSatisfy({ $0 == "min_n" }) {
            func program(_ options: String...) async throws -> String {
                let given = variation.parameters.flatMap { ["--set", "\($0.key)=\($0.value)"] }
                let output = try await Program.run(
                    ["report", variation.report, "--app", "shop", "--database-url", shop.app.conninfo, "--format"]
                        + options + given)
                #expect(output.status == 0, "\(output.error)")
                return output.output
            }
            outputs += [
                ("program's json", try json(try await program("json"))),
                ("program's ndjson", try ParsedRows(ndjson: try await program("ndjson"), columns: columns)),
                ("program's raw csv", ParsedRows(csv: try await program("csv", "--raw"))),
                ("program's csv", ParsedRows(csv: try await program("csv")).withoutApostrophes),
            ]
        }
        for (outputName, rows) in outputs {
            let difference = rows.withoutPresentState.difference(from: expected.withoutPresentState)
            #expect(difference == nil, "\(outputName): \(difference ?? "")")
        }
    }

    @Test(arguments: ReportService.catalogue().reports.map(\.name))
    func `in psql, an unknown app is reported as the error or has no rows`(_ report: String) async throws {
        let shop = try await HostileTextFixture.shared.value
        do {
            // Some reports have rows that belong to no app, such as the number of spooled events.
            _ = try await Program.psql(
                shop.app.conninfo, file: Program.root.appending(path: "sql/reports/\(report).sql").path,
                variables: ["app": "no-such-app"])
        } catch let error as Program.Failed {
            #expect(error.message.contains(#/ERROR:  app: .*no app /#), "\(error)")
        }
    }

    @Test func `no cell of a CSV file is a spreadsheet formula`() async throws {
        let shop = try await HostileTextFixture.shared.value
        for report in ReportService.catalogue().reports {
            for query in [[], [("by", "campaign")], [("include_text", "true")]] {
                let response = try await shop.client.get(
                    TestClient.path("/v1/reports/\(report.name)", query + [("format", "csv")]), key: shop.app.readKey)
                // Not every report has these parameters.
                guard response.status == 200 else { continue }
                let kinds = Dictionary(uniqueKeysWithValues: report.columns.map { ($0.name, $0.kind) })
                let rows = ParsedRows(csv: response.text)
                for row in rows.rows {
                    for (value, column) in zip(row, rows.columns) where kinds[column] == .text {
                        let first = value?.unicodeScalars.first
                        #expect(!"=+-@\t\r\n＝＋－＠".unicodeScalars.contains { $0 == first }, "\(report.name): \(row)")
                    }
                }
            }
        }
    }

    @Test func `E26: the report role can read one app and write nothing`() async throws {
        let app = try await HostileTextFixture.shared.value.app
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let mine = ReportAccess.opening(app: app.app.id), others = ReportAccess.opening(app: other.app.id)
        for (opening, expected) in [(mine, "\(2 * HostileTextFixture.texts.count)"), (others, "0"), ("", "0")] {
            let count = try await app.database.report.withConnection { connection in
                try await connection.snapshot(asking: opening + "select count(*) from afterpush.deliveries") {
                    _, rows in
                    rows[0].text(0)
                }
            }
            #expect(count == expected)
        }
        for (role, sql) in Self.forbidden {
            let pool = role == "report" ? app.database.report : app.database.ingest
            await #expect(throws: SQLStateMatch(sqlState: "42501"), "\(role): \(sql)") {
                do {
                    try await pool.withConnection { _ = try await $0.query(sql) }
                } catch { throw SQLStateMatch(error) }
            }
        }
    }

    /// The statements of E26, which must be refused to each role.
    static let forbidden = [
        ("report", "delete from afterpush.events"), ("report", "select * from afterpush.api_keys"),
        ("report", "select secret from afterpush.report_secret"), ("report", "delete from afterpush.replies"),
        ("report", "select afterpush.roll_up(1)"), ("report", "create table afterpush.x ()"),
        ("ingest", "select device_id from afterpush.events"), ("ingest", "update afterpush.events set kind = 'read'"),
        ("ingest", "delete from afterpush.events"), ("ingest", "select * from afterpush.deliveries"),
        ("ingest", "insert into afterpush.rollup_worker default values"), ("ingest", "drop table afterpush.events"),
        ("ingest", "select user_text from afterpush.replies"), ("ingest", "select count from afterpush.sends"),
        ("ingest", "update afterpush.apps set receipt_policy = 'optional'"),
        ("ingest", "insert into afterpush.receipt_secrets (app_id) values (1)"),
        ("ingest", "update afterpush.receipt_secrets set retired_at = now()"),
        ("ingest", "delete from afterpush.receipt_secrets"), ("report", "select secret from afterpush.receipt_secrets"),
    ]
}
