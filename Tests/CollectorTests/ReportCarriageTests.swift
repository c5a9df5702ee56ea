import AfterpushWire
import Foundation
import Ingest
import Postgres
import Reports
import SQLFiles
import Storage
import TestSupport
import Testing

/// The same report by psql, by the program and over HTTP, with hostile text in every dimension.
@Suite(.serialized) struct ReportCarriageTests {
    static let hostile = [
        "=1+1", "+1", "-1", "@x", "\tx", "'quoted", "a,b", "a\"b", "a\nb", "émoji 🎉", "مرحبا",
        "<script>alert(1)</script>",
        "'; drop table afterpush.apps; --", ";=x", "\",=x", "＝1", "plain",
    ]

    /// An app with a delivery for each text, in every dimension; rolled up.
    private func app() async throws -> TestApp {
        let app = try await TestApp()
        let events = Self.hostile.flatMap { text -> [[String: any Sendable]] in
            let names: [String: any Sendable] = [
                "campaign_id": text, "variant": text, "category_id": text, "app_version": text, "platform": "ios",
                "notification_id": text,
            ]
            let tap: [String: any Sendable] = ["kind": "action", "action_identifier": text, "notification_id": text]
            return [EventJSON.event(names.merging(["kind": "sent"]) { $1 }), EventJSON.event(tap)]
        }
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let context = ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        let submission = try Submission.read(Array(try EventJSON.body(events)), as: .json)
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        let outcomes = try await sink.store(EventGroup([PendingSubmission(submission, context)]))
        #expect(outcomes[0].accepted == events.count)
        try await app.rolledUp(here: true)
        return app
    }

    /// A JSON value as CSV writes it.
    private func field(_ value: Any?) -> String? {
        switch value {
        case nil, is NSNull: nil
        case let text as String: text
        case let number as NSNumber:
            CFBooleanLike(number) ?? number.description
        default: "?"
        }
    }

    private func CFBooleanLike(_ number: NSNumber) -> String? {
        String(cString: number.objCType) == "c" ? (number.boolValue ? "true" : "false") : nil
    }

    @Test(arguments: [
        ("conversion", [("by", "campaign,variant"), ("min_n", "1")]), ("conversion", [("by", "app_version")]),
        ("actions", [("min_n", "1")]),
    ])
    func `CSV read back equals JSON, raw, and without the apostrophe of neutralised cells`(
        report: String, query: [(String, String)]
    ) async throws {
        let app = try await app()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let path = "/v1/reports/\(report)"
        let json = try await client.get(TestClient.path(path, query), key: app.readKey)
        let raw = try await client.get(
            TestClient.path(path, query + [("format", "csv"), ("raw", "true")]), key: app.readKey)
        let safe = try await client.get(TestClient.path(path, query + [("format", "csv")]), key: app.readKey)
        for answer in [json, raw, safe] { #expect(answer.status == 200) }
        let document = try json.json()
        let columns = (document["columns"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        let rows = document["rows"] as? [[String: Any]] ?? []
        #expect(rows.count >= Self.hostile.count)
        let expected = rows.map { row in columns.map { field(row[$0]) } }
        let parsed = CSV.parse(raw.text)
        #expect(parsed.first?.compactMap(\.self) == columns)
        for (index, row) in expected.enumerated() { #expect(same(parsed[index + 1], row), "row \(index)") }
        // Those that a spreadsheet could take for formulas, and those that begin with ', have one ' more.
        let neutralised = CSV.parse(safe.text).dropFirst().map { row in
            row.map { $0?.hasPrefix("'") == true ? String($0?.dropFirst() ?? "") : $0 }
        }
        for (index, row) in expected.enumerated() { #expect(same(neutralised[index], row), "safe row \(index)") }
        let names = CSV.parse(safe.text).dropFirst().flatMap { $0 }.compactMap(\.self)
        #expect(!names.contains { ["=", "+", "@", "\t"].contains($0.first.map(String.init) ?? "") })
        await collector.stop()
    }

    /// Numbers may be written in two ways that mean the same.
    private func same(_ left: [String?], _ right: [String?]) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                if left == right { return true }
                guard let left = left.flatMap(Double.init), let right = right.flatMap(Double.init) else { return false }
                return abs(left - right) < 1e-12
            }
    }

    private static func rfc3339(_ text: String) -> String {
        guard let match = text.wholeMatch(of: /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(\.\d+)?)\+00/) else { return text }
        return "\(match.1)T\(match.2)Z"
    }

    @Test(arguments: SQLFiles.reports.map(\.name))
    func `every report runs through psql and says what the program says`(report: String) async throws {
        let app = try await app()
        let file = Program.root.appending(path: "sql/reports/\(report).sql").path
        let definition = try ReportDesk.catalogue().report(named: report)
        let hasLimit = definition.parameters.contains { $0.name == "min_n" }
        let psql = CSV.parse(
            try await Program.psql(
                app.conninfo, file: file, variables: hasLimit ? ["app": "shop", "min_n": "1"] : ["app": "shop"]))
        let output = try await Program.run(
            ["report", report, "--app", "shop", "--format", "csv", "--raw", "--database-url", app.conninfo]
                + (hasLimit ? ["--min-n", "1"] : []))
        #expect(output.status == 0, "\(output.error)")
        let program = CSV.parse(output.output)
        #expect(psql.count == program.count)
        for (one, other) in zip(psql, program) {
            // psql writes t and f, and times its own way.
            let words = one.map { word in
                word == "t" ? "true" : word == "f" ? "false" : word.map(Self.rfc3339)
            }
            #expect(same(words, other), "\(one) \(other)")
        }
    }

    @Test func `the role of the reports sees one app, and writes nothing`() async throws {
        let app = try await app()
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let token = try await app.registry.reportToken(ofApp: app.app.id)
        let otherToken = try await other.registry.reportToken(ofApp: other.app.id)
        for (token, expected) in [(token, "\(Self.hostile.count)"), (otherToken, "0"), ("", "0")] {
            let count = try await app.database.report.withConnection { connection in
                try await connection.transaction(.readOnlyRepeatable) { connection in
                    _ = try connection.query(
                        "select set_config('afterpush.report_token', $1, true)", [.text(token)])
                    return try connection.query("select count(*) from afterpush.deliveries", format: .text)[0].text(0)
                }
            }
            #expect(count == expected)
        }
        for (role, sql) in Self.forbidden {
            let pool = role == "report" ? app.database.report : app.database.ingest
            await #expect(throws: PostgresErrorMatching(sqlState: "42501"), "\(role): \(sql)") {
                do {
                    try await pool.withConnection { _ = try await $0.query(sql) }
                } catch { throw PostgresErrorMatching(error) }
            }
        }
    }

    /// E26: what each role must be refused.
    static let forbidden = [
        ("report", "delete from afterpush.events"), ("report", "select * from afterpush.api_keys"),
        ("report", "select report_token from afterpush.apps"), ("report", "delete from afterpush.replies"),
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
