import Foundation
import ReferenceModel
import Storage
import TestSupport
import Testing

/// Tests that exported events can be imported again and yield the same reports.
@Suite(.serialized) struct RoundTripTests {
    @Test(arguments: [3, 14, 15] as [UInt64], ["csv", "ndjson"])
    func `the events of a scenario yield the same reports after export and import into another app`(
        seed: UInt64, format: String
    ) async throws {
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        // Apps are named after the seed, and all scenarios share a database.
        let run = try await ModelRun(Scenario(seed: seed + (format == "csv" ? 1_000 : 2_000), now: now))
        try await run.post()
        try await run.waitForRollups()
        for (name, app) in run.apps {
            let copy = try await run.copy(of: name, format: format)
            for difference in try await Self.differences(app, copy) {
                Issue.record("seed \(seed), \(format): \(difference)")
            }
        }
        #expect(try await run.differences() == [], "seed \(seed): rollup verify")
    }

    @Test(arguments: [["--format", "csv"], ["--format", "csv", "--raw"], ["--format", "ndjson"]])
    func `hostile text survives export and import`(format: [String]) async throws {
        let app = try await TestApp()
        try await app.store(ExportTests.hostileEvents())
        try await app.store(
            [
                EventJSON.event([
                    "properties": ["big": 1e300, "small": 1e-300, "deep": ["x": [1, 2]]] as [String: any Sendable],
                    "unknown": "\u{1}\u{7F}\\\"",
                ])
            ])
        let exported = try await Program.run(
            ["export", "events", "--app", "shop", "--include-text", "--database-url", app.conninfo] + format)
        #expect(exported.status == 0)
        let copy = try await TestApp(named: "copy", conninfo: app.conninfo)
        let dialect = format[1] == "csv" ? "csv" : "ndjson"
        let imported = try await Program.run(
            ["import", "-", "--app", "copy", "--dialect", dialect, "--wait", "--database-url", app.conninfo]
                + (format.contains("--raw") ? ["--raw"] : []), input: exported.output)
        #expect(imported.output.hasSuffix("duplicates 0, rejected 0\n"), "\(imported.output)")
        for difference in try await Self.differences(app, copy) { Issue.record("\(difference)") }
        // Every event already exists in its own app.
        let again = try await Program.run(
            ["import", "-", "--app", "shop", "--dialect", dialect, "--database-url", app.conninfo]
                + (format.contains("--raw") ? ["--raw"] : []), input: exported.output)
        #expect(again.output.hasPrefix("stored 0, "), "\(again.output)")
        #expect(try await app.value("select sum(conflicts) from afterpush.batches") == "0")
    }

    /// The numbers of rows of one app that the other one does not have, by table.
    private static func differences(_ app: TestApp, _ copy: TestApp) async throws -> [String] {
        let own = ["batch_id", "delivery_id", "app_id", "stored_at"]
        var differences: [String] = []
        for table in ["events", "replies", "deliveries", "rollup_deliveries", "rollup_actions", "rollup_app_versions"] {
            let columns = try await app.value(
                """
                select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
                where attrelid = 'afterpush.\(table)'::regclass and attnum > 0 and not attisdropped
                  and attname <> all ('{\(own.joined(separator: ","))}')
                """)
            let (one, other) = (app.app.id, copy.app.id)
            for (left, right) in [(one, other), (other, one)] {
                let count = try await app.value(
                    """
                    select count(*) from (
                        select \(columns ?? "") from afterpush.\(table) where app_id = \(left)
                        except all
                        select \(columns ?? "") from afterpush.\(table) where app_id = \(right)
                    ) as missing
                    """)
                if count != "0" { differences.append("\(table): \(count ?? "") rows of \(left) are not in \(right)") }
            }
        }
        return differences
    }
}

extension ModelRun {
    /// Copies an app's events through a file to a new app with the same declarations, and waits for the rollups.
    fileprivate func copy(of name: Identifier, format: String) async throws -> TestApp {
        guard let app = apps[name] else { throw Program.Failed(message: "no such app") }
        let path = FileManager.default.temporaryDirectory.path + "/round-trip-\(UUID().uuidString.prefix(8)).\(format)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let exported = try await Program.run([
            "export", "events", "--app=\(app.app.name)", "--format", format, "--include-text", "--out", path,
            "--database-url", app.conninfo,
        ])
        #expect(exported.status == 0, "\(exported.error)")
        let copy = try await TestApp(named: app.app.name + " copied \(format)", conninfo: app.conninfo)
        // The rollups count conversions by the window of their campaign.
        for campaign in try await app.registry.campaigns(app: app.app) {
            try await copy.registry.putCampaign(campaign, app: copy.app)
        }
        let imported = try await Program.run([
            "import", path, "--app=\(copy.app.name)", "--wait", "--database-url", app.conninfo,
        ])
        #expect(imported.output.hasSuffix("duplicates 0, rejected 0\n"), "\(imported.output) \(imported.error)")
        return copy
    }
}
